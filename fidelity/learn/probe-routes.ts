import { isAtOrigin, type StaticRoute } from '../../interface/dialect/dialect.ts';
import { routeName } from '../../interface/dialect/statements.ts';
import { isSameJson, type Json } from '../../interface/json.ts';
import { jsonOf } from '../../target/requests/bounded-json.ts';
import { pathSegment, type TargetCall } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { isRefused } from '../../target/requests/read-response.ts';
import { isSafeMethod, unknownPath } from '../../target/requests/well-known.ts';
import { mayHaveArrived, noteUnknown } from '../../target/streams/creations.ts';
import { get } from '../../target/streams/stream-requests.ts';
import { readType } from '../headers.ts';
import { addedKeys, haveSameShape, keepsShape, sampleOf } from '../json-shapes.ts';
import { itemsIn } from '../response-items.ts';
import { wordsIn } from '../word-samples.ts';
import type { LearnOptions } from './probe-target.ts';
import {
  isPlaceholder,
  type Made,
  madeForReading,
  madeForWriting,
  type Placeholder,
  placeholders,
} from './probing/made.ts';
import {
  Inexpressible,
  type NamedProbe,
  need,
  type Observations,
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
  '/project',
  '/region',
  '/session/{sessionId}/clips',
  '/stream/{id}/clips',
  '/stream/{id}/info',
  '/task',
  '/user/me',
  '/version',
  '/webhook',
] as const;

/** The probes of all requested routes; the result is `undefined` for one that the service does not have. */
export function requestedRoutes({ routes = [], allow = [] }: LearnOptions): NamedProbe[] {
  const ofClients = clientPaths.map((template): RequestedRoute => {
    return { method: 'GET', path: template.replace(/\{\w+\}/, '{id}'), template };
  });
  const routesByName = new Map([...ofClients, ...routes].map((route) => [routeName(route), route]));
  // Reads come first, because writes may change what is read.
  const readsFirst = [...routesByName].toSorted(
    ([, left], [, right]) => Number(isSafeMethod(right.method)) - Number(isSafeMethod(left.method)),
  );
  return readsFirst.map(([name, route]) => ({ name, probe: probeRoute(route, allow) }));
}

/** The routes that a user asked for and the service does not have, each with the status of its last response. */
export function absentOf({ routes = [] }: LearnOptions, observed: Observations): string[] {
  return routes.flatMap((route) => {
    const observation = observed.get(routeName(route));
    const isAbsent = observation?.outcome === 'observed' && observation.value === undefined;
    const status = observation?.exchanges.at(-1)?.status;
    return isAbsent ? `${route.method} ${route.path}: status ${status}` : [];
  });
}

function probeRoute(
  route: RequestedRoute,
  allow: readonly string[],
): Probe<StaticRoute | undefined> {
  const { method, sample } = route;
  return async (context) => {
    requireConsent(route, allow);
    const exists = await whetherExists(context, route);
    if (!isSafeMethod(method)) {
      const answer = await write(context, route);
      return exists(answer) ? refuseRedirect(answer) : undefined;
    }
    if (sample !== undefined) {
      const answer = await read(context, route, sample);
      if (exists(answer)) return refuseRedirect(answer);
    }
    const { path, isGuess } = await fillInToRead(context, route);
    const answer = await read(context, route, path);
    // The id of a stream may be wrong there, so that a refusal says nothing about other ids.
    need(!isGuess || answer.status < 300, idInstead(answer.status));
    return exists(answer) ? refuseRedirect(answer) : undefined;
  };
}

/** Whether a service has a route with some response: it must be another one than at an unknown path. */
async function whetherExists(context: ProbeContext, route: RequestedRoute) {
  const { send } = context;
  // At the origin, another program may answer every path, and the user has named this one.
  const isCompared = !isAtOrigin(route);
  const { method } = route;
  const unknown =
    isCompared && routeOfResponse(context, route, await send({ method, path: unknownPath }));
  return (answer: StaticRoute): boolean => answer.status !== 404 && !isSameJson(answer, unknown);
}

/** @throws Blocked for a request that writes, without the user's consent to it and to what it sends */
function requireConsent({ method, body }: RequestedRoute, allow: readonly string[]): void {
  if (isSafeMethod(method)) return;
  const missing = [
    ...(allow.includes(method) ? [] : [`--allow ${method}`]),
    ...(body === undefined ? ['a line in --routes with what it sends'] : []),
  ];
  const isAllowed = missing.length === 0;
  need(isAllowed, `your consent to a request that writes: add ${missing.join(' and ')}`);
}

/** @throws Inexpressible for a redirect, which no route of a dialect can be */
function refuseRedirect(route: StaticRoute): StaticRoute {
  if (route.status < 300 || route.status > 399) return route;
  throw new Inexpressible('a redirect or another 3xx status');
}

