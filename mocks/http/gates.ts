import { isRefusal } from '../../interface/cells.ts';
import { type Manners, usualManners } from '../../interface/dialect.ts';
import {
  type Asked,
  type ErrorClass,
  isBodyOperation,
  type ListOperation,
} from '../../interface/errors.ts';
import { isClientOperation, isInterfaceOperation } from '../../interface/operation-names.ts';
import type { Operation } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { validate } from '../messages/validate.ts';
import { cellOf, meet } from '../service/meet.ts';
import { findChangeable, findParent, meetState } from '../service/queries.ts';
import { readFields } from '../service/read-fields.ts';
import type { WorldState } from '../service/world.ts';
import { acceptsKey, expectedKey } from '../stores/open-worlds.ts';
import {
  type App,
  enterWorld,
  type Gate,
  type RequestContext,
  type RouteGates,
  type Rules,
} from './context.ts';
import { checkQuery } from './lists.ts';
import { readBytes, readJson } from './read-body.ts';
import { isOffered, type OperationName, operationNames, operations } from './routes.ts';
import { refuseOptions, refuseRoute } from './unknown-route.ts';

/** What is checked of a request, by the class of errors that is noticed. */
const gates: Readonly<Record<ErrorClass, Gate>> = {
  key: enterWorldOfKey,
  'no-key': requireKey,
  body: readBody,
  fields: readBodyFields,
  id: findById,
  state: checkState,
  query: readQuery,
  route: refuseRoute,
};

/** What must be known of a request before a fault can match it. */
const checkedBeforeFaults: ReadonlySet<ErrorClass> = new Set(['key', 'no-key', 'body']);

const keysFirst: readonly ErrorClass[] = ['key', 'no-key'];

/** The rules that follow from how a service behaves. */
export function createRules(manners: Manners): Rules {
  const { orders, rows } = manners;
  const first = typeof rows['cors.origins'].requests === 'object' ? [refuseOrigin] : [];
  const gatesOf = (name: OperationName): RouteGates => {
    if (!isOffered(name, manners)) {
      return { beforeFaults: [...first, ...toGates(orders.unknownRoute)], afterFaults: [] };
    }
    const order = orderOf(name, manners);
    const split = 1 + order.findLastIndex((check) => checkedBeforeFaults.has(check));
    return {
      beforeFaults: [...first, ...toGates(order.slice(0, split))],
      afterFaults: toGates(order.slice(split)),
    };
  };
  const entries = operationNames.map((name) => [name, gatesOf(name)]);
  return {
    manners,
    gates: Object.fromEntries(entries) as Rules['gates'],
    unknownRoute: [...first, ...toGates(orders.unknownRoute)],
    staticRoute: [...first, ...toGates(orders.unknownRoute.filter((name) => name !== 'route'))],
    options: optionsGates(manners),
  };
}

function optionsGates({ rows }: Manners): Gate[] {
  const { known, unknown } = rows['http.options'];
  const first = typeof rows['cors.origins'].preflights === 'object' ? [refuseOrigin] : [];
  const refuses = typeof known === 'object' || typeof unknown === 'object';
  return refuses ? [...first, refuseOptions] : first;
}

function toGates(order: readonly ErrorClass[]): Gate[] {
  const last = withoutLast('query', withoutLast('id', withoutLast('state', order)));
  return last.map((check) => gates[check]);
}

/** What the handler checks first of all needs no gate: the query, the id, and then the state. */
function withoutLast(check: ErrorClass, order: readonly ErrorClass[]): readonly ErrorClass[] {
  return order.at(-1) === check ? order.slice(0, -1) : order;
}

/** The rules for testers, and for all that is not the interface. */
export const usualRules: Rules = createRules(usualManners);

/** Lets a request pass, or refuses it. */
export async function passGates(
  passed: readonly Gate[],
  app: App,
  context: RequestContext,
): Promise<void> {
  for (const gate of passed) {
    const passing = gate(app, context);
    if (passing !== undefined) await passing;
  }
}

/**
 * A tester's request has no body that is read late. The control API refuses a missing key before it reads
 * a body, as that of an import can be large.
 */
function orderOf(name: OperationName, { orders }: Manners): readonly ErrorClass[] {
  if (isClientOperation(name)) return orders[name];
  return name === 'importState' ? keysFirst : [...keysFirst, 'body', 'fields'];
}

function refuseOrigin(_app: App, { request, rules }: RequestContext): void {
  const origin = request.headers.get('origin');
  if (origin === null) return;
  const { requests, preflights } = rules.manners.rows['cors.origins'];
  const refusal = request.method === 'OPTIONS' ? preflights : requests;
  throw new Problem('forbidden', {
    path: 'header origin',
    expected: 'none, or one that is allowed here',
    got: describeValue(origin),
    refusal: typeof refusal === 'object' ? refusal : undefined,
  });
}

