import { getPathNoStrict } from 'hono/utils/url';
import type { ErrorId } from '../../interface/dialect/errors.ts';
import { defaultDialect } from '../../interface/dialect/resolve.ts';
import {
  type ClientOperation,
  isClientOperation,
  isInterfaceOperation,
} from '../../interface/operation-names.ts';
import { version } from '../../package.json' with { type: 'json' };
import { brokenConnection } from '../faults/bodies.ts';
import { effectOf } from '../faults/effects.ts';
import type { FaultTarget } from '../faults/faults.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import {
  jsonResponse,
  type PlainResponse,
  problemResponse,
  toResponse,
  withoutBody,
} from '../messages/response.ts';
import { isControlRequest, isFromTester } from '../messages/tester-request.ts';
import { cellOf } from '../service/accept-or-refuse.ts';
import { whenSaved } from '../service/commit.ts';
import { announce, type OpenWorld } from '../service/world.ts';
import { applyDialect } from './apply-dialect.ts';
import { checksOf, refuseOrigin, runChecks } from './checks.ts';
import { type App, enterWorld, type RequestContext, type WrongRoute } from './context.ts';
import { handle } from './handlers.ts';
import { openMedia } from './media-routes.ts';
import { readImport } from './read-body.ts';
import { createRecordTexts, envelopeOf } from './record-texts.ts';
import { refusalResponse } from './refusal.ts';
import {
  createRouter,
  isInterfacePath,
  isMediaRoute,
  type OperationName,
  openApiPath,
  operations,
} from './routes.ts';
import {
  findStaticRoute,
  optionsResponse,
  refuseUnknownRoute,
  staticResponse,
} from './unrouted-requests.ts';

/** Makes the service: one function from a request to its response. It never throws. */
export function createApp(
  parts: Omit<App, 'router' | 'texts'>,
): (request: Request) => Promise<Response> {
  const app: App = { ...parts, router: createRouter(parts.prefix), texts: createRecordTexts() };
  return async (request) => {
    try {
      const context = createContext(app, request);
      const carriedOut = await carryOut(context).catch(respondToErrors(context));
      const response = applyDialect(context, carriedOut);
      if (isForJournal(context)) {
        const world = context.world ?? (await app.worlds.home());
        if (world !== undefined) addToJournal(world, context, response);
      }
      return toResponse(request.method === 'HEAD' ? withoutBody(response) : response);
    } catch (error) {
      return toResponse(errorResponse(error as Error));
    }
  };
}

function createContext(app: App, request: Request): RequestContext {
  const url = readUrl(request);
  const path = getPathNoStrict(request);
  const { settings, prefix, router } = app;
  const { dialect } = settings;
  const withoutDialect = { app, request, url, dialect: defaultDialect, path, misspelled: [] };
  if (dialect === defaultDialect || !isInterfacePath(path, prefix) || isFromTester(request)) {
    return withoutDialect;
  }
  const spelling = router.readPath(url.pathname);
  // A dialect must not lead from a misspelled path to the control API, which servers guard.
  if (!isInterfacePath(spelling.path, prefix)) return withoutDialect;
  return { app, request, url, dialect, ...spelling };
}

/** Reads the URL of a request. @throws Problem 400 if it is not valid, for example with the host `1.2.3.4.5`. */
export function readUrl({ url }: Request): URL {
  try {
    return new URL(url);
  } catch {
    const expected = 'a host that makes a valid URL';
    throw new Problem('malformed', { path: 'header host', expected, got: describeValue(url) });
  }
}

async function carryOut(context: RequestContext): Promise<PlainResponse> {
  const { app, request, dialect, path } = context;
  const isRouted = request.method !== 'HEAD' || dialect.behaviours['http.head'] === 'as-get';
  const match = isRouted ? app.router.find(request.method, path) : undefined;
  if (match === undefined) {
    const route = findStaticRoute(context);
    if (route !== undefined) return staticResponse(context, route);
    return request.method === 'OPTIONS' ? optionsResponse(context) : refuseUnknownRoute(context);
  }
  const { name, parameters } = match;
  if (name === 'openApi') return openApiResponse(app);
  if (isMediaRoute(name)) {
    context.operation = name;
    const { world, target, respond } = await openMedia(app.worlds, request, name, parameters);
    enterWorld(context, world);
    return respondWithFaults(context, target, respond);
  }
  const wrongRoute = wrongRouteTo(name, context);
  if (wrongRoute !== undefined) {
    context.wrongRoute = wrongRoute;
    return refuseUnknownRoute(context);
  }
  context.operation = name;
  context.id = Object.values(parameters)[0] ?? '';
  return operationResponse(context, name);
}

