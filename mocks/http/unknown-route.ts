import type { Refusal } from '../../interface/cells.ts';
import { usualManners } from '../../interface/dialect.ts';
import type { Asked } from '../../interface/errors.ts';
import { isInterfaceOperation } from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { allowsOrigins } from '../../interface/silent.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { App, RequestContext } from './context.ts';
import { isOffered, nearestRoute } from './routes.ts';

/**
 * Refuses a request for its path, or for its method. Notes in its context which methods its path has.
 * @throws Problem 404; 501 for what Livepeer has beside the interface
 */
export function refuseRoute(app: App, context: RequestContext): never {
  const { request, url } = context;
  const allowed = methodsOfPath(app, context);
  context.allowed = allowed;
  const asked = `${request.method} ${url.pathname}`;
  const what = findNotServed(url.pathname, app.prefix);
  const { manners } = context.rules;
  // A service with a dialect answers there as at any path that it does not know.
  if (what !== undefined && allowed.length === 0 && manners === usualManners) {
    throw new Problem('not-served', {
      path: 'path',
      expected: 'an operation that the mock has',
      got: describeValue(asked),
      advice: `livestream-mock has no ${what}`,
    });
  }
  const { at, ...how } = whatIsWrong(app, context, allowed);
  context.asked = at;
  throw new Problem('unknown', {
    path: 'path',
    expected: `a known route such as ${nearestRoute(asked, app.prefix, manners)}`,
    got: describeValue(asked),
    ...how,
  });
}

/**
 * Refuses OPTIONS where a behaviour says so, of a path that is known or of one that is not; a preflight is
 * answered as its own behaviour says.
 * @throws Problem 404
 */
export function refuseOptions(app: App, context: RequestContext): void {
  const { 'http.options': options, 'cors.origins': origins } = context.rules.manners.rows;
  const { known, unknown } = options;
  const { headers } = context.request;
  const isPreflight = headers.has('origin') && headers.has('access-control-request-method');
  if (isPreflight && allowsOrigins(origins.preflights)) return;
  const isKnown = methodsOfPath(app, context).length > 0;
  if (typeof (isKnown ? known : unknown) === 'object') refuseRoute(app, context);
}

/** What is wrong with a method or path: an error of what is asked for, or what a behaviour refuses. */
interface WrongRoute {
  readonly at: Asked;
  readonly error?: string;
  readonly refusal?: Refusal | undefined;
}

function whatIsWrong(app: App, context: RequestContext, allowed: readonly string[]): WrongRoute {
  const { request, rules, wrongPath } = context;
  const { 'http.options': options, 'http.head': head } = rules.manners.rows;
  if (request.method === 'OPTIONS') {
    const value = allowed.length > 0 ? options.known : options.unknown;
    return { at: 'unknownRoute', refusal: refusalIn(value) };
  }
  if (request.method === 'HEAD' && allowed.includes('GET')) {
    return { at: 'unknownRoute', refusal: refusalIn(head) };
  }
  if (wrongPath !== undefined) return wrongPath;
  const { path } = app.router.readPath(request, rules.manners);
  const route = app.router.find(request.method, path)?.route;
  if (route?.kind === 'operation' && isInterfaceOperation(route.name)) {
    return { at: route.name, error: 'operation:given' };
  }
  if (allowed.length === 0) return { at: 'unknownRoute', error: 'path:unknown' };
  const isElsewhere = methodsElsewhere.has(request.method);
  return { at: 'retrieveStream', error: isElsewhere ? 'method:elsewhere' : 'method:other' };
}

/** The methods that the interface has at some path. */
const methodsElsewhere: ReadonlySet<string> = new Set(
  Object.values(interfaceOperations).map(({ method }) => method),
);

function refusalIn(value: string | Refusal): Refusal | undefined {
  return typeof value === 'object' ? value : undefined;
}

/** The methods that are offered at the path of a request. */
export function methodsOfPath({ router }: App, { request, rules }: RequestContext): string[] {
  const { manners } = rules;
  const { path } = router.readPath(request, manners);
  const found = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => {
    const route = router.find(method, path)?.route;
    return route !== undefined && (route.kind !== 'operation' || isOffered(route.name, manners));
  });
  const hasHead = found.includes('GET') && manners.rows['http.head'] === 'as-get';
  return hasHead ? ['HEAD', ...found] : found;
}

/** What Livepeer has and the mock has not, each with its paths below the prefix. */
export const notServed: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: 'assets', path: /^\/asset(\/|$)/ },
  { what: 'webhooks', path: /^\/webhook(\/|$)/ },
  { what: 'multistream targets', path: /\/(multistream\/|create-multistream-target$)/ },
  { what: 'access control', path: /^\/access-control\// },
  { what: 'viewership data', path: /^\/data\// },
  { what: 'clips', path: /^\/clip$|^\/(stream|session)\/[^/]+\/clips$/ },
  { what: 'pulled streams', path: /^\/stream\/[^/]+\/start-pull$/ },
  { what: 'rooms', path: /^\/room(\/|$)/ },
  { what: 'tasks', path: /^\/task(\/|$)/ },
  { what: 'transcoding of files', path: /^\/transcode$/ },
  // The SDK writes the prefix a second time.
  { what: 'generated media', path: /^(\/api)?\/generate\// },
];

/** What a path is about that the mock has not; `undefined` for any other path. */
function findNotServed(pathname: string, prefix: string): string | undefined {
  if (!pathname.startsWith(`${prefix}/`)) return undefined;
  const below = pathname.slice(prefix.length).replace(/\/$/, '');
  return notServed.find(({ path }) => path.test(below))?.what;
}
