import type { Behaviour } from '../../interface/dialect.ts';
import type { Endpoint } from '../../interface/errors.ts';
import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { WorldSettings, WorldState } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import type { RecordTexts } from './record-texts.ts';
import type { OperationName, Router } from './routes.ts';

/** The HTTP layer of one mock. */
export interface App {
  readonly settings: WorldSettings;
  readonly worlds: Worlds;
  /** Path of the interface from the origin. */
  readonly prefix: string;
  readonly router: Router;
  readonly texts: RecordTexts;
  /** Begins the media addresses in responses; by default the request's origin does. */
  readonly mediaOrigin: string | undefined;
  /** Bytes of the largest exported state that is imported. */
  readonly maxImport: number;
}

/** What is wrong with a method or path: an error of what is asked for. */
export interface WrongRoute {
  readonly at: Endpoint;
  readonly error: string;
}

/** A request, and what becomes known about it while it is answered. */
export interface RequestContext {
  readonly app: App;
  readonly request: Request;
  readonly url: URL;
  /** What its sender sees: on the paths of the interface, clients see the behaviour of the dialect. */
  readonly behaviour: Behaviour;
  /** Its path, spelled as the route is. */
  readonly path: string;
  /** The errors in how it spells its path. */
  readonly misspelled: readonly string[];
  /** The world of its API key, or of the media that it asks for. */
  world?: WorldState;
  /** When its world was found: milliseconds since 1970 on that world's clock. */
  startedAt?: number;
  operation?: OperationName | MediaRouteName;
  /** The parameter in the path of its operation. */
  id?: string;
  body?: Uint8Array;
  /** The value of the JSON in its body. */
  json?: unknown;
  /** Why it leads to no operation, though there is one at its path. */
  wrongRoute?: WrongRoute;
  /** The endpoint whose errors apply, where that is not its operation. */
  endpoint?: Endpoint;
  /** The methods that its path has, where its own is not among them. */
  allowed?: readonly string[];
  /** Whether a static route of the dialect answers it. */
  isStatic?: true;
  /** Id of the fault that matched it. */
  fault?: number;
}

/** Notes which world a request is about. */
export function enterWorld(context: RequestContext, world: WorldState): void {
  context.world = world;
  context.startedAt = world.clock.now();
}

/**
 * Marks a request as a tester's: it is in no journal and matches no fault, so that looking at a world
 * does not change what it shows.
 */
export const testerHeader = 'x-livestream-mock-tester';

/** Whether a request comes from a tester and not from the tested app. */
export function isFromTester({ headers }: Request): boolean {
  return headers.has(testerHeader);
}