/** What a request asks for, as the table of errors names it. */
export function askedOf({ asked, operation }: RequestContext): Asked {
  if (asked !== undefined) return asked;
  return operation !== undefined && isInterfaceOperation(operation) ? operation : 'unknownRoute';
}

/** Enters the world of the key; where a dialect takes a key that is not accepted, that of the mock's first. */
async function enterWorldOfKey(app: App, context: RequestContext): Promise<void> {
  const { apiKeys, worlds } = app;
  const header = context.request.headers.get('authorization');
  if (header === null || header === '') return;
  const given = /^bearer +(\S+) *$/i.exec(header)?.[1];
  const error = errorOfHeader(header, given, apiKeys);
  const got = given === undefined ? 'a malformed value' : 'an unknown key';
  if (error !== undefined) meetKey(app, context, error, got);
  const key = given ?? header.split(/ +/).at(-1) ?? '';
  enterWorld(context, await worlds.open(acceptsKey(apiKeys, key) ? key : firstKey(app)));
}

function requireKey(app: App, context: RequestContext): Promise<void> | undefined {
  if (context.world !== undefined || context.request.headers.get('authorization')) return undefined;
  meetKey(app, context, 'key:none', 'nothing');
  return app.worlds.open(firstKey(app)).then((world) => enterWorld(context, world));
}

function firstKey({ apiKeys }: App): string {
  return apiKeys?.[0] ?? 'test-demo';
}

/** Meets a key that is missing or not accepted. @throws Problem 401; the text shows no key */
function meetKey({ apiKeys }: App, context: RequestContext, error: string, got: string): void {
  const expected = `"Bearer <API key>" with ${expectedKey(apiKeys)}`;
  const problem = () =>
    new Problem('unauthorized', { path: 'header authorization', expected, got, error });
  meet(context.rules.manners, askedOf(context), { error, problem }, undefined);
}

/** What is wrong with a header that has a key; `undefined` where it is accepted. */
function errorOfHeader(
  header: string,
  given: string | undefined,
  apiKeys: readonly string[] | undefined,
): string | undefined {
  if (given === undefined) {
    if (/^bearer\s*$/i.test(header)) return 'key:empty';
    return header.includes(' ') ? 'key:scheme' : 'key:bare';
  }
  if (!acceptsKey(apiKeys, given)) return errorOfKey(given, apiKeys ?? []);
  return header.startsWith('Bearer ') ? undefined : 'key:scheme-case';
}

function errorOfKey(given: string, apiKeys: readonly string[]): string {
  if (apiKeys.some((key) => key.startsWith(given))) return 'key:cut';
  return apiKeys.some((key) => given.startsWith(key)) ? 'key:extended' : 'key:wrong';
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);
/** Most bytes of a body, whatever a dialect says. */
const mostBytes = 16 * 1024 * 1024;

/** Bodies of GET and DELETE are ignored. */
function readBody(_app: App, context: RequestContext): Promise<void> | undefined {
  return bodyMethods.has(context.request.method) ? readBodyOf(context) : undefined;
}

async function readBodyOf(context: RequestContext): Promise<void> {
  const { request, rules } = context;
  const { manners } = rules;
  const asked = askedOf(context);
  const cell = cellOf(manners, asked, 'body:large');
  const most = cell !== undefined && isRefusal(cell) ? (cell.above ?? mostBytes) : mostBytes;
  const bytes = await readBytes(request, Math.min(most, mostBytes));
  if (bytes.length > 0) context.body = bytes;
  context.json = await readJson(request.headers, bytes, { manners, asked });
}

/** Checks the body by its schema, or reads it as a dialect does. @throws Problem 422, or as the dialect refuses */
function readBodyFields(_app: App, context: RequestContext): void {
  const { manners } = context.rules;
  const name = context.operation as OperationName;
  const { body: schema }: Operation = operations[name];
  if (manners !== usualManners && isBodyOperation(name)) {
    context.json = readFields(manners, name, context.json);
  } else context.json = schema && validate(schema, context.json);
}

function readQuery(_app: App, { operation, url, rules }: RequestContext): void {
  checkQuery(url, operation as ListOperation, rules.manners);
}

/** Finds the stream before the handler does, and refuses an id as the handler would. */
function findById(_app: App, { operation, world, id = '' }: RequestContext): void {
  if (operation === 'listSessionsOfStream') findParent(world as WorldState, id);
  else findChangeable(world as WorldState, id, 'it cannot be changed');
}

/** Meets a live stream before the fields are checked. */
function checkState(_app: App, context: RequestContext): void {
  const { operation, world, id = '', json, rules } = context;
  if (operation === 'setRecord' || operation === 'updateStream') {
    meetState(world as WorldState, id, operation, json, rules.manners);
  }
}