/** Why the path of an operation does not lead to it: the dialect lacks the operation, or refuses the spelling. */
function wrongRouteTo(
  name: OperationName,
  { dialect, misspelled }: RequestContext,
): WrongRoute | undefined {
  if (dialect === defaultDialect || !isInterfaceOperation(name)) return undefined;
  const errors: readonly ErrorId[] = ['operation:given', ...misspelled];
  const error = errors.find((id) => {
    return !('as' in cellOf({ dialect, endpoint: name }, id));
  });
  return error === undefined ? undefined : { endpoint: name, error };
}

async function operationResponse(
  context: RequestContext,
  name: OperationName,
): Promise<PlainResponse> {
  const { app, request, url, dialect, id = '' } = context;
  const { beforeFaults, afterFaults } = checksOf(name, dialect);
  await runChecks(beforeFaults, context);
  refuseOrigin(context);
  if (name === 'importState') context.fields = await readImport(request, app.maxImport);
  // A request without a key does not get here.
  const world = context.world as OpenWorld;
  const isTester = isFromTester(request);
  const run = async (): Promise<PlainResponse> => {
    if (afterFaults.length > 0) await runChecks(afterFaults, context);
    const origin = app.mediaOrigin ?? url.origin;
    const { texts } = app;
    const call = { world, dialect, origin, url, id, body: context.fields, texts, isTester };
    if (operations[name].method === 'GET') return handle(name, call);
    return whenSaved(world, () => handle(name, call));
  };
  if (!isClientOperation(name) || isTester) return run();
  return respondWithFaults(context, { operation: name, id }, run);
}

/** Applies the first fault of the world that matches a request. If there is none, carries out the request. */
async function respondWithFaults(
  context: RequestContext,
  target: FaultTarget,
  run: () => Promise<PlainResponse>,
): Promise<PlainResponse> {
  const { faults, clock } = context.world as OpenWorld;
  const { request } = context;
  const match = faults.take({ method: request.method, ...target });
  if (match === undefined) return run();
  const { id, fault } = match;
  context.fault = id;
  if (fault.delay !== undefined) {
    // Not earlier, because Node makes a request's signal when it is first read, and that costs more than most responses.
    const { signal } = request;
    await clock.waitUntil(clock.now() + faults.drawDelay(fault.delay), signal);
    // The client has gone away, so the request must do nothing.
    if (signal.aborted) return brokenConnection;
  }
  const envelope = envelopeOf(context.dialect, context.operation);
  // An effect changes a refusal like any other response.
  const carryOut = () => run().catch(respondToErrors(context));
  return effectOf(fault).respond?.(fault, { clock, envelope, carryOut }) ?? run();
}

/** Makes the function that responds to the errors of a request. */
function respondToErrors(context: RequestContext): (error: Error) => PlainResponse {
  return (error) => errorResponse(error, (problem) => refusalResponse(problem, context));
}

/** The response to an error: to a refusal, or to a bug of the mock. */
export function errorResponse(
  error: Error,
  refuse: (problem: Problem) => PlainResponse = problemResponse,
): PlainResponse {
  if (error instanceof Problem) return refuse(error);
  const text = `this is a bug in livestream-mock itself, please report it: ${error.message}`;
  return jsonResponse(500, { errors: [text] });
}

async function openApiResponse({ prefix, settings }: App): Promise<PlainResponse> {
  const { createOpenApi } = await import('./openapi.ts');
  return jsonResponse(200, createOpenApi(prefix, version, settings.dialectFile));
}

/** Whether a request belongs in the journal. Those of testers and those to the control API do not. */
function isForJournal({ operation, request, url }: RequestContext): boolean {
  if (isFromTester(request) || request.method === 'OPTIONS') return false;
  if (operation !== undefined) return isClientOperation(operation);
  return url.pathname !== openApiPath && !isControlRequest(request);
}

function addToJournal(world: OpenWorld, context: RequestContext, response: PlainResponse): void {
  const { request, body, fault, isStatic } = context;
  const operation = context.operation as ClientOperation | undefined;
  const at = world.clock.now();
  const { startedAt = at } = context;
  world.journal.add({ startedAt, at, operation, fault, isStatic, request, body, response });
  announce(world, 'exchange');
}
