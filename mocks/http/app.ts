import { type ClientOperation, isClientOperation } from '../../interface/operation-names.ts';
import type { Operation } from '../../interface/operations.ts';
import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import { version } from '../../package.json' with { type: 'json' };
import { answerFaulty } from '../faults/answer-faulty.ts';
import {
  jsonResponse,
  type PlainResponse,
  preflightResponse,
  problemResponse,
  toResponse,
  withoutBody,
} from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { announce, type WorldState, whenKept } from '../service/world.ts';
import { createLargeBodies, largestBody } from './bodies/large-bodies.ts';
import { bodyLimit, readBytes, readJson } from './bodies/read-body.ts';
import { checkBody } from './check-body.ts';
import { type App, type AppSource, enterWorld, noteFault, type RequestContext } from './context.ts';
import { missingCredential, readCredential } from './credential.ts';
import { type Call, handlers } from './handlers.ts';
import { mediaResponse } from './media.ts';
import { createRouter, type Match, nearestRoute } from './router.ts';
import { controlPath, type OperationName, openApiPath, operations } from './routes.ts';
import { isTesters } from './tester.ts';

/** The service as one function from a request to its response. It never throws. */
export function createApp(source: AppSource): (request: Request) => Promise<Response> {
  const findRoute = createRouter(source.prefix);
  const app: App = { ...source, largeBodies: createLargeBodies(largestBody(source.mostRecords)) };
  return async (request) => {
    try {
      const context: RequestContext = { request, url: readUrl(request) };
      if (request.method === 'OPTIONS') return toResponse(preflightResponse(request));
      const response = await respond(app, context, findRoute(request));
      if (isClients(context)) {
        const world = context.world ?? (await openHome(app));
        if (world !== undefined) addToJournal(world, context, response);
      }
      return toResponse(request.method === 'HEAD' ? withoutBody(response) : response);
    } catch (error) {
      return toResponse(errorResponse(error as Error));
    }
  };
}

/** @throws Problem 400 when the address is no URL, as with the host `1.2.3.4.5` over HTTP. */
function readUrl({ url }: Request): URL {
  try {
    return new URL(url);
  } catch {
    throw new Problem('malformed', {
      path: 'header host',
      expected: 'a host that makes a valid URL',
      got: describeValue(url),
    });
  }
}

async function respond(
  app: App,
  context: RequestContext,
  match: Match | undefined,
): Promise<PlainResponse> {
  try {
    if (match === undefined) return await refuseUnknownRoute(app, context);
    const { route, parameters } = match;
    if (route.kind === 'openapi') return await openApiResponse(app);
    context.operation = route.name;
    return route.kind === 'media'
      ? await mediaResponse(app, context, route.name, parameters)
      : await operationResponse(app, context, route.name, Object.values(parameters)[0] ?? '');
  } catch (error) {
    return errorResponse(error as Error);
  }
}

function errorResponse(error: Error): PlainResponse {
  if (error instanceof Problem) return problemResponse(error);
  const text = `this is a bug in livestream-mock itself, please report it: ${error.message}`;
  return jsonResponse(500, { errors: [text] });
}

/**
 * What is wrong is reported in the order of the real service: a bad key, a body that cannot be read, a
 * missing key, a wrong body, and then what the operation refuses. The control API has no such model: it
 * takes large bodies, so it reads none without a key.
 */
async function operationResponse(
  app: App,
  context: RequestContext,
  name: OperationName,
  id: string,
): Promise<PlainResponse> {
  const { apiKeys, worlds, largeBodies } = app;
  const { request } = context;
  const behaviours = behavioursFor(app, name, request);
  const apiKey = readCredential(request, apiKeys);
  const world = apiKey === undefined ? undefined : await worlds.open(apiKey);
  if (world !== undefined) enterWorld(context, world);
  else if (!isClientOperation(name)) throw missingCredential(apiKeys);
  const carryOut = (body: unknown): Promise<PlainResponse> => {
    if (world === undefined) throw missingCredential(apiKeys);
    return carryOutOperation(context, name, { world, behaviours, id, body });
  };
  if (operations[name].largeBody) return largeBodies.read(request, carryOut);
  return carryOut(await readBody(context));
}

