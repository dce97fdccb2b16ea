import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { Blocked } from '../../conformance/target/failure.ts';
import { isReading, unknownId, unknownPath } from '../../conformance/target/gate.ts';
import { get } from '../../conformance/target/operations.ts';
import { type Call, pathSegment } from '../../conformance/target/target.ts';
import { type StaticRoute, usualManners } from '../../interface/dialect.ts';
import { canonicalJson, type Json } from '../../interface/json.ts';
import { httpMethods } from '../../interface/silent.ts';
import { isPlainKey, readType } from '../form.ts';
import { isObject } from '../json.ts';
import type { Asker, Asking, Observation, Question } from './asking/asking.ts';
import { Unsayable, Unsteady } from './asking/asking.ts';
import { newSession, readySession } from './asking/sessions.ts';
import { anyStream, newStream, recordsIn } from './asking/streams.ts';
import { type AskedRoute, isId } from './routes-file.ts';

/** Paths that clients of this field read, beside the interface. */
const clientPaths = [
  '/access-control/signing-key',
  '/asset',
  '/data/usage/query',
  '/data/views/now',
  '/data/views/query',
  '/data/views/query/creator',
  '/multistream/target',
  '/session/{id}/clips',
  '/stream/{id}/clips',
  '/task',
  '/user/me',
  '/webhook',
] as const;

/** Which routes are asked for, beside those that clients of this field read. */
export interface RoutesToAsk {
  routes?: readonly AskedRoute[];
  /** Methods that write with which routes are asked for: the user's consent. */
  allow?: readonly string[];
}

/** What is known while routes are asked for. */
interface Run {
  readonly allow: readonly string[];
  /** The content type of JSON other than refusals, which routes need not tell. */
  readonly jsonType: string;
  /** Ids that the service gave to what this run made, by the paths below which these lie. */
  readonly made: Map<string, string>;
  /** What was sent that writes, in lines. */
  readonly sent: string[];
}

/** The name under which a route is observed. */
export function routeName({ method, path }: Pick<StaticRoute, 'method' | 'path'>): string {
  return `routes.${method} ${path}`;
}

