import type { Endpoint, ErrorId } from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isInterfaceOperation, type MediaRouteName } from '../../interface/operation-names.ts';
import type { ErrorSite } from '../service/accept-or-refuse.ts';
import type { OpenWorld, WorldSettings } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import type { RecordTexts } from './record-texts.ts';
import type { OperationName, Router } from './routes.ts';

/** The HTTP layer of one mock. */
export interface App {
  readonly settings: WorldSettings;
  readonly worlds: Worlds;
  /** The path of the interface, from the origin. */
  readonly prefix: string;
  readonly router: Router;
  readonly texts: RecordTexts;
  /** The origin of media addresses in responses; by default that of the request. */
  readonly mediaOrigin: string | undefined;
  /** Maximum size of an exported state to import, in bytes. */
  readonly maxImport: number;
}

/** What is wrong with a method or path: an error, and the endpoint that has it. */
export interface WrongRoute {
  readonly endpoint: Endpoint;
  readonly error: ErrorId;
}

/** A request, and what is found out about it on the way to its response. */
export interface RequestContext {
  readonly app: App;
  readonly request: Request;
  readonly url: URL;
  /** How the service behaves towards its sender: clients see the dialect on the paths of the interface. */
  readonly dialect: ResolvedDialect;
  /** Its path, in the spelling of the route. */
  readonly path: string;
  /** The errors in its own spelling of the path. */
  readonly misspelled: readonly ErrorId[];
  /** The world of its API key, or of the media that it asks for. */
  world?: OpenWorld;
  /** When its world was found: milliseconds since 1970 on that world's clock. */
  startedAt?: number;
  operation?: OperationName | MediaRouteName;
  /** The parameter in the path of its operation. */
  id?: string;
  body?: Uint8Array;
  /** The value of the JSON in its body. */
  json?: unknown;
  /** What the handler gets: the fields that were read from it, or an imported state. */
  fields?: unknown;
  /** Why it leads to no operation although there is one at its path. */
  wrongRoute?: WrongRoute;
  /** The endpoint whose errors apply, if that is not its operation. */
  endpoint?: Endpoint;
  /** The methods of its path, if its own is not one of them. */
  allowed?: readonly string[];
  /** Whether a static route of the dialect answers it. */
  isStatic?: true;
  /** The id of the fault that matched it. */
  fault?: number;
}

/** Notes the world of a request, and the time there. */
export function enterWorld(context: RequestContext, world: OpenWorld): void {
  context.world = world;
  context.startedAt = world.clock.now();
}

/** What a request asks for, as the table of errors names it, and how it is answered. */
export function errorSiteOf({ dialect, endpoint, operation }: RequestContext): ErrorSite {
  const route = operation && isInterfaceOperation(operation) ? operation : 'unknownRoute';
  return { dialect, endpoint: endpoint ?? route };
}
