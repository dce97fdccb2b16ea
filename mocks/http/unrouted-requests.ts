import {
  allowsOrigins,
  httpMethods,
  preflightAsOptions,
} from '../../interface/dialect/behaviours.ts';
import { isRefusal, type Refusal } from '../../interface/dialect/cells.ts';
import { isAtOrigin, pathFromOrigin, type StaticRoute } from '../../interface/dialect/dialect.ts';
import type { Endpoint, ErrorClass, ErrorIdOf } from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isInterfaceOperation } from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { type PlainResponse, plainResponse } from '../messages/response.ts';
import { type Arrival, noteBody, noteWorld } from './arrival.ts';
import { openingStage, openWorld, refuseOrigin } from './enter.ts';
import { readBody } from './read-body.ts';
import { fixedResponse } from './responses/fixed-response.ts';
import { fitsPattern } from './routes.ts';

/** Why a method and path lead to no operation: an error, and the endpoint that has it. */
export interface WrongRoute {
  readonly endpoint: Endpoint;
  readonly error: ErrorIdOf<'path' | 'method' | 'operation'>;
}

/** The dialect's static route at a path from the origin. */
export function findStaticRoute(arrival: Arrival): StaticRoute | undefined {
  const { app, request, dialect, path } = arrival;
  const { routes } = dialect;
  if (routes.length === 0) return undefined;
  const isAsGet = request.method === 'HEAD' && dialect.behaviours['http.head'] === 'as-get';
  const methods = isAsGet ? ['HEAD', 'GET'] : [request.method];
  const segments = path.split('/');
  return routes.find(
    (route) => methods.includes(route.method) && isRouteOf(segments, route, app.prefix),
  );
}

/** Whether a dialect has a static route at a path from the origin that is not below the prefix. */
export function hasRouteAtOrigin({ routes }: ResolvedDialect, path: string): boolean {
  const segments = path.split('/');
  return routes.some((route) => isAtOrigin(route) && isRouteOf(segments, route, ''));
}

function isRouteOf(segments: readonly string[], route: StaticRoute, prefix: string): boolean {
  return fitsPattern(pathFromOrigin(route, prefix).split('/'), segments);
}

/**
 * The response of a static route: below the base URL, after the key has been checked as at any other path. Elsewhere at
 * its origin, `learn` sends no key.
 */
export async function staticResponse(arrival: Arrival, route: StaticRoute): Promise<PlainResponse> {
  if (!isAtOrigin(route)) {
    await checkUnrouted(arrival, arrival.dialect.orders.unknownRoute);
    refuseOrigin(arrival);
  }
  arrival.notes.isStatic = true;
  return fixedResponse(route);
}

/** Checks the key and the body of a request at a path that leads to no operation. */
async function checkUnrouted(arrival: Arrival, order: readonly ErrorClass[]): Promise<void> {
  const { request, plans, notes } = arrival;
  const plan = plans.unknownRoute;
  const opening = openingStage(arrival);
  for (const check of order) {
    if (check === opening) noteWorld(notes, await openWorld(arrival, plan));
    if (check === 'body') await readBody(request, plan, (bytes) => noteBody(notes, bytes));
  }
}

/** The response to OPTIONS. A browser asks, without a key, what a page of another origin may send. */
export function optionsResponse(arrival: Arrival): PlainResponse {
  refuseOrigin(arrival);
  const { 'http.options': options, 'http.allow': allow } = arrival.dialect.behaviours;
  const { 'http.preflight': preflight } = arrival.dialect.behaviours;
  const allowed = allowedByOptions(arrival);
  const ofPath = allowed.length > 0 ? options.known : options.unknown;
  const ofPreflight = preflight === 'as-options' ? preflightAsOptions(ofPath) : preflight;
  const option = isAllowedPreflight(arrival) ? ofPreflight : ofPath;
  if (option === 'methods') {
    const list = (allowed.length > 0 ? allowed : httpMethods).join(', ');
    return plainResponse(200, [list], { allow: list, 'content-type': 'text/html; charset=utf-8' });
  }
  const headers = allow === 'absent' ? {} : { allow: allowed.join(', ') };
  return plainResponse(option === 'ok' ? 200 : 204, null, headers);
}

