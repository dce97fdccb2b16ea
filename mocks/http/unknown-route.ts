import type { Refusal } from '../../interface/cells.ts';
import type { Manners } from '../../interface/dialect.ts';
import { allowsOrigins } from '../../interface/silent.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { App, RequestContext, WrongRoute } from './context.ts';
import { isOffered } from './routes.ts';

/**
 * Refuses a request for its path, or for its method. Notes in its context which methods its path has.
 * @throws Problem 404, or as the dialect refuses
 */
export function refuseRoute(app: App, context: RequestContext): never {
  const { request, url, manners } = context;
  const allowed = methodsOfPath(app, context);
  const unknown: WrongRoute =
    allowed.length > 0
      ? { at: 'retrieveStream', error: 'method:other' }
      : { at: 'unknownRoute', error: 'path:unknown' };
  const { at, error } = context.wrongRoute ?? unknown;
  context.allowed = allowed;
  context.asked = at;
  const refusal = refusalByRow(request.method, allowed, manners);
  const asked = `${request.method} ${url.pathname}`;
  throw new Problem('unknown', {
    path: 'path',
    expected: `a known route such as ${app.router.nearest(asked, manners)}`,
    got: describeValue(asked),
    ...(refusal === undefined ? { error } : { refusal }),
  });
}

/**
 * Refuses OPTIONS where a behaviour says so; a preflight is answered as its own behaviour says.
 * @throws Problem as the dialect refuses
 */
export function refuseOptions(app: App, context: RequestContext): void {
  const { manners, request } = context;
  const { headers } = request;
  const isPreflight = headers.has('origin') && headers.has('access-control-request-method');
  if (isPreflight && allowsOrigins(manners.rows['cors.origins'].preflights)) return;
  const allowed = methodsOfPath(app, context);
  if (refusalByRow('OPTIONS', allowed, manners) !== undefined) refuseRoute(app, context);
}

/** How a behaviour refuses OPTIONS or HEAD at a path with some methods; `undefined` where it does not. */
function refusalByRow(
  method: string,
  allowed: readonly string[],
  { rows }: Manners,
): Refusal | undefined {
  const { 'http.options': options, 'http.head': head } = rows;
  const option = allowed.length > 0 ? options.known : options.unknown;
  if (method === 'OPTIONS' && typeof option === 'object') return option;
  return method === 'HEAD' && allowed.includes('GET') && head !== 'as-get' ? head : undefined;
}

/** The methods that are offered at the path of a request. */
export function methodsOfPath({ router }: App, { manners, path }: RequestContext): string[] {
  const found = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => {
    const route = router.find(method, path);
    return route !== undefined && isOffered(route.name, manners);
  });
  const hasHead = found.includes('GET') && manners.rows['http.head'] === 'as-get';
  return hasHead ? ['HEAD', ...found] : found;
}
