import { defaultDialect } from '../../interface/dialect/resolve.ts';
import {
  type ClientOperation,
  type InterfaceOperationName,
  isInterfaceOperation,
  type MediaRouteName,
} from '../../interface/operation-names.ts';
import { version } from '../../package.json' with { type: 'json' };
import { brokenConnection, type FaultClock } from '../faults/bodies.ts';
import { describeWait, effectOf } from '../faults/effects.ts';
import type { FaultReport } from '../faults/fault.ts';
import type { FaultTarget } from '../faults/faults.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { publicUrl } from '../messages/public-url.ts';
import { requestPath } from '../messages/request-path.ts';
import {
  jsonResponse,
  openToPages,
  type PlainResponse,
  problemResponse,
  toResponse,
  withoutBody,
} from '../messages/response.ts';
import { isControlPath, isFromTester } from '../messages/tester-request.ts';
import { EarlyEnd } from '../service/accept-or-refuse.ts';
import { whenSaved } from '../service/commit.ts';
import { tellOfRefusal } from '../service/operator.ts';
import { announce, type OpenWorld, readTime } from '../service/world.ts';
import { applyDialect } from './apply-dialect.ts';
import { type App, type Arrival, noteWorld, traceNotes } from './arrival.ts';
import { controlResponse } from './control-handlers.ts';
import { type Entered, enter, hasId, openWorld, type Previews, refuseOrigin } from './enter.ts';
import { interfaceHandlers } from './interface-handlers.ts';
import { openMedia } from './media-routes.ts';
import { createRequestCounts } from './metrics.ts';
import { createPlans, defaultPlans, type Plan } from './plan.ts';
import { createRecordTexts } from './responses/record-texts.ts';
import { refusalResponse } from './responses/refusal-response.ts';
import { rewriteResponses } from './rewrite-responses.ts';
import {
  createRouter,
  isInterfacePath,
  isMediaRoute,
  isOwnPath,
  openApiPath,
  type Router,
} from './routes.ts';
import { andThen, orElse } from './settle.ts';
import type { Site } from './stages.ts';
import {
  findStaticRoute,
  hasRouteAtOrigin,
  optionsResponse,
  respondToUnknownRoute,
  staticResponse,
  type WrongRoute,
} from './unrouted-requests.ts';

/** The service: its response to a request, at once unless that has to wait. It never throws or rejects. */
export type Responder = (request: Request) => Response | Promise<Response>;

/** What services at the same prefix, under the same dialect, have in common. */
export function prepareApp(
  prefix: string,
  { dialect }: Pick<App['settings'], 'dialect'>,
): Pick<App, 'router' | 'clientPlans'> {
  const clientPlans = dialect === defaultDialect ? defaultPlans : createPlans(dialect);
  return { router: createRouter(prefix), clientPlans };
}

/** Makes the service. */
export function createApp(
  parts: Omit<App, 'router' | 'texts' | 'clientPlans' | 'startedAt' | 'requestCounts'>,
  prepared: ReturnType<typeof prepareApp> = prepareApp(parts.prefix, parts.settings),
): Responder {
  const app: App = {
    ...parts,
    ...prepared,
    texts: createRecordTexts(),
    startedAt: readTime(parts.settings),
    requestCounts: createRequestCounts(),
  };
  const answerClient = answerFor(app);
  return (request) =>
    orElse(
      () => {
        const begin = performance.now();
        const arrival = receive(app, request);
        if (app.settings.operator.logsRequests) traceNotes(arrival);
        const answer = isForJournal(arrival) ? answerClient : answerAsMock;
        return andThen(answer(arrival), (response) => {
          const { operation, controlOperation } = arrival.notes;
          const milliseconds = performance.now() - begin;
          app.requestCounts.add(operation ?? controlOperation, response.status, milliseconds);
          return finish(arrival, response);
        });
      },
      (exception) => toResponse(openToPages(exceptionResponse(exception))),
    );
}