/** Responds to a request whose path leads nowhere, after the checks that the dialect makes before. */
export async function respondToUnknownRoute(
  arrival: Arrival,
  wrongRoute?: WrongRoute,
): Promise<PlainResponse> {
  const order = arrival.dialect.orders.unknownRoute;
  await checkUnrouted(arrival, order.slice(0, order.indexOf('route')));
  return routeResponse(arrival, wrongRoute);
}

/**
 * Redirects a request to the right spelling of its path, or refuses it for its path or its method.
 * @throws Problem 404, or as the dialect refuses
 */
function routeResponse(arrival: Arrival, wrongRoute?: WrongRoute): PlainResponse {
  const { app, request, url, dialect, isForControl, path } = arrival;
  const allowed = methodsOfPath(arrival);
  const { endpoint, error } = wrongRoute ?? unknownRouteOf(request, allowed);
  const cell = dialect.cells[endpoint][error];
  const refusal = refusalOfMethod(request.method, allowed, dialect);
  if (refusal === undefined && 'redirect' in cell) {
    return plainResponse(cell.redirect, null, { location: `${path}${url.search}` });
  }
  const where = isForControl
    ? ' of the control API'
    : `, as /openapi.json lists them below ${app.prefix}/`;
  const isAllowShown = allowed.length > 0 && dialect.behaviours['http.allow'] === 'present';
  const problem = new Problem('unknown', {
    path: 'path',
    expected: `a known route${where}`,
    got: describeValue(`${request.method} ${url.pathname}`),
    ...(isAllowShown && { headers: { allow: allowed.join(', ') } }),
  });
  const decided = refusal ?? (isRefusal(cell) ? cell : undefined);
  throw problem.refusedAs(decided);
}

/** What is wrong with a path that has some methods, but not that of the request. */
function unknownRouteOf({ method }: Request, allowed: readonly string[]): WrongRoute {
  if (allowed.length === 0) return { endpoint: 'unknownRoute', error: 'path:unknown' };
  const error = methodsElsewhere.has(method) ? 'method:elsewhere' : 'method:other';
  return { endpoint: 'retrieveStream', error };
}

/** The methods that the interface has at some path. */
const methodsElsewhere: ReadonlySet<string> = new Set(
  Object.values(interfaceOperations).map(({ method }) => method),
);

/**
 * The methods that the response to OPTIONS names. Preflights have a behaviour of their own.
 * @throws Problem if the dialect refuses OPTIONS.
 */
function allowedByOptions(arrival: Arrival): string[] {
  const { dialect } = arrival;
  const allowed = methodsOfPath(arrival);
  if (isAllowedPreflight(arrival)) return allowed;
  if (refusalOfMethod('OPTIONS', allowed, dialect) !== undefined) routeResponse(arrival);
  return allowed;
}

/** Whether a browser asks what a page may send, and the dialect lets pages of other origins send requests. */
function isAllowedPreflight({ request: { headers }, dialect }: Arrival): boolean {
  const isPreflight = headers.has('origin') && headers.has('access-control-request-method');
  return isPreflight && allowsOrigins(dialect.behaviours['cors.origins'].preflights);
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
function methodsOfPath({ app, dialect, plans, path }: Arrival): string[] {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => {
    const route = app.router.find(method, path);
    if (route === undefined) return false;
    return !isInterfaceOperation(route.name) || plans[route.name].isOffered;
  });
  const hasHead = methods.includes('GET') && dialect.behaviours['http.head'] === 'as-get';
  return hasHead ? ['HEAD', ...methods] : methods;
}