/** A dialect is for clients: the control API and testers meet the usual behaviours. */
function behavioursFor({ behaviours }: App, name: OperationName, request: Request): Behaviours {
  return isClientOperation(name) && !isTesters(request) ? behaviours : usualBehaviours;
}

function carryOutOperation(
  context: RequestContext,
  name: OperationName,
  { world, behaviours, id, body }: Pick<Call, 'world' | 'behaviours' | 'id' | 'body'>,
): Promise<PlainResponse> {
  const { request, url } = context;
  const operation: Operation = operations[name];
  const carryOut = async (): Promise<PlainResponse> => {
    // The handler of a large body checks it in parts, so that other requests are answered in between.
    const checked = operation.largeBody ? body : checkBody(name, behaviours, body);
    const handle = handlers[name] as (call: Call) => PlainResponse | Promise<PlainResponse>;
    const run = () => handle({ world, behaviours, origin: url.origin, url, id, body: checked });
    return operation.method === 'GET' ? run() : whenKept(world, run);
  };
  if (!isClientOperation(name) || isTesters(request)) return carryOut();
  const target = { operation: name, method: request.method, id };
  const { faults, clock } = world;
  return answerFaulty({ faults, clock, request, carryOut, onFault: noteFault(context) }, target);
}

/**
 * The JSON in the body of a request, whose bytes the context has from then on. Bodies of GET and DELETE
 * are ignored.
 * @throws Problem 413, 400 or 415 for a body that cannot be read.
 */
async function readBody(context: RequestContext): Promise<unknown> {
  const { request } = context;
  if (!bodyMethods.has(request.method)) return undefined;
  const bytes = await readBytes(request, bodyLimit);
  if (bytes.length > 0) context.body = bytes;
  return readJson(request.headers, bytes);
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

async function refuseUnknownRoute(app: App, context: RequestContext): Promise<never> {
  const apiKey = readCredential(context.request, app.apiKeys);
  if (apiKey !== undefined) enterWorld(context, await app.worlds.open(apiKey));
  await readBody(context);
  const asked = `${context.request.method} ${context.url.pathname}`;
  throw new Problem('unknown', {
    path: 'path',
    expected: `a known route such as ${nearestRoute(asked, app.prefix)}`,
    got: describeValue(asked),
  });
}

async function openApiResponse({ prefix, dialect }: App): Promise<PlainResponse> {
  const { createOpenApi } = await import('./openapi.ts');
  return jsonResponse(200, createOpenApi(prefix, version, dialect));
}

/** A request of a client, with its operation where the route is known. */
interface ClientContext extends RequestContext {
  operation?: ClientOperation;
}

/** The journal has the requests of clients, not those of a tester to the control API. */
function isClients(context: RequestContext): context is ClientContext {
  const { operation, request, url } = context;
  const isClient = operation === undefined ? !isOwnPath(url) : isClientOperation(operation);
  return isClient && !isTesters(request);
}

function isOwnPath({ pathname }: URL): boolean {
  return pathname === openApiPath || pathname.startsWith(`${controlPath}/`);
}

/** When this world cannot be opened, the request gets its response and is in no journal. */
function openHome({ worlds, homeKey }: App): Promise<WorldState | undefined> {
  return worlds.open(homeKey).catch(() => undefined);
}

function addToJournal(world: WorldState, context: ClientContext, response: PlainResponse): void {
  const { request, operation, body, fault } = context;
  const at = world.clock.now();
  const { startedAt = at } = context;
  world.journal.add({ startedAt, at, operation, fault, request, body, response });
  announce(world, 'exchange');
}