/** Answers a request as the mock itself does. */
function answerAsMock(arrival: Arrival): PlainResponse | Promise<PlainResponse> {
  return andThen(respondOrRefuse(arrival), (response) => applyDialect(arrival, response));
}

/** How the requests of clients are answered: as the mock itself does, unless it has a variant. */
function answerFor(app: App): typeof answerAsMock {
  const { rewrite, witness } = app;
  const answer =
    rewrite === undefined
      ? answerAsMock
      : rewriteResponses(rewrite, {
          answer: answerAsMock,
          receive: (request) => receive(app, request),
          operationOf,
          worldOf,
        });
  if (witness === undefined) return answer;
  return async (arrival) => {
    const compare = witness(arrival.request);
    const response = await answer(arrival);
    await compare(arrival.notes);
    return response;
  };
}

/** Adds a response to the journal, and sends it. */
function finish(arrival: Arrival, response: PlainResponse): Response | Promise<Response> {
  const { app, request, notes } = arrival;
  const send = () => toResponse(request.method === 'HEAD' ? withoutBody(response) : response);
  if (!isForJournal(arrival)) return send();
  return andThen<OpenWorld | undefined, Response>(notes.world ?? app.worlds.home(), (world) => {
    if (world !== undefined) addToJournal(world, arrival, response);
    return send();
  });
}

/** Reads how a request is addressed, and what its sender sees. */
function receive(app: App, request: Request): Arrival {
  const url = publicUrl(readUrl(request), app.mediaOrigin);
  const path = withoutLastSlash(requestPath(request));
  const { settings, prefix, router, clientPlans } = app;
  const { dialect } = settings;
  const isTester = isFromTester(request);
  const withoutDialect = {
    app,
    request,
    url,
    isTester,
    isForControl: isControlPath(path),
    dialect: defaultDialect,
    plans: defaultPlans,
    path,
    misspelled: [],
    notes: {},
  };
  if (dialect === defaultDialect || isTester) return withoutDialect;
  if (!isInterfacePath(path, prefix)) {
    const isRoute = !isOwnPath(path) && hasRouteAtOrigin(dialect, path);
    return isRoute ? { ...withoutDialect, dialect, plans: clientPlans } : withoutDialect;
  }
  const spelling = router.readPath(url.pathname);
  // A dialect must not lead from a misspelled path to the control API, which servers guard.
  if (!isInterfacePath(spelling.path, prefix)) return withoutDialect;
  return { ...withoutDialect, dialect, plans: clientPlans, ...spelling };
}

/** A path that is not the root, without the slash at its end. */
function withoutLastSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
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

function respondOrRefuse(arrival: Arrival): PlainResponse | Promise<PlainResponse> {
  return orElse(
    () => respondTo(arrival),
    (exception) => refusedResponse(exception, arrival),
  );
}

/** The response to an exception. Whoever runs the mock learns of the refusal if it concerns them. */
function refusedResponse(exception: Error, { app, dialect }: Arrival): PlainResponse {
  return exceptionResponse(exception, (problem) => {
    tellOfRefusal(app.settings.operator, problem);
    return refusalResponse(problem, dialect);
  });
}

/** The route of a request, if the service has it. */
function findRoute({ app, request, dialect, path }: Arrival): ReturnType<Router['find']> {
  const isRouted = request.method !== 'HEAD' || dialect.behaviours['http.head'] === 'as-get';
  return isRouted ? app.router.find(request.method, path) : undefined;
}

/** The operation of the interface, or the kind of media, that a request asks for. */
function operationOf(arrival: Arrival): ClientOperation | undefined {
  const name = findRoute(arrival)?.name;
  if (name === undefined || name === 'openApi') return undefined;
  if (isMediaRoute(name)) return name;
  return isInterfaceOperation(name) && !wrongRouteTo(name, arrival) ? name : undefined;
}

