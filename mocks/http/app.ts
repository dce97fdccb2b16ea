import { isRefusal } from '../../interface/cells.ts';
import { type StaticRoute, usualManners } from '../../interface/dialect.ts';
import {
  type ClientOperation,
  isClientOperation,
  isInterfaceOperation,
  type MediaRouteName,
} from '../../interface/operation-names.ts';
import { version } from '../../package.json' with { type: 'json' };
import { describeValue, Problem } from '../messages/problem.ts';
import {
  jsonResponse,
  type PlainResponse,
  plainResponse,
  problemResponse,
  toResponse,
  withoutBody,
} from '../messages/response.ts';
import { isFromTester } from '../messages/tester.ts';
import { cellOf } from '../service/meet.ts';
import { announce, type WorldState, whenKept } from '../service/world.ts';
import {
  type App,
  type AppSource,
  answerWithFaults,
  type RequestContext,
  type Rules,
} from './context.ts';
import { createRules, passGates, usualRules } from './gates.ts';
import { handle } from './handlers.ts';
import { imitate, preflightHeaders } from './imitate.ts';
import { mediaResponse } from './media.ts';
import { readImport } from './read-body.ts';
import { refusalResponse } from './refusal.ts';
import {
  controlPath,
  createRouter,
  fitsPattern,
  isInterfacePath,
  isOffered,
  type OperationName,
  openApiPath,
  operations,
  type ReadPath,
} from './routes.ts';
import { methodsOfPath, refuseRoute } from './unknown-route.ts';

/** The service as one function from a request to its response. It never throws. */
export function createApp(source: AppSource): (request: Request) => Promise<Response> {
  const { prefix, manners } = source;
  const app: App = {
    ...source,
    router: createRouter(prefix),
    clientRules: manners === usualManners ? usualRules : createRules(manners),
  };
  return async (request) => {
    try {
      const rules = rulesFor(app, request);
      const context: RequestContext = { request, url: readUrl(request), rules };
      const carriedOut = await carryOut(app, context).catch((error: Error) =>
        errorResponse(error, (problem) => refusalResponse(problem, app, context)),
      );
      const response = rules === usualRules ? carriedOut : imitate(context, carriedOut);
      if (request.method === 'OPTIONS') {
        const headers = { ...response.headers, ...preflightHeaders(request, rules.manners) };
        return toResponse({ ...response, headers });
      }
      if (isClientRequest(context)) {
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
  return isInterfacePath(path, prefix) && !isFromTester(request) ? clientRules : usualRules;
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

async function carryOut(app: App, context: RequestContext): Promise<PlainResponse> {
  const { request, rules } = context;
  const { method } = request;
  const readPath = app.router.readPath(request, rules.manners);
  const { path } = readPath;
  const isRouted = method !== 'HEAD' || rules.manners.rows['http.head'] === 'as-get';
  const match = isRouted ? app.router.find(method, path) : undefined;
  if (match === undefined) {
    const own = findStaticRoute(app, context, path);
    if (own !== undefined) return staticResponse(app, context, own);
    return method === 'OPTIONS' ? optionsResponse(app, context) : refuseUnknownRoute(app, context);
  }
  const { route, parameters } = match;
  if (route.kind === 'openapi') return openApiResponse(app);
  if (readPath.errors.length > 0) await meetSpelling(app, context, route.name, readPath);
  context.operation = route.name;
  if (route.kind === 'media') return mediaResponse(app, context, route.name, parameters);
  context.id = Object.values(parameters)[0] ?? '';
  if (!isOffered(route.name, rules.manners)) context.asked = 'unknownRoute';
  return operationResponse(app, context, route.name);
}

/** Meets a path that leads to an operation and is spelled otherwise: it is taken, redirected or unknown. */
async function meetSpelling(
  app: App,
  context: RequestContext,
  name: OperationName | MediaRouteName,
  { path, errors }: ReadPath,
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
  return routes.find(
    (route) => route.method === request.method && fitsPattern(route.path.split('/'), parts),
  );
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
    const { 'http.json-type': usual } = context.rules.manners.rows;
    return jsonResponse(status, json, { 'content-type': type ?? usual });
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
  const headers = allow === 'absent' ? {} : { allow: allowed.join(', ') };
  return plainResponse(usual === 'ok' ? 200 : 204, null, headers);
}

async function operationResponse(
  app: App,
  context: RequestContext,
  name: OperationName,
): Promise<PlainResponse> {
  const { request, url, rules, id = '' } = context;
  const { beforeFaults, afterFaults } = rules.gates[name];
  await passGates(beforeFaults, app, context);
  if (name === 'importState') context.json = await readImport(request, app.maxImport);
  // The gates let no request pass that has no key.
  const world = context.world as WorldState;
  const run = async (): Promise<PlainResponse> => {
    if (afterFaults.length > 0) await passGates(afterFaults, app, context);
    const origin = app.mediaOrigin ?? url.origin;
    const call = { world, manners: rules.manners, origin, url, id, body: context.json };
    if (operations[name].method === 'GET') return handle(name, call);
    return whenKept(world, () => handle(name, call));
  };
  if (!isClientOperation(name) || isFromTester(request)) return run();
  return answerWithFaults(context, { operation: name, id }, run);
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

/** The journal has the requests of clients, not those of a tester to the control API. */
function isClientRequest({ operation, request, url }: RequestContext): boolean {
  if (isFromTester(request)) return false;
  if (operation !== undefined) return isClientOperation(operation);
  return url.pathname !== openApiPath && !url.pathname.startsWith(`${controlPath}/`);
}

function addToJournal(world: WorldState, context: RequestContext, response: PlainResponse): void {
  const { request, body, fault, isStatic } = context;
  const operation = context.operation as ClientOperation | undefined;
  const at = world.clock.now();
  const { startedAt = at } = context;
  world.journal.add({ startedAt, at, operation, fault, isStatic, request, body, response });
  announce(world, 'exchange');
}
