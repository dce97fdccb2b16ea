import {
  type ClientOperation,
  isClientOperation,
  type MediaRouteName,
} from '../../interface/operation-names.ts';
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
import { announce, type WorldState } from '../service/world.ts';
import { answerOperation } from './answer-operation.ts';
import { createLargeBodies, largestBody } from './bodies/large-bodies.ts';
import { readCredential } from './credential.ts';
import { findMediaSession, mediaHandlers, mediaRoutes } from './media.ts';
import { nearestRoute } from './nearest.ts';
import { controlPath, operations, pathOf } from './operations.ts';
import { createRouter, type Match, openApiPath } from './router.ts';
import { isTesters } from './tester.ts';
import {
  type App,
  type AppSource,
  enter,
  hasBody,
  noteFault,
  readBody,
  type Trip,
} from './trip.ts';

/** The service as one function from a request to its answer. It never throws. */
export function createApp(source: AppSource): (request: Request) => Promise<Response> {
  const findRoute = createRouter(source.prefix);
  const app: App = { ...source, largeBodies: createLargeBodies(largestBody(source.mostRecords)) };
  return async (request) => {
    try {
      const trip: Trip = { request, url: readUrl(request) };
      if (request.method === 'OPTIONS') return toResponse(preflightResponse(request));
      const answer = await answerOrRefuse(app, trip, findRoute(request));
      if (isClients(trip)) {
        const world = trip.world ?? (await openHome(source));
        if (world !== undefined) writeDown(world, trip, answer);
      }
      return toResponse(request.method === 'HEAD' ? withoutBody(answer) : answer);
    } catch (error) {
      return toResponse(answerError(error as Error));
    }
  };
}

async function answerOrRefuse(
  app: App,
  trip: Trip,
  match: Match | undefined,
): Promise<PlainResponse> {
  try {
    return await answerTrip(app, trip, match);
  } catch (error) {
    return answerError(error as Error);
  }
}

function answerTrip(app: App, trip: Trip, match: Match | undefined): Promise<PlainResponse> {
  if (match === undefined) return refuseUnknownRoute(app, trip);
  const { route, parameters } = match;
  if (route.kind === 'openapi') return answerOpenApi(app);
  trip.operation = route.name;
  return route.kind === 'media'
    ? answerMediaRoute(app, trip, route.name, parameters)
    : answerOperation(app, trip, route.name, parameters);
}

async function answerOpenApi({ prefix }: AppSource): Promise<PlainResponse> {
  const { createOpenApi } = await import('./openapi.ts');
  return jsonResponse(200, createOpenApi(prefix, version));
}

/** What a client asked for, where the route is known. */
interface ClientTrip extends Trip {
  operation?: ClientOperation;
}

/** What a client did goes into the journal; what a tester did by the control API does not. */
function isClients(trip: Trip): trip is ClientTrip {
  const { operation, request, url } = trip;
  const asked = operation === undefined ? !isOwn(url) : isClientOperation(operation);
  return asked && !isTesters(request);
}

/** Where its world cannot be opened, a request goes unrecorded: the answer to it stands. */
function openHome({ worlds, homeKey }: AppSource): Promise<WorldState | undefined> {
  return worlds.open(homeKey).catch(() => undefined);
}

function writeDown(world: WorldState, trip: ClientTrip, answer: PlainResponse): void {
  const { request, operation, body, fault } = trip;
  const at = world.clock.now();
  const { startedAt = at } = trip;
  world.journal.add({ startedAt, at, operation, fault, request, body, response: answer });
  announce(world, 'exchange');
}

function isOwn({ pathname }: URL): boolean {
  return pathname === openApiPath || pathname.startsWith(`${controlPath}/`);
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

function answerError(error: Error): PlainResponse {
  return error instanceof Problem
    ? problemResponse(error)
    : jsonResponse(500, { errors: [ownFault(error)] });
}

async function answerMediaRoute(
  { worlds }: AppSource,
  trip: Trip,
  name: MediaRouteName,
  parameters: Match['parameters'],
): Promise<PlainResponse> {
  const { playbackId, sessionId, rendition = 'source', file = '' } = parameters;
  const find = (world: WorldState) => findMediaSession(world, { playbackId, sessionId });
  const world = await worlds.find((candidate) => find(candidate) !== undefined);
  const session = world && find(world);
  if (world === undefined || session === undefined) {
    throw new Problem('unknown', {
      path: 'path',
      expected: 'media of a session that this mock knows',
      got: describeValue(trip.url.pathname),
    });
  }
  enter(trip, world);
  const id = playbackId ?? session.id;
  const carryOut = (afresh = false): Promise<PlainResponse> => {
    const request = afresh ? new Request(trip.request.url) : trip.request;
    return mediaHandlers[name]({ request, world, session, rendition, file });
  };
  const { faults, clock } = world;
  const parts = { faults, clock, request: trip.request, carryOut, onFault: noteFault(trip) };
  return answerFaulty(parts, { operation: name, method: trip.request.method, id, file });
}

async function refuseUnknownRoute(source: AppSource, trip: Trip): Promise<never> {
  const { apiKeys, prefix } = source;
  const apiKey = readCredential(trip.request, apiKeys);
  if (apiKey !== undefined) enter(trip, await source.worlds.open(apiKey));
  if (hasBody(trip.request)) await readBody(trip);
  const asked = `${trip.request.method} ${trip.url.pathname}`;
  const routes = [
    ...Object.values(operations).map(
      (operation) => `${operation.method} ${pathOf(operation, prefix)}`,
    ),
    ...[...Object.values(mediaRoutes), openApiPath].map((route) => `GET ${route}`),
  ];
  throw new Problem('unknown', {
    path: 'path',
    expected: `a known route such as ${nearestRoute(asked, routes)}`,
    got: describeValue(asked),
  });
}

function ownFault(error: Error): string {
  return `this is a fault of livestream-mock itself, please report it: ${error.message}`;
}
