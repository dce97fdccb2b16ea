import { isRefusal } from '../../interface/cells.ts';
import { usualManners } from '../../interface/dialect.ts';
import {
  type ClientOperation,
  isClientOperation,
  isInterfaceOperation,
} from '../../interface/operation-names.ts';
import type { StaticRoute } from '../../interface/routes.ts';
import { version } from '../../package.json' with { type: 'json' };
import { answerFaulty } from '../faults/answer-faulty.ts';
import {
  jsonResponse,
  type PlainResponse,
  plainResponse,
  problemResponse,
  toResponse,
  withoutBody,
} from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { cellOf } from '../service/meet.ts';
import { announce, type WorldState, whenKept } from '../service/world.ts';
import { type App, type AppSource, noteFault, type RequestContext, type Rules } from './context.ts';
import { preflightHeaders } from './cors.ts';
import { createRules, passGates, usualRules } from './gates.ts';
import { type Call, handlers } from './handlers.ts';
import { imitate } from './imitate.ts';
import { createImports } from './imports.ts';
import { mediaResponse } from './media.ts';
import { refusalResponse } from './refusal.ts';
import { createRouter } from './router.ts';
import {
  controlPath,
  isInterfacePath,
  isOffered,
  type OperationName,
  openApiPath,
  operations,
} from './routes.ts';
import { isTesters } from './tester.ts';
import { methodsOfPath, refuseRoute } from './unknown-route.ts';

/** The service as one function from a request to its response. It never throws. */
export function createApp(source: AppSource): (request: Request) => Promise<Response> {
  const { prefix, manners, maxImport } = source;
  const app: App = {
    ...source,
    router: createRouter(prefix),
    imports: createImports(maxImport),
    clientRules: manners === usualManners ? usualRules : createRules(manners),
  };
  return async (request) => {
    try {
      const url = readUrl(request);
      const context: RequestContext = { request, url, rules: rulesFor(app, request) };
      const response = await respond(app, context);
      if (request.method === 'OPTIONS') return toResponse(withPreflight(response, context));
      if (isClients(context)) {
        const world = context.world ?? (await app.worlds.home());
        if (world !== undefined) addToJournal(world, context, response);
      }
      return toResponse(request.method === 'HEAD' ? withoutBody(response) : response);
    } catch (error) {
      return toResponse(errorResponse(error as Error));
    }
  };
}

