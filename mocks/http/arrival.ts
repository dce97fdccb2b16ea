import type { ErrorIdOf } from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import type { ClientOperation } from '../../interface/operation-names.ts';
import type { Rewrite } from '../messages/client-request.ts';
import { useWorld } from '../service/commit.ts';
import type { OpenWorld, WorldSettings } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import type { Store } from '../stores/store.ts';
import type { ControlOperationName } from './control/operations.ts';
import type { RequestCounts } from './metrics.ts';
import type { Plans } from './plan.ts';
import type { RecordTexts } from './responses/record-texts.ts';
import type { Router } from './routes.ts';

/** The HTTP layer of one mock. */
export interface App {
  readonly settings: WorldSettings;
  readonly worlds: Worlds;
  /** Where the worlds are kept, if they are. */
  readonly store?: Store | undefined;
  /** When the mock was made, by its time source. */
  readonly startedAt: number;
  readonly requestCounts: RequestCounts;
  /** The path of the interface, from the origin. */
  readonly prefix: string;
  readonly router: Router;
  readonly texts: RecordTexts;
  /** How the operations are carried out for clients, under the dialect of the mock. */
  readonly clientPlans: Plans;
  /** The origin of the addresses in responses; by default that of the request. */
  readonly mediaOrigin: string | undefined;
  /** Maximum size of an exported state to import, in bytes. */
  readonly maxImport: number;
  /** Changes the responses to clients, if the mock has a variant that no dialect can describe. */
  readonly rewrite?: Rewrite;
  /** Compares the responses to clients with those of a plain mock, if the mock has a variant. */
  readonly witness?: Witness;
}

/**
 * Compares a response with that of a plain mock. It is called before a client's request can change anything, and returns
 * what to call once the mock has responded.
 */
export type Witness = (request: Request) => (notes: Notes) => Promise<void>;

/** A request as it arrives. */
export interface Arrival {
  readonly app: App;
  readonly request: Request;
  /** Where clients reach what it asks for. Addresses in the response have the same origin. */
  readonly url: URL;
  /** Whether a tester sent it, who sees no dialect, no fault and no journal. */
  readonly isTester: boolean;
  /** How the service behaves towards its sender: clients see the dialect on the paths of the interface. */
  readonly dialect: ResolvedDialect;
  /** How the operations are carried out for its sender. */
  readonly plans: Plans;
  /** Whether it is for the control API, which has no dialect and no journal. */
  readonly isForControl: boolean;
  /** Its path, in the spelling of the route. */
  readonly path: string;
  /** The errors in its own spelling of the path. */
  readonly misspelled: readonly ErrorIdOf<'path'>[];
  /** What becomes known of it on the way. */
  readonly notes: Notes;
}

/**
 * What becomes known of a request on the way, and is read once, when its response is finished: for the journal, and for
 * the headers of the response.
 */
export interface Notes {
  /** The world of its API key, or of the media that it asks for. */
  world?: OpenWorld;
  /** When its world was found: milliseconds since 1970 on that world's clock. */
  startedAt?: number;
  operation?: ClientOperation;
  /** The operation of the control API that it asks for. */
  controlOperation?: ControlOperationName;
  body?: Uint8Array;
  /** Whether a static route of the dialect answers it. */
  isStatic?: true;
  /** The id of the fault that matched it. */
  fault?: number;
}

const tracedNotes = new WeakMap<Request, Notes>();

/** Lets {@link notesOf} find the notes of a request after its response. */
export function traceNotes({ request, notes }: Arrival): void {
  tracedNotes.set(request, notes);
}

/** What became known of a request; `undefined` if it did not reach the mock, or was not traced. */
export function notesOf(request: Request): Notes | undefined {
  return tracedNotes.get(request);
}

/** Notes the world of a request, and the time there. */
export function noteWorld(notes: Notes, world: OpenWorld): void {
  useWorld(world);
  notes.world = world;
  notes.startedAt = world.clock.now();
}

/** Notes the body of a request. */
export function noteBody(notes: Notes, bytes: Uint8Array): void {
  notes.body = bytes;
}
