import { isRefusal } from '../../interface/dialect/cells.ts';
import {
  type ErrorClass,
  type ErrorId,
  isBodyOperation,
  type ListOperation,
} from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isClientOperation } from '../../interface/operation-names.ts';
import type { Operation } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { validate } from '../messages/validate.ts';
import { acceptOrRefuse, cellOf } from '../service/accept-or-refuse.ts';
import { readFields } from '../service/read-fields.ts';
import { checkStateErrors } from '../service/sessions.ts';
import type { OpenWorld } from '../service/world.ts';
import { acceptsKey, expectedKey, homeKeyOf } from '../state/api-keys.ts';
import { findChangeable, findParent } from '../state/find.ts';
import { enterWorld, errorSiteOf, type RequestContext } from './context.ts';
import { readListQuery } from './list-query.ts';
import { readBytes, readJson } from './read-body.ts';
import { type OperationName, operations } from './routes.ts';

/** Refuses a request by a Problem, or notes in its context what it has found. */
type Check = (context: RequestContext) => void | Promise<void> | undefined;

/** The check for each class of errors. A request that has an operation has the right route, so that needs none. */
const checkOf: Readonly<Record<Exclude<ErrorClass, 'route'>, Check>> = {
  key: enterWorldOfKey,
  'no-key': requireKey,
  body: readBody,
  fields: readBodyFields,
  id: findById,
  state: checkState,
  query: ({ operation, url, dialect }) =>
    void readListQuery({ url, dialect }, operation as ListOperation),
};

/** Checks a request for some classes of errors. @throws Problem if it has one that is refused */
export async function runChecks(
  checks: readonly ErrorClass[],
  context: RequestContext,
): Promise<void> {
  for (const check of checks) {
    const pending = check === 'route' ? undefined : checkOf[check](context);
    if (pending !== undefined) await pending;
  }
}

/** The checks that come before a fault can match a request. */
const checkedBeforeFaults: readonly ErrorClass[] = ['key', 'no-key', 'body'];

/** The checks of a request for an operation, in order: those before a fault can match it, and those after. */
export function checksOf(
  name: OperationName,
  dialect: ResolvedDialect,
): Readonly<Record<'beforeFaults' | 'afterFaults', readonly ErrorClass[]>> {
  const order = orderOf(name, dialect);
  const split = 1 + order.findLastIndex((check) => checkedBeforeFaults.includes(check));
  const afterFaults = order.slice(split);
  // What the handler itself checks first needs no check here: the query, the id, and then the state.
  for (const check of ['state', 'id', 'query']) {
    if (afterFaults.at(-1) === check) afterFaults.pop();
  }
  return { beforeFaults: order.slice(0, split), afterFaults };
}

/**
 * The order of the checks. The control API refuses a missing key before it reads a body, because that of an import
 * can be large.
 */
function orderOf(name: OperationName, { orders }: ResolvedDialect): readonly ErrorClass[] {
  if (isClientOperation(name)) return orders[name];
  return name === 'importState' ? ['key', 'no-key'] : ['key', 'no-key', 'body', 'fields'];
}

/**
 * Refuses pages of other origins if the dialect does, once their key is accepted. Any page may use playback.
 * @throws Problem 403, or as the dialect says.
 */
export function refuseOrigin(context: RequestContext): void {
  const { request, dialect, operation } = context;
  const { requests, preflights } = dialect.behaviours['cors.origins'];
  const refusal = request.method === 'OPTIONS' ? preflights : requests;
  if (typeof refusal !== 'object' || operation === 'retrievePlayback') return;
  const origin = request.headers.get('origin');
  if (origin === null) return;
  const expected = 'an origin that is allowed here, or none';
  const got = describeValue(origin);
  throw new Problem('forbidden', { path: 'header origin', expected, got, refusal });
}

