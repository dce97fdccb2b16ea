import type { StaticRoute } from '../../interface/dialect/dialect.ts';
import { routeName } from '../../interface/dialect/statements.ts';
import { isSameJson } from '../../interface/json.ts';
import { jsonOf } from '../../target/requests/bounded-json.ts';
import { pathSegment } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { isSafeMethod, unknownPath } from '../../target/requests/well-known.ts';
import { noteUnknown } from '../../target/streams/creations.ts';
import { get } from '../../target/streams/stream-requests.ts';
import { readType } from '../headers.ts';
import { addedKeys, haveSameShape, keepsShape, sampleOf } from '../json-shapes.ts';
import { itemsIn } from '../response-items.ts';
import type { LearnOptions } from './probe-target.ts';
import { anyStream, newStream } from './probing/probed-streams.ts';
import {
  Inexpressible,
  type NamedProbe,
  need,
  type Probe,
  type ProbeContext,
  Unsteady,
} from './probing/prober.ts';
import type { RequestedRoute } from './routes-file.ts';

/** Paths that clients in this field read and that are not part of the interface. */
const clientPaths = [
  '/access-control/signing-key',
  '/api-token',
  '/asset',
  '/data/views/now',
  '/data/views/query',
  '/ingest',
  '/multistream/target',
  '/stream/{id}/clips',
  '/task',
  '/user/me',
  '/webhook',
] as const;

/** The probes of all requested routes; the result is `undefined` for one that the service does not have. */
export function requestedRoutes({ routes = [], allow = [] }: LearnOptions): NamedProbe[] {
  const ofClients = clientPaths.map((path): RequestedRoute => ({ method: 'GET', path }));
  const routesByName = new Map([...ofClients, ...routes].map((route) => [routeName(route), route]));
  // Reads come first, because writes may change what is read.
  const readsFirst = [...routesByName].toSorted(
    ([, left], [, right]) => Number(isSafeMethod(right.method)) - Number(isSafeMethod(left.method)),
  );
  return readsFirst.map(([name, route]) => ({ name, probe: probeRoute(route, allow) }));
}

function probeRoute(
  route: RequestedRoute,
  allow: readonly string[],
): Probe<StaticRoute | undefined> {
  const { method, sample } = route;
  return async (context) => {
    requireConsent(route, allow);
    const unknown = routeOfResponse(route, await context.send({ method, path: unknownPath }));
    const exists = (answer: StaticRoute): boolean =>
      answer.status !== 404 && !isSameJson(answer, unknown);
    if (isSafeMethod(method) && sample !== undefined) {
      const answer = await read(context, route, sample);
      if (exists(answer)) return refuseRedirect(answer);
    }
    const path = await fillIn(context, route);
    const answer = await (isSafeMethod(method) ? read : write)(context, route, path);
    return exists(answer) ? refuseRedirect(answer) : undefined;
  };
}

/** @throws Blocked for a request that writes, without the user's consent to it and to what it sends */
function requireConsent({ method, body }: RequestedRoute, allow: readonly string[]): void {
  if (isSafeMethod(method)) return;
  const writing = 'a request that writes: name';
  need(allow.includes(method), `${writing} its method in --allow if you consent to it`);
  need(body !== undefined, `${writing} it in --routes, with what it sends`);
}

/** @throws Inexpressible for a redirect, which no route of a dialect can be */
function refuseRedirect(route: StaticRoute): StaticRoute {
  if (route.status < 300 || route.status > 399) return route;
  throw new Inexpressible('a redirect or another 3xx status');
}

/** Asks for a route twice. @throws Unsteady if the responses differ */
async function read({ send }: ProbeContext, route: RequestedRoute, path: string) {
  const { method } = route;
  const first = routeOfResponse(route, await send({ method, path }));
  if (isSameRoute(first, routeOfResponse(route, await send({ method, path })))) return first;
  throw new Unsteady('two requests for the same route got different responses');
}

/** Sends a writing request once, and notes it. @throws Blocked if it might change something that this run did not create */
async function write(
  { target, send, creations }: ProbeContext,
  route: RequestedRoute,
  path: string,
): Promise<StaticRoute> {
  const { method } = route;
  const isAllowed = target.gate.allow({ method, url: target.baseUrl + path });
  need(isAllowed, 'a path that names nothing but what this run made');
  const body = JSON.stringify(route.body);
  noteUnknown(creations, `effects of ${method} ${path} ${body}, sent because of --allow`);
  return routeOfResponse(route, await send({ method, path, body }));
}

/**
 * The path of a route with an id in place of each `{id}`; to write to, only the id of a stream of this run.
 * @throws Blocked without such an id
 */
async function fillIn(context: ProbeContext, { method, path }: RequestedRoute): Promise<string> {
  let filled = '';
  for (const segment of path.split('/').slice(1)) {
    filled += `/${segment === '{id}' ? pathSegment(await findId(context, method, filled)) : segment}`;
  }
  return filled;
}

async function findId(context: ProbeContext, method: string, list: string): Promise<unknown> {
  if (!isSafeMethod(method)) {
    const isOwn = list === '/stream';
    need(isOwn, 'an id of something that this run made: only a path below /stream can have one');
    return (await newStream(context)).id;
  }
  if (list === '/stream') return (await context.ask(anyStream))['id'];
  const id = itemsIn(await context.send(get(list)))?.items[0]?.['id'];
  return need(id, 'an id that the service knows: name a path with one in --routes');
}

/** How many levels of a body a route shows. */
const bodyLevels = 6;

/** A response as a route, with a made-up body. */
function routeOfResponse({ method, path }: RequestedRoute, response: TargetResponse): StaticRoute {
  const { status, headers, text } = response;
  if (text === '') return { method, path, status };
  const json = jsonOf(response);
  const body = json === undefined ? { text: 'text' } : { json: sampleOf(json, bodyLevels) };
  return { method, path, status, type: readType(headers), ...body };
}

/** Whether two responses at a route are the same; only the shape of a body counts. */
export function isSameRoute(left: Partial<StaticRoute>, right: Partial<StaticRoute>): boolean {
  return isSameHead(left, right) && haveSameShape(bodyOf(left), bodyOf(right));
}

/** Whether a route still has the response that it had, and perhaps more keys in its body: an account gains some as it is used. */
export function keepsRoute(before: Partial<StaticRoute>, now: Partial<StaticRoute>): boolean {
  return isSameHead(before, now) && keepsShape(bodyOf(before), bodyOf(now));
}

/** The keys in the body of a route that it did not have before. */
export function keysAddedTo(before: Partial<StaticRoute>, now: Partial<StaticRoute>) {
  return addedKeys(bodyOf(before), bodyOf(now));
}

function bodyOf({ json, text }: Partial<StaticRoute>): unknown {
  return json ?? text;
}

/** Whether two responses at a route are the same but for their bodies. */
function isSameHead(left: Partial<StaticRoute>, right: Partial<StaticRoute>): boolean {
  const headOf = ({ json: _, text: __, ...head }: Partial<StaticRoute>): unknown => head;
  return isSameJson(headOf(left), headOf(right));
}
