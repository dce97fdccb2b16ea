import { distance } from 'fastest-levenshtein';
import type { Router as HonoRouter, Result } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { getPathNoStrict } from 'hono/utils/url';
import { type Manners, usualManners } from '../../interface/dialect.ts';
import {
  interfaceOperationNames,
  type MediaRouteName,
  mediaRouteNames,
} from '../../interface/operation-names.ts';
import {
  isOffered,
  mediaRoutes,
  type OperationName,
  openApiPath,
  operationNames,
  operations,
  pathOf,
} from './routes.ts';

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
interface ReadPath {
  readonly path: string;
  /** The ids of errors, which are told under a dialect alone. */
  readonly errors: readonly string[];
}

/** Finds routes. A path is as {@link Router.readPath} returns it. */
export interface Router {
  /** The path of a request as its route is spelled, and what is wrong with how the request spells it. */
  readPath(request: Request, manners: Manners): ReadPath;
  /** The route of a method and path; `undefined` when there is none. */
  find(method: string, path: string): Match | undefined;
}

/**
 * Methods that the router may see. It looks up the method in a plain object and writes to what it
 * finds, so `__proto__` would change every object of the process.
 */
export const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Makes the router of a mock. HEAD finds the route of GET. Media routes have a router of their own:
 * their paths overlap, which only the slower router that walks a tree can match, while all others
 * become one regular expression.
 */
export function createRouter(prefix: string): Router {
  const others = createTable();
  for (const name of operationNames) {
    addRoute(others, operations[name].method, pathOf(name, prefix), { kind: 'operation', name });
  }
  addRoute(others, 'GET', openApiPath, { kind: 'openapi' });
  const media = createTable();
  for (const name of mediaRouteNames) {
    addRoute(media, 'GET', mediaRoutes[name], { kind: 'media', name });
  }
  const words = wordsOfPaths(prefix);
  return {
    readPath(request, manners) {
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
    find(asked, path) {
      const method = asked === 'HEAD' ? 'GET' : asked;
      if (!methods.has(method)) return undefined;
      return readMatch(others.match(method, path)) ?? readMatch(media.match(method, path));
    },
  };
}

/** How a path is spelled as its route is, by what is wrong with it otherwise. */
const spellings: Readonly<
  Record<string, (path: string, words: ReadonlyMap<string, string>) => string>
> = {
  'path:doubled-slash': (path) => path.replace(/\/{2,}/g, '/'),
  'path:trailing-slash': (path) => path.replace(/(?<=.)\/$/, ''),
  'path:encoded-letter': (path) =>
    path.replace(/%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi, decodeURIComponent),
  'path:letter-case': spellWords,
};

/** The fixed parts of the interface's paths, by their small letters. */
function wordsOfPaths(prefix: string): ReadonlyMap<string, string> {
  const words = interfaceOperationNames.flatMap((name) => pathOf(name, prefix).split('/'));
  return new Map(words.map((word) => [word.toLowerCase(), word]));
}

function spellWords(path: string, words: ReadonlyMap<string, string>): string {
  return path
    .split('/')
    .map((part) => words.get(part.toLowerCase()) ?? part)
    .join('/');
}

function createTable(): HonoRouter<Route> {
  return new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] });
}

function addRoute(table: HonoRouter<Route>, method: string, path: string, route: Route): void {
  table.add(method, path.replace(/\{(\w+)\}/g, ':$1'), route);
}

function readMatch([matches, stash]: Result<Route>): Match | undefined {
  const [first] = matches;
  if (first === undefined) return undefined;
  const [route, places] = first;
  const parameters: Record<string, string> = {};
  for (const name in places) {
    const place = places[name];
    const text = typeof place === 'number' ? stash?.[place] : place;
    parameters[name] = text?.includes('%') ? decode(text) : (text ?? '');
  }
  return { route, parameters };
}

function decode(text: string): string {
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
  const distanceTo = (route: string): number => {
    const filled = route
      .split('/')
      .map((part, index) => (part.startsWith('{') ? (asked[index] ?? part) : part))
      .join('/');
    return distance(short, filled);
  };
  const routes = [
    ...operationNames
      .filter((name) => isOffered(name, manners))
      .map((name) => `${operations[name].method} ${pathOf(name, prefix)}`),
    ...[...Object.values(mediaRoutes), openApiPath].map((route) => `GET ${route}`),
  ];
  const distances = routes.map(distanceTo);
  return routes[distances.indexOf(Math.min(...distances))] ?? '';
}