/** Enters the world of the key, or the home world if a dialect accepts an unknown key. */
async function enterWorldOfKey(context: RequestContext): Promise<void> {
  const { app } = context;
  const { apiKeys } = app.settings;
  const header = context.request.headers.get('authorization');
  if (header === null || header === '') return;
  const sentKey = /^bearer +(\S+) *$/i.exec(header)?.[1];
  const error = errorOfHeader(header, sentKey, apiKeys);
  const got = sentKey === undefined ? 'a malformed value' : 'an unknown key';
  if (error !== undefined) checkKey(context, error, got);
  const key = sentKey ?? header.split(/ +/).at(-1) ?? '';
  enterWorld(context, await app.worlds.open(acceptsKey(apiKeys, key) ? key : homeKeyOf(apiKeys)));
}

function requireKey(context: RequestContext): Promise<void> | undefined {
  const { worlds, settings } = context.app;
  if (context.world !== undefined || context.request.headers.get('authorization')) return undefined;
  checkKey(context, 'key:none', 'nothing');
  return worlds.open(homeKeyOf(settings.apiKeys)).then((world) => enterWorld(context, world));
}

/** Checks a key that is missing or not accepted. @throws Problem 401; the text shows no key */
function checkKey(context: RequestContext, error: ErrorId, got: string): void {
  const expected = `"Bearer <API key>" with ${expectedKey(context.app.settings.apiKeys)}`;
  const issue = { path: 'header authorization', expected, got, error };
  const problem = new Problem('unauthorized', issue);
  acceptOrRefuse(errorSiteOf(context), problem);
}

/** What is wrong with a header that has a key; `undefined` if it is accepted. */
function errorOfHeader(
  header: string,
  sentKey: string | undefined,
  apiKeys: readonly string[] | undefined,
): ErrorId | undefined {
  if (sentKey === undefined) {
    if (/^bearer\s*$/i.test(header)) return 'key:empty';
    return header.includes(' ') ? 'key:scheme' : 'key:bare';
  }
  if (acceptsKey(apiKeys, sentKey)) {
    return header.startsWith('Bearer ') ? undefined : 'key:scheme-case';
  }
  if (apiKeys?.some((key) => key.startsWith(sentKey))) return 'key:cut';
  return apiKeys?.some((key) => sentKey.startsWith(key)) ? 'key:extended' : 'key:wrong';
}

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);
/** Maximum size of a body, in bytes, whatever a dialect says. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Bodies of GET and DELETE are ignored. */
async function readBody(context: RequestContext): Promise<void> {
  if (!methodsWithBody.has(context.request.method)) return;
  const { request } = context;
  const site = errorSiteOf(context);
  const cell = cellOf(site, 'body:large');
  const limit = isRefusal(cell) ? (cell.above ?? maxBodyBytes) : maxBodyBytes;
  const bytes = await readBytes(request, Math.min(limit, maxBodyBytes));
  if (bytes.length > 0) context.body = bytes;
  context.json = await readJson(request.headers, bytes, site);
}

/** Reads the fields of a body, or checks one of the control API. @throws Problem 422, or as the dialect refuses */
function readBodyFields(context: RequestContext): void {
  const { dialect, json } = context;
  const name = context.operation as OperationName;
  const { body: schema }: Operation = operations[name];
  if (isBodyOperation(name)) context.fields = readFields(dialect, name, json);
  else context.fields = schema && validate(schema, json);
}

/** Finds the stream before the handler does, and refuses an id as the handler would. */
function findById({ operation, world, id = '' }: RequestContext): void {
  const { records } = (world as OpenWorld).state;
  if (operation === 'listSessionsOfStream') findParent(records, id);
  else findChangeable(records, id, 'it cannot be changed');
}

/** Refuses changes that are not allowed while a stream is live. */
function checkState(context: RequestContext): void {
  const { operation, dialect, id = '', json } = context;
  const world = context.world as OpenWorld;
  if (operation === 'setRecord' || operation === 'updateStream') {
    checkStateErrors({ world, dialect }, id, operation, json);
  }
}
