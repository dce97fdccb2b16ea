import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { getPathNoStrict } from 'hono/utils/url';
import type { MediaRouteName } from '../../interface/operation-names.ts';
import { mediaRoutes } from './media.ts';
import { type OperationName, operations, pathOf } from './operations.ts';

/** Where the OpenAPI document lies. */
export const openApiPath = '/openapi.json';

/** What lies at an address. */
type Route =
  | { readonly kind: 'operation'; readonly name: OperationName }
  | { readonly kind: 'media'; readonly name: MediaRouteName }
  | { readonly kind: 'openapi' };

/** A route, and what stands in its place of parameters. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds what a request asks for. */
export type FindRoute = (request: Request) => Match | undefined;

/**
 * Methods that the router may see. It looks a method up in a plain object, and writes to what it
 * finds there, so that `__proto__` would change every object of the process.
 */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Makes the table of all routes. HEAD finds what GET does, and a slash at the end is passed over.
 * Media have a table of their own: parts of their paths are open, which takes the router that walks a
 * tree, while all others go into a single expression.
 */
export function createRouter(prefix: string): FindRoute {
  const others = createTable();
  for (const name of Object.keys(operations) as OperationName[]) {
    const { method } = operations[name];
    addRoute(others, method, pathOf(operations[name], prefix), { kind: 'operation', name });
  }
  addRoute(others, 'GET', openApiPath, { kind: 'openapi' });
  const media = createTable();
  for (const [name, path] of Object.entries(mediaRoutes) as [MediaRouteName, string][]) {
    addRoute(media, 'GET', path, { kind: 'media', name });
  }
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!methods.has(method)) return undefined;
    const path = getPathNoStrict(request);
    return readMatch(others.match(method, path)) ?? readMatch(media.match(method, path));
  };
}

function createTable(): Router<Route> {
  return new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] });
}

function addRoute(table: Router<Route>, method: string, path: string, route: Route): void {
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
