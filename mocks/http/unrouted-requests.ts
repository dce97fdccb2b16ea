import { allowsOrigins, httpMethods } from '../../interface/dialect/behaviours.ts';
import type { Refusal } from '../../interface/dialect/cells.ts';
import type { StaticRoute } from '../../interface/dialect/dialect.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { jsonResponse, type PlainResponse, plainResponse } from '../messages/response.ts';
import { isControlRequest } from '../messages/tester-request.ts';
import { refuseOrigin, runChecks } from './checks.ts';
import type { RequestContext, WrongRoute } from './context.ts';
import { fitsPattern, hasRoute } from './routes.ts';

/** The dialect's static route at a path below the prefix. */
export function findStaticRoute(context: RequestContext): StaticRoute | undefined {
  const { request, dialect, path } = context;
  const { prefix } = context.app;
  const { routes } = dialect;
  if (routes.length === 0 || !path.startsWith(`${prefix}/`)) return undefined;
  const segments = path.slice(prefix.length).split('/');
  const isAsGet = request.method === 'HEAD' && dialect.behaviours['http.head'] === 'as-get';
  const methods = isAsGet ? ['HEAD', 'GET'] : [request.method];
  return routes.find(
    ({ method, path: pattern }) =>
      methods.includes(method) && fitsPattern(pattern.split('/'), segments),
  );
}

/** The response of a static route, after the key has been checked as at any other path. */
export async function staticResponse(
  context: RequestContext,
  { status, type, json, text }: StaticRoute,
): Promise<PlainResponse> {
  await runChecks(context.dialect.orders.unknownRoute, context);
  refuseOrigin(context);
  context.isStatic = true;
  const headers = type === undefined ? {} : { 'content-type': type };
  if (json !== undefined) return jsonResponse(status, json, headers);
  return plainResponse(status, text === undefined ? null : [text], headers);
}

/** The response to OPTIONS. A browser asks, without a key, what a page of another origin may send. */
export function optionsResponse(context: RequestContext): PlainResponse {
  refuseOrigin(context);
  const { 'http.options': options, 'http.allow': allow } = context.dialect.behaviours;
  const allowed = allowedByOptions(context);
  const option = allowed.length > 0 ? options.known : options.unknown;
  if (option === 'methods') {
    const list = (allowed.length > 0 ? allowed : httpMethods).join(', ');
    return plainResponse(200, [list], { allow: list, 'content-type': 'text/html; charset=utf-8' });
  }
  const headers = allow === 'absent' ? {} : { allow: allowed.join(', ') };
  return plainResponse(option === 'ok' ? 200 : 204, null, headers);
}

/** Refuses an unknown route, after the checks that the dialect makes before. */
export async function refuseUnknownRoute(context: RequestContext): Promise<never> {
  const order = context.dialect.orders.unknownRoute;
  await runChecks(order.slice(0, order.indexOf('route')), context);
  return refuseRoute(context);
}

/**
 * Refuses a request for its path, or for its method. Notes in its context which methods its path has.
 * @throws Problem 404, or as the dialect refuses
 */
function refuseRoute(context: RequestContext): never {
  const { app, request, url, dialect } = context;
  const allowed = methodsOfPath(context);
  const method = methodsElsewhere.has(request.method) ? 'method:elsewhere' : 'method:other';
  const unknown: WrongRoute =
    allowed.length > 0
      ? { endpoint: 'retrieveStream', error: method }
      : { endpoint: 'unknownRoute', error: 'path:unknown' };
  const { endpoint, error } = context.wrongRoute ?? unknown;
  context.allowed = allowed;
  context.endpoint = endpoint;
  const refusal = refusalOfMethod(request.method, allowed, dialect);
  const where = isControlRequest(request)
    ? ' of the control API'
    : `, as /openapi.json lists them below ${app.prefix}/`;
  throw new Problem('unknown', {
    path: 'path',
    expected: `a known route${where}`,
    got: describeValue(`${request.method} ${url.pathname}`),
    ...(refusal === undefined ? { error } : { refusal }),
  });
}

/** The methods that the interface has at some path. */
const methodsElsewhere: ReadonlySet<string> = new Set(
  Object.values(interfaceOperations).map(({ method }) => method),
);

/**
 * The methods that the response to OPTIONS names. Preflights have a behaviour of their own.
 * @throws Problem if the dialect refuses OPTIONS.
 */
function allowedByOptions(context: RequestContext): string[] {
  const { dialect, request } = context;
  const { headers } = request;
  const allowed = methodsOfPath(context);
  const isPreflight = headers.has('origin') && headers.has('access-control-request-method');
  if (isPreflight && allowsOrigins(dialect.behaviours['cors.origins'].preflights)) return allowed;
  if (refusalOfMethod('OPTIONS', allowed, dialect) !== undefined) refuseRoute(context);
  return allowed;
}

/** How a dialect refuses OPTIONS or HEAD at a path with some methods; `undefined` if it does not. */
function refusalOfMethod(
  method: string,
  allowed: readonly string[],
  { behaviours }: ResolvedDialect,
): Refusal | undefined {
  const { 'http.options': options, 'http.head': head } = behaviours;
  const option = allowed.length > 0 ? options.known : options.unknown;
  if (method === 'OPTIONS' && typeof option === 'object') return option;
  return method === 'HEAD' && allowed.includes('GET') && head !== 'as-get' ? head : undefined;
}

/** The methods that are offered at the path of a request. */
function methodsOfPath({ app, dialect, path }: RequestContext): string[] {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => {
    const route = app.router.find(method, path);
    return route !== undefined && hasRoute(route.name, dialect);
  });
  const hasHead = methods.includes('GET') && dialect.behaviours['http.head'] === 'as-get';
  return hasHead ? ['HEAD', ...methods] : methods;
}