/** Asks for a route twice. @throws Unsteady if the responses differ */
async function read(context: ProbeContext, route: RequestedRoute, path: string) {
  const { send } = context;
  const atOrigin = isAtOrigin(route);
  const call: TargetCall = { method: route.method, path: path.replace(/^!/, ''), atOrigin };
  const first = routeOfResponse(context, route, await send(call));
  if (isSameRoute(first, routeOfResponse(context, route, await send(call)))) return first;
  throw new Unsteady('two requests for the same route got different responses');
}

/** Sends a writing request once, and notes it unless it is refused. @throws Blocked if it might change something that this run did not create */
async function write(context: ProbeContext, route: RequestedRoute): Promise<StaticRoute> {
  const { target, send, creations } = context;
  const { method, path: pattern, template = pattern } = route;
  const shownBody = JSON.stringify(route.body);
  const made = await madeForWriting(context, namesIn(template, shownBody));
  const path = await replaceNames(template, (name, before) => {
    const value = made[name];
    // Elsewhere, a short id may be that of something else.
    const isPlain = name === 'id' && before === '/stream/';
    const isAlone = isPlain || (name !== 'id' && target.gate.isUnlikely(value));
    return pathSegment(
      need(isAlone && value, `${foreign}: only a path below /stream can have one`),
    );
  });
  const isAllowed = target.gate.allow({ method, url: target.baseUrl + path });
  need(isAllowed, 'a path that names nothing but what this run made');
  const body = fillInBody(route.body, made);
  const noteEffects = (): void =>
    noteUnknown(creations, `effects of ${method} ${path} ${shownBody}, sent because of --allow`);
  const response = await send({ method, path, body: JSON.stringify(body) }).catch((exception) => {
    if (mayHaveArrived(exception)) noteEffects();
    throw exception;
  });
  if (!isRefused(response)) noteEffects();
  return routeOfResponse(context, route, response);
}

const foreign = 'an id of something that this run made';

/** What is needed instead of the id of a stream, to which a route gave a refusal or a redirect. */
function idInstead(status: number): string {
  return `an id of what this path is about: with that of a stream of this run, it got status ${status}. In --routes, write such an id into the path, or {sessionId} or {playbackId} in the place of {id}`;
}

/** What some texts name of what the run makes. */
function namesIn(...texts: readonly (string | undefined)[]): readonly Placeholder[] {
  return placeholders.filter((name) => texts.some((text) => text?.includes(`{${name}}`)));
}

/** A text with something in the place of each name in braces, which is told what comes before it. */
async function replaceNames(
  template: string,
  replace: (name: Placeholder, before: string) => string | Promise<string>,
): Promise<string> {
  let filled = '';
  for (const [index, part] of template.split(/\{(\w+)\}/).entries()) {
    const isName = index % 2 === 1 && isPlaceholder(part);
    filled += isName ? await replace(part, filled) : part;
  }
  return filled;
}

/** A body with what this run made in place of each placeholder in its texts. */
function fillInBody(body: Json | undefined, made: Made): Json | undefined {
  const fillIn = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (inBraces, name) =>
      isPlaceholder(name) ? (made[name] ?? inBraces) : inBraces,
    );
  if (body === undefined) return undefined;
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? fillIn(value) : value,
  );
}

/**
 * The path of a route that is only read, with what this run made in place of each placeholder. An `{id}` is that of the
 * first item of a list, if the path before it leads to one, or else that of a stream, which is a guess.
 * @throws Blocked without what is named
 */
async function fillInToRead(context: ProbeContext, { path, template = path }: RequestedRoute) {
  const made = await madeForReading(context, namesIn(template));
  let isGuess = false;
  const filled = await replaceNames(template, async (name, before) => {
    const isOfStream = name !== 'id' || before === '/stream/' || before.includes('?');
    const listed = isOfStream ? undefined : await firstListed(context, before);
    isGuess ||= !isOfStream && listed === undefined;
    return pathSegment(listed ?? need(made[name], `a ${name} of this run`));
  });
  return { path: filled, isGuess };
}

/** The id of the first item of a list below the base URL, if it shows one. */
async function firstListed({ send }: ProbeContext, path: string): Promise<unknown> {
  if (path.startsWith('!')) return undefined;
  return itemsIn(await send(get(path.replace(/\/$/, ''))))?.items[0]?.['id'];
}

/** How many levels of a body a route shows. */
const bodyLevels = 6;

/** A response as a route, with a made-up body. */
function routeOfResponse(
  { documented }: Pick<ProbeContext, 'documented'>,
  { method, path }: RequestedRoute,
  response: TargetResponse,
): StaticRoute {
  const { status, headers, text } = response;
  if (text === '') return { method, path, status };
  const json = jsonOf(response);
  const wordAt = wordsIn(json, bodyLevels, documented);
  const body = json === undefined ? { text: 'text' } : { json: sampleOf(json, bodyLevels, wordAt) };
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