/** The world of the key or the media of a request for which the mock itself is not asked; `undefined` if it knows neither. */
async function worldOf(arrival: Arrival): Promise<OpenWorld | undefined> {
  const { app, request, plans } = arrival;
  const { name, parameters } = findRoute(arrival) ?? {};
  try {
    if (name !== undefined && parameters !== undefined && isMediaRoute(name)) {
      return (await openMedia(app.worlds, request, name, parameters)).world;
    }
    return await openWorld(arrival, plans.unknownRoute);
  } catch {
    return undefined;
  }
}

function respondTo(arrival: Arrival): PlainResponse | Promise<PlainResponse> {
  const { request, notes } = arrival;
  const match = findRoute(arrival);
  if (match === undefined) {
    const route = findStaticRoute(arrival);
    if (route !== undefined) return staticResponse(arrival, route);
    return request.method === 'OPTIONS' ? optionsResponse(arrival) : respondToUnknownRoute(arrival);
  }
  const { name, parameters } = match;
  if (name === 'openApi') return openApiResponse(arrival);
  if (isMediaRoute(name)) {
    notes.operation = name;
    return mediaResponse(arrival, name, parameters);
  }
  const [id = ''] = Object.values(parameters);
  if (!isInterfaceOperation(name)) {
    notes.controlOperation = name;
    return controlResponse(arrival, name, id);
  }
  const wrongRoute = wrongRouteTo(name, arrival);
  if (wrongRoute !== undefined) return respondToUnknownRoute(arrival, wrongRoute);
  notes.operation = name;
  return operationResponse(arrival, name, id);
}

/** Why the path of an operation does not lead to it: the dialect lacks the operation, or refuses the spelling. */
function wrongRouteTo(
  endpoint: InterfaceOperationName,
  { plans, misspelled }: Arrival,
): WrongRoute | undefined {
  const { cells, isOffered } = plans[endpoint];
  if (!isOffered) return { endpoint, error: 'operation:given' };
  const error = misspelled.find((misspelling) => !('as' in cells[misspelling]));
  return error === undefined ? undefined : { endpoint, error };
}

/**
 * Carries out an operation of the interface: what may wait comes first, then a fault, and then everything else in one
 * step.
 */
function operationResponse(
  arrival: Arrival,
  name: InterfaceOperationName,
  id: string,
): PlainResponse | Promise<PlainResponse> {
  const { app, url, dialect, isTester } = arrival;
  const plan = arrival.plans[name];
  const operation = interfaceHandlers[name];
  const siteOf = ({ world, json }: Entered): Site => ({
    world,
    dialect,
    origin: url.origin,
    isTester,
    plan,
    url,
    id,
    json,
    texts: app.texts,
    otherWorldWith: (unknownId) => otherWorldWith(app, world, unknownId),
  });
  const previews: Previews = {
    id,
    read: (stage, json) => operation.preview(stage, { dialect, url, json }),
    find: (world) => operation.previewId(siteOf({ world, json: undefined })),
  };
  const respond = (entered: Entered): PlainResponse | Promise<PlainResponse> => {
    const { world } = entered;
    refuseOrigin(arrival, name);
    const run = () => operation.carryOut(siteOf(entered));
    const isKept = plan.mayChange && world.keep !== undefined;
    const runAndKeep = isKept ? () => whenSaved(world, run) : run;
    if (isTester) return runAndKeep();
    return respondWithFaults(arrival, plan, world, { operation: name, id }, runAndKeep);
  };
  return orElse(
    () => andThen(enter(arrival, plan, previews), respond),
    (exception) => interruptedResponse(exception, arrival, plan),
  );
}

/** The response of an operation that an exception interrupts. */
function interruptedResponse(exception: Error, arrival: Arrival, plan: Plan): PlainResponse {
  if (exception instanceof EarlyEnd) return plan.earlyResponses[exception.response];
  return refusedResponse(exception, arrival);
}

