import { type Context, Hono } from 'hono';
import { version } from '../../package.json' with { type: 'json' };
import { describeValue, Problem } from '../problem.ts';
import { validate } from '../validate.ts';
import type { WorldState } from '../world.ts';
import { answerJson, answerPreflight, answerProblem } from './answer.ts';
import { bodyLimit, readJson } from './body.ts';
import { missingCredential, readCredential } from './credential.ts';
import { handlers } from './handlers.ts';
import { findMediaSession, type MediaRouteName, mediaHandlers, mediaRoutes } from './media.ts';
import { nearestRoute } from './nearest.ts';
import { type Operation, type OperationName, operations, pathOf } from './operations.ts';

/** What the HTTP layer needs of the mock. */
export interface AppSource {
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** Exactly the accepted keys; `undefined` for any key of the form `test-…`. */
  readonly apiKeys: readonly string[] | undefined;
  /** The world of a key that is accepted. */
  readonly openWorld: (apiKey: string) => Promise<WorldState>;
  /** The world that has a record for which `has` holds. */
  readonly findWorld: (has: (world: WorldState) => boolean) => Promise<WorldState | undefined>;
}

/** What travels with a request through the router: its address, taken apart once. */
interface AppEnv {
  Bindings: { readonly url: URL };
}

const openApiPath = '/openapi.json';

/** The service as one function from a request to its answer. It never throws. */
export function createApp(source: AppSource): (request: Request) => Promise<Response> {
  const app = new Hono<AppEnv>({ strict: false });
  app.options('*', ({ req }) => answerPreflight(req.raw));
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    app.on(operation.method, honoPath(pathOf(operation, source.prefix)), (context) =>
      answerOperation(source, context, name),
    );
  }
  for (const [name, path] of Object.entries(mediaRoutes) as [MediaRouteName, string][]) {
    app.get(honoPath(path), (context) => answerMediaRoute(source, context, name));
  }
  app.get(openApiPath, async () => {
    const { createOpenApi } = await import('./openapi.ts');
    return answerJson(200, createOpenApi(source.prefix, version));
  });
  app.notFound(({ req }) => answerUnknownRoute(source, req.raw, req.path));
  app.onError(answerError);
  return async (request) => {
    try {
      const url = readUrl(request);
      if (methods.has(request.method)) return await app.fetch(request, { url });
      return await answerUnknownRoute(source, request, url.pathname);
    } catch (error) {
      return answerError(error as Error);
    }
  };
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

function answerError(error: Error): Response {
  return error instanceof Problem
    ? answerProblem(error)
    : answerJson(500, { errors: [ownFault(error)] });
}

/** In the field's order: bad key, bad body, no key, wrong body, and then what the service says. */
async function answerOperation(
  source: AppSource,
  { req, env }: Context<AppEnv>,
  name: OperationName,
): Promise<Response> {
  const operation = operations[name];
  const request = req.raw;
  const apiKey = readCredential(request, source.apiKeys);
  const body = await readBody(request, operation.bodyLimit);
  if (apiKey === undefined) throw missingCredential(source.apiKeys);
  const world = await source.openWorld(apiKey);
  const { url } = env;
  return handlers[name]({
    world,
    origin: url.origin,
    url,
    id: req.param('id') ?? req.param('parentId') ?? '',
    body: operation.body && validate(operation.body, body),
  });
}

async function answerMediaRoute(
  { findWorld }: AppSource,
  { req }: Context<AppEnv>,
  name: MediaRouteName,
): Promise<Response> {
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
  return mediaHandlers[name]({ request: req.raw, world, session, rendition, file });
}

async function answerUnknownRoute(
  { apiKeys, prefix }: AppSource,
  request: Request,
  path: string,
): Promise<Response> {
  readCredential(request, apiKeys);
  await readBody(request);
  const asked = `${request.method} ${path}`;
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

async function readBody(request: Request, limit = bodyLimit): Promise<unknown> {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(request.method);
  return hasBody ? readJson(request, limit) : undefined;
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function ownFault(error: Error): string {
  return `this is a fault of livestream-mock itself, please report it: ${error.message}`;
}
