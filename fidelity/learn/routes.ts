import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked } from '../../conformance/target/failure.ts';
import { isReading, unknownPath } from '../../conformance/target/gate.ts';
import { get } from '../../conformance/target/operations.ts';
import { pathSegment } from '../../conformance/target/target.ts';
import { isSameJson } from '../../interface/json.ts';
import type { StaticRoute } from '../../interface/routes.ts';
import { readType } from '../form.ts';
import { haveSameShape, sampleOf } from '../sample.ts';
import type { LearnOptions } from './ask-target.ts';
import { type Asking, type Question, Unsayable, Unsteady } from './asking/asking.ts';
import { anyStream, bodyOf, newStream, recordsIn } from './asking/streams.ts';
import type { AskedRoute } from './routes-file.ts';

/** Paths that clients of this field read, beside the interface. */
const clientPaths = [
  '/access-control/signing-key',
  '/asset',
  '/data/usage/query',
  '/data/views/now',
  '/data/views/query',
  '/data/views/query/creator',
  '/multistream/target',
  '/stream/{id}/clips',
  '/task',
  '/user/me',
  '/webhook',
] as const;

/** Methods in the order in which they are asked: what a run makes is read, changed, and deleted in the end. */
const turns = ['POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const;

/** The name under which a route is observed. */
export function routeName({ method, path }: Pick<StaticRoute, 'method' | 'path'>): string {
  return `routes.${method} ${path}`;
}

/** What finds the routes out, one after the other: `undefined` is one that the service does not have. */
export function askedRoutes({ routes = [], allow = [] }: LearnOptions) {
  const ofClients = clientPaths.map((path): AskedRoute => ({ method: 'GET', path }));
  const byName = new Map([...ofClients, ...routes].map((route) => [routeName(route), route]));
  const made = new Map<string, unknown>();
  return [...byName]
    .toSorted(([, one], [, other]) => turns.indexOf(one.method) - turns.indexOf(other.method))
    .map(([name, route]) => ({ name, family: 'routes', question: probe(route, allow, made) }));
}

/** @param made ids of what this run made, by the paths below which it lies */
function probe(
  route: AskedRoute,
  allow: readonly string[],
  made: Map<string, unknown>,
): Question<StaticRoute | undefined> {
  const { method, path, sample } = route;
  const ask = isReading(method) ? read : write;
  return async (asking) => {
    if (!isReading(method) && !allow.includes(method)) {
      throw new Blocked('a request that writes: name its method in --allow if you consent to it');
    }
    if (!isReading(method) && route.body === undefined) {
      throw new Blocked('a request that writes: name it in --routes, with what it sends');
    }
    const unknown = toRoute(route, await asking.send({ method, path: unknownPath }));
    const isThere = (found: StaticRoute): boolean =>
      ![404, 501].includes(found.status) && !isSameJson(found, unknown);
    if (isReading(method) && sample !== undefined) {
      const found = await read(asking, route, sample);
      if (isThere(found)) return requireSayable(found);
    }
    const found = await ask(asking, route, await fill(asking, method, path, made), made);
    return isThere(found) ? requireSayable(found) : undefined;
  };
}

/** Characters of a route: each is in a file that people review. */
const longestRoute = 10_000;

/** @throws Unsayable for what no dialect can say */
function requireSayable(route: StaticRoute): StaticRoute {
  if (route.status < 400 && route.status >= 300) throw new Unsayable('a redirect or the like');
  if (JSON.stringify(route).length <= longestRoute) return route;
  throw new Unsayable(`a body of more than ${longestRoute} characters`);
}

/** Asks for a route twice. @throws Unsteady where the responses differ */
async function read({ send }: Asking, route: AskedRoute, path: string): Promise<StaticRoute> {
  const { method } = route;
  const first = toRoute(route, await send({ method, path }));
  if (isSameRoute(first, toRoute(route, await send({ method, path })))) return first;
  throw new Unsteady('two responses that are not alike');
}

/** Sends a request that writes, once, and lists it. @throws Blocked where it may change what is not of this run */
async function write(
  { target, send, creations }: Asking,
  route: AskedRoute,
  path: string,
  made: Map<string, unknown>,
): Promise<StaticRoute> {
  const { method, body } = route;
  if (!target.gate.allow({ method, url: target.baseUrl + path })) {
    throw new Blocked('a path at which nothing is changed but what this run made');
  }
  const sent = JSON.stringify(body);
  const before = method === 'POST' ? recordsIn(await send(get(path))) : undefined;
  creations.unknown.add(`what ${method} ${path} ${sent} did, which --allow let learn send`);
  const response = await send({ method, path, body: sent });
  if (before?.isList && isNew(response, before.records)) made.set(path, idIn(response));
  return toRoute(route, response);
}

/** Whether a response shows one new record: a service may also show one that was there, or a list. */
function isNew(response: TargetResponse, before: readonly JsonObject[]): boolean {
  const id = idIn(response);
  const isOne = response.status === 201 && recordsIn(response)?.isList === false;
  return isOne && id !== undefined && !before.some((record) => record['id'] === id);
}

/** A path with an id in place of each `{id}`. @throws Blocked where none is known */
async function fill(
  asking: Asking,
  method: string,
  path: string,
  made: ReadonlyMap<string, unknown>,
): Promise<string> {
  const findId = async (list: string): Promise<unknown> => {
    if (list === '/stream') {
      return (isReading(method) ? await asking.ask(anyStream) : await newStream(asking))['id'];
    }
    if (made.has(list) || !isReading(method)) return made.get(list);
    return idIn(await asking.send(get(list)));
  };
  let filled = '';
  for (const part of path.split('/').slice(1)) {
    const id = part === '{id}' ? await findId(filled) : part;
    if (id === undefined) {
      throw new Blocked(
        isReading(method)
          ? 'an id that the service knows: name a path with one in --routes'
          : 'an id of what this run made: name the POST that makes it in --routes, and add --allow POST',
      );
    }
    filled += `/${part === '{id}' ? pathSegment(id) : part}`;
  }
  return filled;
}

/** The id of the first record in a response. */
function idIn(response: TargetResponse): unknown {
  return recordsIn(response)?.records[0]?.['id'];
}

/** Levels of a body that a route shows. */
const bodyLevels = 6;

/** What a response says as a route, with a body that is made up. */
function toRoute({ method, path }: AskedRoute, response: TargetResponse): StaticRoute {
  const { status, headers, text } = response;
  if (text === '') return { method, path, status };
  const json = bodyOf(response);
  const body =
    json === undefined ? { text: 'text' } : { json: sampleOf(json, { levels: bodyLevels }) };
  return { method, path, status, type: readType(headers), ...body };
}

/** Whether two responses at a route are alike: of a body, edited or not, only the shape counts. */
export function isSameRoute(one: Partial<StaticRoute>, other: Partial<StaticRoute>): boolean {
  const { json, text, ...rest } = one;
  const { json: otherJson, text: otherText, ...otherRest } = other;
  return isSameJson(rest, otherRest) && haveSameShape(json ?? text, otherJson ?? otherText);
}