/** A dialect is for clients on the paths of the interface: all others meet the usual rules. */
function rulesFor({ clientRules, prefix, router }: App, request: Request): Rules {
  if (clientRules === usualRules) return usualRules;
  const { path } = router.readPath(request, usualManners);
  return isInterfacePath(path, prefix) && !isTesters(request) ? clientRules : usualRules;
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

function respond(app: App, context: RequestContext): Promise<PlainResponse> {
  const { request, rules } = context;
  const responding = carryOutOrRefuse(app, context);
  if (rules === usualRules) return responding;
  return responding.then((response) => imitate(request, response, rules.manners));
}

async function carryOutOrRefuse(app: App, context: RequestContext): Promise<PlainResponse> {
  const { router } = app;
  const { request, rules } = context;
  const { manners } = rules;
  try {
    const { path, errors } = router.readPath(request, manners);
    const asStatic = () => findStaticRoute(app, context, path);
    if (request.method === 'OPTIONS') {
      const own = asStatic();
      return own === undefined
        ? await optionsResponse(app, context)
        : await staticResponse(app, context, own);
    }
    const match = router.find(request.method, path);
    const isUnknownHead = request.method === 'HEAD' && manners.rows['http.head'] !== 'as-get';
    if (match === undefined || isUnknownHead) {
      const own = asStatic();
      if (own !== undefined) return await staticResponse(app, context, own);
      return await refuseUnknownRoute(app, context);
    }
    const { route, parameters } = match;
    if (route.kind === 'openapi') return await openApiResponse(app);
    if (errors.length > 0) await meetSpelling(app, context, { path, errors, name: route.name });
    context.operation = route.name;
    if (route.kind === 'media') return await mediaResponse(app, context, route.name, parameters);
    context.id = Object.values(parameters)[0] ?? '';
    if (!isOffered(route.name, manners)) context.asked = 'unknownRoute';
    return await operationResponse(app, context, route.name);
  } catch (error) {
    return errorResponse(error as Error, (problem) => refusalResponse(problem, app, context));
  }
}

/** A path that leads to a route, and is spelled otherwise. */
interface Spelled {
  readonly path: string;
  readonly errors: readonly string[];
  readonly name: string;
}

/** Meets a path that is spelled otherwise: it is taken, redirected or unknown. */
async function meetSpelling(
  app: App,
  context: RequestContext,
  { path, errors, name }: Spelled,
): Promise<void> {
  if (!isInterfaceOperation(name)) return;
  for (const error of errors) {
    const cell = cellOf(context.rules.manners, name, error);
    if (cell === undefined || ('as' in cell && !isRefusal(cell))) continue;
    context.path = path;
    context.wrongPath = { at: name, error };
    await refuseUnknownRoute(app, context);
  }
}

/** The static route of the dialect at a path below the prefix. */
function findStaticRoute(
  { prefix }: App,
  { request, rules }: RequestContext,
  path: string,
): StaticRoute | undefined {
  const { routes } = rules.manners;
  if (routes.length === 0 || !path.startsWith(`${prefix}/`)) return undefined;
  const parts = path.slice(prefix.length).split('/');
  return routes.find(({ method, path: pattern }) => {
    const patterns = pattern.split('/');
    const fits = patterns.every((part, index) => part === '{id}' || part === parts[index]);
    return method === request.method && patterns.length === parts.length && fits;
  });
}

/** A static answer, to a request whose key is accepted as at any other path. */
async function staticResponse(
  app: App,
  context: RequestContext,
  { status, type, json, text }: StaticRoute,
): Promise<PlainResponse> {
  await passGates(context.rules.staticRoute, app, context);
  context.isStatic = true;
  if (json !== undefined) {
    const own = type === undefined ? {} : { 'content-type': type };
    return jsonResponse(status, json, own);
  }
  if (text === undefined) return plainResponse(status, null);
  return plainResponse(status, [text], { 'content-type': type ?? 'text/plain' });
}

/** A browser asks by OPTIONS what a page of another origin may send, and has no key yet. */
async function optionsResponse(app: App, context: RequestContext): Promise<PlainResponse> {
  const { rules } = context;
  await passGates(rules.options, app, context);
  const { 'http.options': options, 'http.allow': allow } = rules.manners.rows;
  const allowed = methodsOfPath(app, context);
  const usual = allowed.length > 0 ? options.known : options.unknown;
  const response = plainResponse(usual === 'ok' ? 200 : 204, null);
  if (allow === 'absent') return response;
  return {
    ...response,
    headers: { ...response.headers, allow: allowed.join(', ') },
  };
}

function withPreflight(response: PlainResponse, { request, rules }: RequestContext): PlainResponse {
  const headers = { ...response.headers, ...preflightHeaders(request, rules.manners) };
  return { ...response, headers };
}

async function operationResponse(
  app: App,
  context: RequestContext,
  name: OperationName,
): Promise<PlainResponse> {
  await passGates(context.rules.gates[name].beforeFaults, app, context);
  const carryOut = () => carryOutOperation(app, context, name);
  if (name !== 'importState') return carryOut();
  return app.imports.read(context.request, (state) => {
    context.json = state;
    return carryOut();
  });
}

function carryOutOperation(
  app: App,
  context: RequestContext,
  name: OperationName,
): Promise<PlainResponse> {
  const { request, url, rules, id = '' } = context;
  // The gates let no request pass that has no key.
  const world = context.world as WorldState;
  const carryOut = async (): Promise<PlainResponse> => {
    const { afterFaults } = rules.gates[name];
    if (afterFaults.length > 0) await passGates(afterFaults, app, context);
    const handle = handlers[name] as (call: Call) => PlainResponse | Promise<PlainResponse>;
    const run = () =>
      handle({
        world,
        manners: rules.manners,
        origin: app.mediaOrigin ?? url.origin,
        url,
        id,
        body: context.json,
      });
    return operations[name].method === 'GET' ? run() : whenKept(world, run);
  };
  if (!isClientOperation(name) || isTesters(request)) return carryOut();
  const target = { operation: name, method: request.method, id };
  const { faults, clock } = world;
  return answerFaulty({ faults, clock, request, carryOut, onFault: noteFault(context) }, target);
}

async function refuseUnknownRoute(app: App, context: RequestContext): Promise<never> {
  await passGates(context.rules.unknownRoute, app, context);
  return refuseRoute(app, context);
}

function errorResponse(
  error: Error,
  refuse: (problem: Problem) => PlainResponse = problemResponse,
): PlainResponse {
  if (error instanceof Problem) return refuse(error);
  const text = `this is a bug in livestream-mock itself, please report it: ${error.message}`;
  return jsonResponse(500, { errors: [text] });
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

function addToJournal(world: WorldState, context: ClientContext, response: PlainResponse): void {
  const { request, operation, body, fault, isStatic } = context;
  const at = world.clock.now();
  const { startedAt = at } = context;
  world.journal.add({ startedAt, at, operation, fault, isStatic, request, body, response });
  announce(world, 'exchange');
}
