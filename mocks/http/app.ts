import { type Context, Hono } from 'hono';
import { version } from '../../package.json' with { type: 'json' };
import { answerFaulty } from '../faults/answer-faulty.ts';
import { describeValue, Problem } from '../problem.ts';
import { validate } from '../validate.ts';
import { announce, type WorldState } from '../world.ts';
import {
  type Answer,
  answerJson,
  answerPreflight,
  answerProblem,
  toResponse,
  withoutBody,
} from './answer.ts';
import { bodyLimit, readBytes, readJson } from './body.ts';
import type { ControlOperationName } from './control-operations.ts';
import { missingCredential, readCredential, sentKey } from './credential.ts';
import { handlers } from './handlers.ts';
import { findMediaSession, mediaHandlers, mediaRoutes } from './media.ts';
import { nearestRoute } from './nearest.ts';
import type { Operation } from './operation.ts';
import { type ClientOperation, isClientOperation, type MediaRouteName } from './operation-names.ts';
import { controlPath, type OperationName, operations, pathOf } from './operations.ts';
import { isTesters } from './tester.ts';

/** What the HTTP layer needs of the mock. */
export interface AppSource {
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** Exactly the accepted keys; `undefined` for any key of the form `test-…`. */
  readonly apiKeys: readonly string[] | undefined;
  /** The world of a key that is accepted. */
  readonly openWorld: (apiKey: string) => Promise<WorldState>;
  /** Whose journal keeps the requests that name no key. */
  readonly homeKey: string;
  /** The world that has a record for which `has` holds. */
  readonly findWorld: (has: (world: WorldState) => boolean) => Promise<WorldState | undefined>;
}

/** One request on its way, and what becomes known of it: this travels through the router. */
interface Trip {
  readonly request: Request;
  /** The request's address, taken apart once. */
  readonly url: URL;
  /** Whose world it concerns; the mock's own where it does not say. */
  world?: WorldState;
  operation?: ClientOperation | ControlOperationName;
  body?: Uint8Array;
  answer?: Answer;
}

interface AppEnv {
  Bindings: Trip;
}

const openApiPath = '/openapi.json';

/** The service as one function from a request to its answer. It never throws. */
export function createApp(source: AppSource): (request: Request) => Promise<Response> {
  const app = createRouter(source);
  return async (request) => {
    try {
      const trip: Trip = { request, url: readUrl(request) };
      const response = methods.has(request.method)
        ? await app.fetch(request, trip)
        : await answerUnknownRoute(source, trip).catch((error) => finish(trip, answerError(error)));
      if (trip.answer === undefined) return response;
      await writeDown(source, trip, trip.answer);
      return trip.answer.status === 0 ? toResponse(trip.answer) : response;
    } catch (error) {
      return toResponse(answerError(error as Error));
    }
  };
}

function createRouter(source: AppSource): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.options('*', ({ req }) => toResponse(answerPreflight(req.raw)));
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    app.on(operation.method, honoPath(pathOf(operation, source.prefix)), async (context) =>
      finish(context.env, await answerOperation(source, context, name)),
    );
  }
  for (const [name, path] of Object.entries(mediaRoutes) as [MediaRouteName, string][]) {
    app.get(honoPath(path), async (context) =>
      finish(context.env, await answerMediaRoute(source, context, name)),
    );
  }
  app.get(openApiPath, async () => {
    const { createOpenApi } = await import('./openapi.ts');
    return toResponse(answerJson(200, createOpenApi(source.prefix, version)));
  });
  app.notFound(({ env }) => answerUnknownRoute(source, env));
  app.onError((error, { env }) => finish(env, answerError(error)));
  return app;
}

function finish(trip: Trip, answer: Answer): Response {
  trip.answer = answer;
  if (trip.request.method !== 'HEAD') return toResponse(answer);
  // Of this response the router makes another, which it cannot of an error.
  return toResponse({ ...withoutBody(answer), status: answer.status || 200 });
}

/** What a client did goes into the journal; what a tester did by the control API does not. */
async function writeDown(source: AppSource, trip: Trip, answer: Answer): Promise<void> {
  const { request, operation, body, url } = trip;
  if (isTesters(request)) return;
  if (operation !== undefined && !isClientOperation(operation)) return;
  if (operation === undefined && url.pathname.startsWith(`${controlPath}/`)) return;
  const world = trip.world ?? (await source.openWorld(source.homeKey));
  const at = world.clock.now();
  const secrets = [sentKey(request), world.apiKey].filter((key) => key !== undefined);
  world.journal.add({ at, operation, request, body, secrets, answer });
  announce(world, 'exchange');
}

