import type { Dialect, Manners } from '../../interface/dialect.ts';
import type { Asked } from '../../interface/errors.ts';
import type { MediaRouteName } from '../../interface/operation-names.ts';
import { brokenConnection } from '../faults/bodies.ts';
import { effectOf } from '../faults/effects.ts';
import type { FaultTarget } from '../faults/faults.ts';
import type { PlainResponse } from '../messages/response.ts';
import type { WorldState } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import type { OperationName, Router } from './routes.ts';

/** What the HTTP layer needs of the mock. */
export interface AppSource {
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** The accepted keys; `undefined` when any key of the form `test-…` is accepted. */
  readonly apiKeys: readonly string[] | undefined;
  /** Begins the media addresses in responses; by default the request's origin does. */
  readonly mediaOrigin: string | undefined;
  readonly worlds: Worlds;
  /** The dialect that was given. */
  readonly dialect: Dialect | undefined;
  /** What clients meet where the interface is silent. */
  readonly manners: Manners;
  /** Bytes of the largest exported state that is imported. */
  readonly maxImport: number;
}

/** The HTTP layer of one mock. */
export interface App extends AppSource {
  readonly router: Router;
  /** For clients on the paths of the interface; for all other requests the usual rules hold. */
  readonly clientRules: Rules;
}

/** What a sender meets where the interface is silent, and the gates that follow from it. */
export interface Rules {
  readonly manners: Manners;
  readonly gates: Readonly<Record<OperationName, RouteGates>>;
  /** The gates of a request that is refused for its method or path. */
  readonly unknownRoute: readonly Gate[];
  /** The gates of a request for a static route of the dialect. */
  readonly staticRoute: readonly Gate[];
  /** The gates of OPTIONS. */
  readonly options: readonly Gate[];
}

/** The gates of a route in their order: those before a fault can match, and those after. */
export interface RouteGates {
  readonly beforeFaults: readonly Gate[];
  readonly afterFaults: readonly Gate[];
}

/** Refuses a request by a Problem, or notes in its context what it has found. */
export type Gate = (app: App, context: RequestContext) => void | Promise<void> | undefined;

/** A request, and what becomes known about it while it is answered. */
export interface RequestContext {
  readonly request: Request;
  readonly url: URL;
  readonly rules: Rules;
  /** The world of its API key, or of the media that it asks for. */
  world?: WorldState;
  operation?: OperationName | MediaRouteName;
  /** The parameter in the path of its operation. */
  id?: string;
  body?: Uint8Array;
  /** The value of the JSON in its body. */
  json?: unknown;
  /** What it asks for, of whose cells its errors are; the operation, if there is one. */
  asked?: Asked;
  /** Its path as the route is spelled, where it was spelled otherwise. */
  path?: string;
  /** What is wrong with how its path is spelled. */
  wrongPath?: { readonly at: Asked; readonly error: string };
  /** Whether a static route of the dialect answers it. */
  isStatic?: true;
  /** The methods that its path has, where its own is not among them. */
  allowed?: readonly string[];
  /** When its world was found: milliseconds since 1970 on that world's clock. */
  startedAt?: number;
  /** Id of the fault that matched it. */
  fault?: number;
}

/** Notes which world a request is about. */
export function enterWorld(context: RequestContext, world: WorldState): void {
  context.world = world;
  context.startedAt = world.clock.now();
}

/** Answers a request with the first fault of its world that matches it, or by carrying it out. */
export async function answerWithFaults(
  context: RequestContext,
  target: FaultTarget,
  carryOut: (afresh?: boolean) => Promise<PlainResponse>,
): Promise<PlainResponse> {
  const { faults, clock } = context.world as WorldState;
  const { request } = context;
  const matched = faults.take({ method: request.method, ...target });
  if (matched === undefined) return carryOut();
  const { id, fault } = matched;
  context.fault = id;
  if (fault.delay !== undefined) {
    // Only now: Node makes the signal of a request when it is first read, which costs more than most responses.
    const { signal } = request;
    await clock.waitUntil(clock.now() + faults.drawDelay(fault.delay), signal);
    // The client has gone away, so the request must do nothing.
    if (signal.aborted) return brokenConnection;
  }
  return effectOf(fault).respond?.(fault, { clock, carryOut }) ?? carryOut();
}
