import { closest } from 'fastest-levenshtein';
import { getPathNoStrict } from 'hono/utils/url';
import { isRefusal } from '../../interface/cells.ts';
import { type Manners, usualManners } from '../../interface/dialect.ts';
import {
  type InterfaceOperationName,
  interfaceOperationNames,
  isClientOperation,
  isInterfaceOperation,
  type MediaRouteName,
  mediaRouteNames,
} from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { type ControlOperationName, controlOperations } from './control-operations.ts';

/** Every operation that takes an API key. */
export const operations: typeof interfaceOperations & typeof controlOperations = {
  ...interfaceOperations,
  ...controlOperations,
};

/** Name of an operation of the interface or of the control API. */
export type OperationName = InterfaceOperationName | ControlOperationName;

/** The names of all operations. */
export const operationNames: readonly OperationName[] = Object.keys(operations) as OperationName[];

/** Where the control API lies, from the origin. */
export const controlPath = '/_mock';

/** Where the OpenAPI document lies, from the origin. */
export const openApiPath = '/openapi.json';

/** Where media lies, from the origin. It needs no API key, as players send none. */
const mediaRoutes: Readonly<Record<MediaRouteName, string>> = {
  livePlaylist: '/hls/{playbackId}/index.m3u8',
  liveRendition: '/hls/{playbackId}/{rendition}/index.m3u8',
  liveSegment: '/hls/{playbackId}/{rendition}/{sessionId}/{file}',
  recordingPlaylist: '/recordings/{sessionId}/index.m3u8',
  recordingMp4: '/recordings/{sessionId}/source.mp4',
  recordingRendition: '/recordings/{sessionId}/{rendition}/index.m3u8',
  recordingSegment: '/recordings/{sessionId}/{rendition}/{file}',
};

/** The path of an operation from the origin, its parameters in braces. */
export function pathOf(name: OperationName, prefix: string): string {
  return (isClientOperation(name) ? prefix : controlPath) + operations[name].path;
}

/** Whether a path is the interface's own, in whatever letter case. */
export function isInterfacePath(pathname: string, prefix: string): boolean {
  const [, first = ''] = pathname.split('/', 2);
  return (
    !ownPaths.has(first) && `${pathname.toLowerCase()}/`.startsWith(`${prefix.toLowerCase()}/`)
  );
}

const ownPaths: ReadonlySet<string> = new Set(
  [controlPath, openApiPath, ...Object.values(mediaRoutes)].map((path) => path.split('/')[1] ?? ''),
);

/** Whether a service has an operation; it may lack those that the interface does not state. */
export function isOffered(name: OperationName, { refusals }: Manners): boolean {
  if (!isInterfaceOperation(name)) return true;
  const cell = refusals[name].get('operation:given');
  return cell === undefined || !isRefusal(cell);
}

/** What lies at an address. */
type Route =
  | { readonly kind: 'operation'; readonly name: OperationName }
  | { readonly kind: 'media'; readonly name: MediaRouteName }
  | { readonly kind: 'openapi' };

/** A route, and the values of the parameters in its path. */
interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A path as its route is spelled. */
export interface ReadPath {
  readonly path: string;
  /** The ids of errors, which are told under a dialect alone. */
  readonly errors: readonly string[];
}

/** Finds routes. */
export type Router = ReturnType<typeof createRouter>;