/** The routes that are asked for. What makes something comes first, so that lists show it in each run. */
export function routesToAsk({ routes = [] }: RoutesToAsk): AskedRoute[] {
  const all = [...clientPaths.map((path) => ({ method: 'GET', path }) as const), ...routes];
  const turns = ['POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];
  const turnOf = ({ method, path }: AskedRoute): string => `${turns.indexOf(method)} ${path}`;
  return [...new Map(all.map((route) => [routeName(route), route])).values()].toSorted(
    (one, other) => (turnOf(one) < turnOf(other) ? -1 : 1),
  );
}

/** Asks for routes, one after the other. A value is the route, or `undefined` where the service has none. */
export async function askRoutes(
  asker: Asker,
  { allow = [], ...asked }: RoutesToAsk,
  sent: string[],
  jsonType: string,
  onOne: (family: string) => void,
): Promise<Map<string, Observation>> {
  const run: Run = { allow, jsonType, made: new Map(), sent };
  const observed = new Map<string, Observation>();
  for (const route of routesToAsk(asked)) {
    const one = await asker.observe(probeRoute(route, run));
    // What the account has is not for others to read.
    const exchanges = one.exchanges.map(({ body: _, ...exchange }) => exchange);
    observed.set(routeName(route), { ...one, exchanges });
    onOne('routes');
  }
  return observed;
}

/** The routes that were found, each after those that are more exact. */
export function foundRoutes(observed: ReadonlyMap<string, Observation>): StaticRoute[] {
  const found = [...observed].flatMap(([name, one]) =>
    name.startsWith('routes.') && one.outcome === 'observed' && one.value !== undefined
      ? [one.value as StaticRoute]
      : [],
  );
  const keyOf = ({ path, method }: StaticRoute): string => `${path} ${httpMethods.indexOf(method)}`;
  return found.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function probeRoute(route: AskedRoute, run: Run): Question<StaticRoute | undefined> {
  return async (asking) => {
    const { method, sample } = route;
    if (!isReading(method) && !run.allow.includes(method)) {
      throw new Blocked('a request that writes: name its method in --allow if you consent to it');
    }
    const unknown = await asking.ask(unknownRoutes[method]);
    const isFound = (one: StaticRoute): boolean => !isAnsweredAs(unknown, one);
    if (isReading(method) && sample !== undefined) {
      const found = await read(asking, route, sample);
      if (isFound(found)) return toSay(found, run);
    }
    const filled = await fill(asking, route, run);
    const found = await (isReading(method) ? read : write(run))(asking, route, filled);
    if (isFound(found)) return toSay(found, run);
    if (!filled.includes(unknownId)) return undefined;
    throw new Blocked('an id that the service knows: name a path with one in --routes');
  };
}

/** How a service answers each method at a path that it does not know. */
const unknownRoutes = Object.fromEntries(
  httpMethods.map((method) => {
    const call = { method, path: unknownPath, ...(!isReading(method) && { body: {} }) };
    const question: Question<StaticRoute> = async ({ send }) => toRoute(call, await send(call));
    return [method, question];
  }),
) as unknown as Readonly<Record<StaticRoute['method'], Question<StaticRoute>>>;

/** Whether a service has no such route: it answers as at an unknown path, or says that it does not implement it. */
function isAnsweredAs({ path: _, ...unknown }: StaticRoute, found: StaticRoute): boolean {
  const { path, ...answer } = found;
  return found.status === 501 || canonicalJson(answer) === canonicalJson(unknown);
}

/** Characters of a made-up body: each is in a file that people review. */
const longestBody = 10_000;

/** A route as a dialect says it. @throws Unsayable where none can */
function toSay(route: StaticRoute, { jsonType }: Run): StaticRoute {
  if (route.status < 400 && route.status >= 300) throw new Unsayable('a redirect or the like');
  if (JSON.stringify(route.json ?? '').length > longestBody) {
    throw new Unsayable(`a body of more than ${longestBody} characters`);
  }
  const usual = route.status < 400 ? jsonType : usualManners.rows['http.json-type'];
  const { type, ...rest } = route;
  return route.json !== undefined && type === usual ? rest : route;
}

/** Asks for a route twice. @throws Unsteady where the answers differ */
async function read(asking: Asking, route: AskedRoute, path: string): Promise<StaticRoute> {
  const { method } = route;
  const once = async (): Promise<StaticRoute> =>
    toRoute(route, await asking.send({ method, path }));
  const first = await once();
  if (canonicalJson(first) === canonicalJson(await once())) return first;
  throw new Unsteady('two answers that are not alike');
}

/** What sends a request that writes, once. @throws Blocked where it may change what is not of this run */
function write({ made, sent }: Run): typeof read {
  return async ({ target, send }, route, path) => {
    const { method, body = {} } = route;
    if (!target.gate.allow({ method, url: target.baseUrl + path })) {
      throw new Blocked('one that changes nothing but what this run made');
    }
    // An id in it may be of something that the account has.
    const text = JSON.stringify(body, (key, value) => (isIdAt(key, value) ? unknownId : value));
    const line = `${method} ${path} ${text}`;
    const response = await send({ method, path, body: text }).catch((error: unknown) => {
      sent.push(`${line}: no response`);
      throw error;
    });
    sent.push(`${line}: status ${response.status}`);
    const id = idIn(response);
    if (method === 'POST' && id !== undefined) made.set(path, id);
    return toRoute(route, response);
  };
}

function isIdAt(key: string, value: unknown): boolean {
  if (typeof value === 'string' && isId(value)) return true;
  return typeof value !== 'object' && /(^|_)id$|Id$/.test(key);
}

/**
 * A path with an id in place of each `{id}`: of what this run made, or where nothing is written of what a list
 * shows, or else one that nothing has.
 */
async function fill(asking: Asking, { method, path }: AskedRoute, run: Run): Promise<string> {
  let filled = '';
  for (const part of path.split('/').slice(1)) {
    const id = part === '{id}' ? await idBelow(filled, asking, isReading(method), run) : part;
    filled += `/${id}`;
  }
  return filled;
}

async function idBelow(
  path: string,
  asking: Asking,
  reads: boolean,
  { made }: Run,
): Promise<string> {
  if (path === '/stream') {
    return pathSegment(reads ? (await asking.ask(anyStream))['id'] : (await newStream(asking)).id);
  }
  if (path === '/session') {
    const { id } = reads ? (await asking.ask(readySession)).shown : await newSession(asking);
    return pathSegment(id);
  }
  const own = made.get(path);
  if (own !== undefined || !reads) return pathSegment(own ?? unknownId);
  return pathSegment(idIn(await asking.send(get(path))) ?? unknownId);
}

/** The id of the first record in a response. */
function idIn(response: TargetResponse): string | undefined {
  const id = recordsIn(response)?.records[0]?.['id'];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** What a response says as a route, with a body that is made up. */
function toRoute({ method, path }: AskedRoute | Call, response: TargetResponse): StaticRoute {
  const { status, headers, text } = response;
  const route = { method, path, status } as StaticRoute;
  if (text === '') return route;
  const type = readType(headers);
  const json = /^application\/([\w.-]+\+)?json\b/.test(type) ? readJson(response) : undefined;
  return { ...route, type, ...(json === undefined ? { text: 'text' } : { json: madeUp(json) }) };
}

function readJson(response: TargetResponse): unknown {
  try {
    return response.json;
  } catch {
    return undefined;
  }
}

/** What is made up for a text: something of a kind that clients parse. */
const samples: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, '2030-01-01T00:00:00.000Z'],
  [/^https?:\/\//, 'https://example.test/'],
  [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'user@example.test'],
  [/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, '00000000-0000-4000-8000-000000000000'],
];

/** Containers in containers, keys of an object and items of an array that are read. */
const most = { depth: 6, keys: 60, items: 20 } as const;

/** A value of the same shape: an array has one item, which has the keys of all. */
function madeUp(value: unknown, depth: number = most.depth): Json {
  if (typeof value === 'string') return samples.find(([form]) => form.test(value))?.[1] ?? 'text';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) {
    if (depth === 0 || value.length === 0) return [];
    return [
      value
        .slice(0, most.items)
        .map((item) => madeUp(item, depth - 1))
        .reduce(merge),
    ];
  }
  if (!isObject(value)) return null;
  const keys = Object.keys(value)
    .filter(isPlainKey)
    .sort()
    .slice(0, depth === 0 ? 0 : most.keys);
  return Object.fromEntries(keys.map((key) => [key, madeUp(value[key], depth - 1)]));
}

/** Two made-up values in one. */
function merge(one: Json, other: Json): Json {
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    const partOf = (key: string): Json => merge(one[key] ?? null, other[key] ?? null);
    return Object.fromEntries(keys.map((key) => [key, partOf(key)]));
  }
  const isEmpty = one === null || (Array.isArray(one) && one.length === 0);
  return isEmpty && other !== null ? other : one;
}

/** Whether a service answers at a route as a dialect says: of a body, edited or not, only the shape counts. */
export function isSameRoute(before: Partial<StaticRoute>, now: Partial<StaticRoute>): boolean {
  const restOf = ({ json, text, ...rest }: Partial<StaticRoute>): string =>
    canonicalJson({ rest, bodies: [json !== undefined, text !== undefined] });
  return restOf(before) === restOf(now) && hasShape(before.json, now.json);
}

/** Whether two values have the same shape: of what is null or empty now it may be unknown. */
function hasShape(one: unknown, other: unknown): boolean {
  if (one == null || other == null) return true;
  if (Array.isArray(one) && Array.isArray(other)) return hasShape(one[0], other[0]);
  if (!isObject(one) || !isObject(other)) {
    return typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
  }
  const keys = Object.keys({ ...one, ...other });
  return keys.every((key) => key in one && key in other && hasShape(one[key], other[key]));
}