/**
 * Methods that the router may see. It looks a method up in a plain object, and writes to what it
 * finds there, so that `__proto__` would change every object of the process.
 */
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** @throws Problem 400 when the address is no URL, as with the host `1.2.3.4.5` over HTTP. */
function readUrl({ url }: Request): URL {
  try {
    return new URL(url);
  } catch {
    throw new Problem(
      400,
      `header host: expected a host that makes a valid URL, got ${describeValue(url)}`,
    );
  }
}

function answerError(error: Error): Answer {
  return error instanceof Problem
    ? answerProblem(error)
    : answerJson(500, { errors: [ownFault(error)] });
}

/** In the field's order: bad key, bad body, no key, wrong body, and then what the service says. */
async function answerOperation(
  source: AppSource,
  { req, env }: Context<AppEnv>,
  name: OperationName,
): Promise<Answer> {
  const operation = operations[name];
  const { url } = env;
  env.operation = name;
  const apiKey = readCredential(env.request, source.apiKeys);
  const world = apiKey === undefined ? undefined : await source.openWorld(apiKey);
  if (world !== undefined) env.world = world;
  const body = await readBody(env, operation.bodyLimit);
  if (world === undefined) throw missingCredential(source.apiKeys);
  const id = Object.values(req.param())[0] ?? '';
  const carryOut = async (): Promise<Answer> => {
    const checked = operation.body && validate(operation.body, body);
    const answer = await handlers[name]({ world, origin: url.origin, url, id, body: checked });
    if (operation.method !== 'GET') await world.saved;
    return answer;
  };
  if (!isClientOperation(name) || isTesters(env.request)) return carryOut();
  return answerFaulty({ world, request: env.request, carryOut }, { operation: name, id });
}

async function answerMediaRoute(
  { findWorld }: AppSource,
  { req, env }: Context<AppEnv>,
  name: MediaRouteName,
): Promise<Answer> {
  env.operation = name;
  const { playbackId, sessionId, rendition = 'source', file = '' } = req.param();
  const find = (world: WorldState) => findMediaSession(world, { playbackId, sessionId });
  const world = await findWorld((candidate) => find(candidate) !== undefined);
  const session = world && find(world);
  if (world === undefined || session === undefined) {
    throw new Problem(
      404,
      `path: expected media of a session that this mock knows, got ${describeValue(req.path)}`,
    );
  }
  env.world = world;
  const id = playbackId ?? session.id;
  const carryOut = (afresh = false): Promise<Answer> => {
    const request = afresh ? new Request(env.request.url) : env.request;
    return mediaHandlers[name]({ request, world, session, rendition, file });
  };
  return answerFaulty({ world, request: env.request, carryOut }, { operation: name, id, file });
}

async function answerUnknownRoute(source: AppSource, trip: Trip): Promise<never> {
  const { apiKeys, prefix } = source;
  const apiKey = readCredential(trip.request, apiKeys);
  if (apiKey !== undefined) trip.world = await source.openWorld(apiKey);
  await readBody(trip);
  const asked = `${trip.request.method} ${trip.url.pathname}`;
  const routes = [
    ...Object.values(operations).map(
      (operation) => `${operation.method} ${pathOf(operation, prefix)}`,
    ),
    ...[...Object.values(mediaRoutes), openApiPath].map((route) => `GET ${route}`),
  ];
  throw new Problem(
    404,
    `path: expected a known route such as ${nearestRoute(asked, routes)}, got ${describeValue(asked)}`,
  );
}

async function readBody(trip: Trip, limit = bodyLimit): Promise<unknown> {
  const { request } = trip;
  if (!['POST', 'PUT', 'PATCH'].includes(request.method)) return undefined;
  const bytes = await readBytes(request, limit);
  if (bytes.length > 0) trip.body = bytes;
  return readJson(request.headers, bytes);
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function ownFault(error: Error): string {
  return `this is a fault of livestream-mock itself, please report it: ${error.message}`;
}