/** Makes the router of a mock. HEAD finds the route of GET. */
export function createRouter(prefix: string) {
  const operationPlaces = operationNames.map((name) =>
    placeOf(operations[name].method, pathOf(name, prefix), { kind: 'operation', name }),
  );
  const mediaPlaces = mediaRouteNames.map((name) =>
    placeOf('GET', mediaRoutes[name], { kind: 'media', name }),
  );
  const places = [
    ...operationPlaces,
    placeOf('GET', openApiPath, { kind: 'openapi' }),
    ...mediaPlaces,
  ];
  const words = wordsOfPaths(prefix);
  return {
    /** The path of a request as its route is spelled, and what is wrong with how the request spells it. */
    readPath(request: Request, manners: Manners): ReadPath {
      if (manners === usualManners) return { path: getPathNoStrict(request), errors: [] };
      const errors: string[] = [];
      let path = new URL(request.url).pathname;
      for (const [error, spell] of Object.entries(spellings)) {
        const spelled = spell(path, words);
        if (spelled !== path) errors.push(error);
        path = spelled;
      }
      return { path, errors };
    },
    /** The route of a method and of a path as `readPath` returns it; `undefined` when there is none. */
    find(asked: string, path: string): Match | undefined {
      const method = asked === 'HEAD' ? 'GET' : asked;
      const parts = path.split('/');
      const found = places.find((one) => one.method === method && fitsPattern(one.pattern, parts));
      if (found === undefined) return undefined;
      const { route, pattern } = found;
      const parameters: Record<string, string> = {};
      pattern.forEach((part, index) => {
        if (part.startsWith('{')) parameters[part.slice(1, -1)] = decode(parts[index] ?? '');
      });
      return { route, parameters };
    },
  };
}

/** A method and the parts of a path, at which a route lies. */
interface Place {
  readonly method: string;
  readonly pattern: readonly string[];
  readonly route: Route;
}

function placeOf(method: string, path: string, route: Route): Place {
  return { method, pattern: path.split('/'), route };
}

/** Whether a path has the parts of a pattern, in which one in braces stands for any. */
export function fitsPattern(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, at) => part === parts[at] || (part[0] === '{' && parts[at] !== ''));
}

/** Corrections of a misspelled path, by its error. */
const spellings: Readonly<
  Record<string, (path: string, words: ReadonlyMap<string, string>) => string>
> = {
  'path:doubled-slash': (path) => path.replace(/\/{2,}/g, '/'),
  'path:trailing-slash': (path) => path.replace(/(?<=.)\/$/, ''),
  'path:encoded-letter': decodeWords,
  'path:letter-case': spellWords,
};

/** The fixed parts of the interface's paths, by their lower-case form. */
function wordsOfPaths(prefix: string): ReadonlyMap<string, string> {
  const words = interfaceOperationNames.flatMap((name) => pathOf(name, prefix).split('/'));
  return new Map(words.map((word) => [word.toLowerCase(), word]));
}

/** A path whose fixed parts have no encoded letters; an id may have some. */
function decodeWords(path: string, words: ReadonlyMap<string, string>): string {
  return path
    .split('/')
    .map((part) => (words.has(decode(part).toLowerCase()) ? decode(part) : part))
    .join('/');
}

function spellWords(path: string, words: ReadonlyMap<string, string>): string {
  return path
    .split('/')
    .map((part) => words.get(part.toLowerCase()) ?? part)
    .join('/');
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters of a request that are compared: a client may send a million of them. */
const longest = 200;

/**
 * The route, such as `GET /api/stream/{id}`, that a request without a route most likely meant: one that
 * is offered. A parameter in braces is equal to whatever the request has in its place.
 */
export function nearestRoute(request: string, prefix: string, manners: Manners): string {
  const short = request.slice(0, longest);
  const asked = short.split('/');
  const fill = (route: string): string =>
    route
      .split('/')
      .map((part, index) => (part.startsWith('{') ? (asked[index] ?? part) : part))
      .join('/');
  const offered = operationNames.filter((name) => isOffered(name, manners));
  const routes = [
    ...offered.map((name) => `${operations[name].method} ${pathOf(name, prefix)}`),
    ...[...Object.values(mediaRoutes), openApiPath].map((route) => `GET ${route}`),
  ];
  const byText = new Map(routes.map((route) => [fill(route), route]));
  return byText.get(closest(short, [...byText.keys()])) ?? '';
}