/** The world of another API key to which an id belongs, if this process has it open. */
function otherWorldWith({ worlds }: App, world: OpenWorld, id: string): OpenWorld | undefined {
  const otherWorlds = worlds.opened().filter((opened) => opened !== world);
  return otherWorlds.find((opened) => hasId(opened, id));
}

async function mediaResponse(
  arrival: Arrival,
  name: MediaRouteName,
  parameters: Readonly<Record<string, string>>,
): Promise<PlainResponse> {
  const { app, request, plans, notes } = arrival;
  const { world, target, respond } = await openMedia(app.worlds, request, name, parameters);
  noteWorld(notes, world);
  return respondWithFaults(arrival, plans.unknownRoute, world, target, respond);
}

/** Applies the first fault of the world that matches a request. If there is none, carries out the request. */
function respondWithFaults(
  arrival: Arrival,
  plan: Plan,
  world: OpenWorld,
  target: FaultTarget,
  run: () => PlainResponse | Promise<PlainResponse>,
): PlainResponse | Promise<PlainResponse> {
  const match = world.faults.take({ method: arrival.request.method, ...target });
  if (match === undefined) return run();
  arrival.notes.fault = match.id;
  return faultyResponse(arrival, plan, world, match, run);
}

async function faultyResponse(
  arrival: Arrival,
  plan: Plan,
  { faults, clock: worldClock }: OpenWorld,
  match: Readonly<FaultReport>,
  run: () => PlainResponse | Promise<PlainResponse>,
): Promise<PlainResponse> {
  const { fault } = match;
  const { request, path } = arrival;
  const clock: FaultClock = {
    now: worldClock.now,
    waitUntil: (moment, signal) =>
      worldClock.waitUntil(moment, signal, describeWait(`${request.method} ${path}`, match)),
  };
  if ('delay' in fault && fault.delay !== undefined) {
    // Not earlier, because Node makes a request's signal when it is first read, and that costs more than most responses.
    const { signal } = request;
    await clock.waitUntil(clock.now() + faults.drawDelay(fault.delay), signal);
    // The client has gone away, so the request must do nothing.
    if (signal.aborted) return brokenConnection;
  }
  // An effect changes a refusal like any other response.
  const carryOutAnyway = async () =>
    orElse(run, (exception) => interruptedResponse(exception, arrival, plan));
  const matched = { clock, envelope: plan.envelope, carryOut: carryOutAnyway };
  return effectOf(fault).respond?.(fault, matched) ?? run();
}

/** The response to an exception: to a refusal, or to a bug of the mock. */
export function exceptionResponse(
  exception: Error,
  refuse: (problem: Problem) => PlainResponse = problemResponse,
): PlainResponse {
  if (exception instanceof Problem) return refuse(exception);
  const text = `this is a bug in livestream-mock itself, please report it: ${exception.message}`;
  return jsonResponse(500, { errors: [text] });
}

async function openApiResponse({ app, url }: Arrival): Promise<PlainResponse> {
  const { createOpenApi } = await import('./openapi.ts');
  const { prefix, settings } = app;
  const place = { origin: url.origin, prefix };
  return jsonResponse(200, createOpenApi(place, version, settings.dialectFile));
}

/** Whether a request belongs in the journal. Those of testers and those to the control API do not. */
function isForJournal({ request, url, isTester, isForControl }: Arrival): boolean {
  if (isTester || isForControl || request.method === 'OPTIONS') return false;
  return url.pathname !== openApiPath;
}

function addToJournal(
  world: OpenWorld,
  { request: { method, headers }, url, notes }: Arrival,
  response: PlainResponse,
): void {
  // Behind TLS, the request itself does not say where the client sent it.
  const request = { method, headers, url: url.href };
  const { operation, body, fault, isStatic } = notes;
  const at = world.clock.now();
  const { startedAt = at } = notes;
  world.journal.add({ startedAt, at, operation, fault, isStatic, request, body, response });
  announce(world, 'exchange');
}
