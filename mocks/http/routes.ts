import type { ErrorIdOf } from '../../interface/dialect/errors.ts';
import {
  type InterfaceOperationName,
  interfaceOperationNames,
  isClientOperation,
  type MediaRouteName,
  mediaRouteNames,
} from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { controlPath } from '../messages/tester-request.ts';
import { type ControlOperationName, controlOperations } from './control/operations.ts';

/** Every operation that takes an API key. */
export const operations: typeof interfaceOperations & typeof controlOperations = {
  ...interfaceOperations,
  ...controlOperations,
};

/** Name of an operation of the interface or of the control API. */
export type OperationName = InterfaceOperationName | ControlOperationName;

export const operationNames: readonly OperationName[] = Object.keys(operations) as OperationName[];

/** The path of the OpenAPI document, from the origin. */
export const openApiPath = '/openapi.json';

/** The paths of media, from the origin. Media needs no API key, because players send none. */
const mediaRoutes: Readonly<Record<MediaRouteName, string>> = {
  livePlaylist: '/hls/{playbackId}/index.m3u8',
  liveRendition: '/hls/{playbackId}/{rendition}/index.m3u8',
  liveSegment: '/hls/{playbackId}/{rendition}/{sessionId}/{file}',
  recordingPlaylist: '/recordings/{sessionId}/index.m3u8',
  recordingMp4: '/recordings/{sessionId}/source.mp4',
  recordingRendition: '/recordings/{sessionId}/{rendition}/index.m3u8',
  recordingSegment: '/recordings/{sessionId}/{rendition}/{file}',
};

/** The path of an operation, from the origin, with its parameters in braces. */
export function pathOf(name: OperationName, prefix: string): string {
  return (isClientOperation(name) ? prefix : controlPath) + operations[name].path;
}

/** The name of any route. */
export type RouteName = OperationName | MediaRouteName | 'openApi';

export function isMediaRoute(name: RouteName): name is MediaRouteName {
  return name in mediaRoutes;
}

/** Whether a path belongs to the interface, in any letter case. */
export function isInterfacePath(pathname: string, prefix: string): boolean {
  return (
    !isOwnPath(pathname) && `${pathname.toLowerCase()}/`.startsWith(`${prefix.toLowerCase()}/`)
  );
}

/** Whether a path is one of the mock itself: of the control API, the media or the OpenAPI document. */
export function isOwnPath(pathname: string): boolean {
  const [, first = ''] = pathname.split('/', 2);
  return ownPaths.has(first);
}

/** The path, from the origin, at which a server lets browsers go live. A stream key follows. */
export const whipPath = '/webrtc';

/** The first parts of the paths of the control API, the media and the OpenAPI document. */
export const ownPaths: ReadonlySet<string> = new Set(
  [controlPath, openApiPath, ...Object.values(mediaRoutes)].map((path) => path.split('/')[1] ?? ''),
);

/** Finds the route of a request. */
export type Router = ReturnType<typeof createRouter>;

export function createRouter(prefix: string) {
  const routes = routesBelow(prefix);
  const words = wordsOfPaths(prefix);
  return {
    /** A path in the spelling of its route, and the errors in its own spelling, which a dialect may accept. */
    readPath(pathname: string): {
      readonly path: string;
      readonly misspelled: readonly ErrorIdOf<'path'>[];
    } {
      const misspelled: ErrorIdOf<'path'>[] = [];
      let path = pathname;
      for (const [error, spell] of misspellings) {
        const spelled = spell(path, { prefix, words });
        if (spelled !== path) misspelled.push(error);
        path = spelled;
      }
      return { path, misspelled };
    },
    /** The route of a method and a path, if there is one. HEAD has the routes of GET. */
    find(requested: string, path: string) {
      const routedMethod = requested === 'HEAD' ? 'GET' : requested;
      const segments = path.split('/');
      const candidates = routes.get(`${routedMethod} ${segments.length}`);
      const route = candidates?.find(({ pattern }) => fitsPattern(pattern, segments));
      if (route === undefined) return undefined;
      const parameters: Record<string, string> = {};
      for (const { name, index } of route.parameters) {
        parameters[name] = decode(segments[index] ?? '');
      }
      return { name: route.name, parameters };
    },
  };
}

interface Route {
  readonly name: RouteName;
  readonly pattern: readonly string[];
  /** The names of the parameters in its path, and the segments where they are. */
  readonly parameters: readonly { readonly name: string; readonly index: number }[];
}

/** Every route, by its method and the number of its segments. */
function routesBelow(prefix: string): ReadonlyMap<string, readonly Route[]> {
  const routes = new Map<string, Route[]>();
  const add = (method: string, path: string, name: RouteName): void => {
    const pattern = path.split('/');
    const parameters = pattern.flatMap((word, index) =>
      word.startsWith('{') ? [{ name: word.slice(1, -1), index }] : [],
    );
    const key = `${method} ${pattern.length}`;
    routes.set(key, [...(routes.get(key) ?? []), { name, pattern, parameters }]);
  };
  for (const name of operationNames) add(operations[name].method, pathOf(name, prefix), name);
  add('GET', openApiPath, 'openApi');
  for (const name of mediaRouteNames) add('GET', mediaRoutes[name], name);
  return routes;
}

/** Whether a path matches a pattern, in which a word in braces stands for any segment. */
export function fitsPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  const fits = (word: string, segment = ''): boolean =>
    word === segment || (word[0] === '{' && segment !== '');
  return (
    pattern.length === segments.length &&
    pattern.every((word, index) => fits(word, segments[index]))
  );
}

/** Corrections of a misspelled path, by its error. */
const corrections = {
  'path:doubled-slash': (path, { prefix }) => {
    const start = path.toLowerCase().startsWith(`${prefix.toLowerCase()}//`) ? prefix.length : 0;
    return path.slice(0, start) + path.slice(start).replace(/^\/{2,}/, '/');
  },
  'path:doubled-slash:inside': (path) => path.replace(/\/{2,}/g, '/'),
  'path:trailing-slash': (path) => path.replace(/(?<=.)\/$/, ''),
  // An id may have encoded letters.
  'path:encoded-letter': (path, { words }) =>
    path.replace(/[^/]+/g, (segment) => {
      const decoded = decodeWord(segment);
      return words.has(decoded.toLowerCase()) ? decoded : segment;
    }),
  'path:letter-case': (path, { words }) =>
    path.replace(/[^/]+/g, (segment) => words.get(segment.toLowerCase()) ?? segment),
} as const satisfies Readonly<Partial<Record<ErrorIdOf<'path'>, Correction>>>;

/** What is known of the right spelling. */
interface Spelling {
  /** What comes before the path of an operation. */
  readonly prefix: string;
  /** The fixed segments of the interface's paths, by their form in lower case. */
  readonly words: ReadonlyMap<string, string>;
}

type Correction = (path: string, spelling: Spelling) => string;

const misspellings = Object.entries(corrections) as [keyof typeof corrections, Correction][];

/** The fixed segments of the interface's paths, by their form in lower case. */
function wordsOfPaths(prefix: string): ReadonlyMap<string, string> {
  const words = interfaceOperationNames.flatMap((name) => pathOf(name, prefix).split('/'));
  const fixed = words.filter((word) => !word.startsWith('{'));
  return new Map(fixed.map((word) => [word.toLowerCase(), word]));
}

/** Decodes what may be in a word of a path, none of it by an exception: a path may have thousands of segments. */
function decodeWord(segment: string): string {
  return segment.replace(/%[2-7][\da-f]/gi, (encoded) =>
    String.fromCharCode(Number.parseInt(encoded.slice(1), 16)),
  );
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
