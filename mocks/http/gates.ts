import { isRefusal } from '../../interface/cells.ts';
import { type Manners, usualManners } from '../../interface/dialect.ts';
import type { Asked, ErrorClass, ListOperation } from '../../interface/errors.ts';
import { isClientOperation, isInterfaceOperation } from '../../interface/operation-names.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { cellOf, meet } from '../service/meet.ts';
import { findChangeable, findParent, meetState } from '../service/queries.ts';
import type { WorldState } from '../service/world.ts';
import { checkBody } from './check-body.ts';
import {
  type App,
  enterWorld,
  type Gate,
  type RequestContext,
  type RouteGates,
  type Rules,
} from './context.ts';
import { missingCredential, readCredential } from './credential.ts';
import { checkQuery } from './lists.ts';
import { readBytes, readJson } from './read-body.ts';
import { isOffered, type OperationName, operationNames } from './routes.ts';
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

async function enterWorldOfKey({ apiKeys, worlds }: App, context: RequestContext): Promise<void> {
  const { request, rules } = context;
  const asking = { request, manners: rules.manners, asked: askedOf(context) };
  const apiKey = readCredential(asking, apiKeys);
  if (apiKey !== undefined) enterWorld(context, await worlds.open(apiKey));
}

function requireKey({ apiKeys, worlds }: App, context: RequestContext): Promise<void> | undefined {
  const { world, request, rules } = context;
  if (world !== undefined || request.headers.get('authorization')) return undefined;
  const problem = () => missingCredential(apiKeys, 'key:none', 'nothing');
  meet(rules.manners, askedOf(context), { error: 'key:none', problem }, undefined);
  const opening = worlds.open(apiKeys?.[0] ?? 'test-demo');
  return opening.then((opened) => enterWorld(context, opened));
}

/** Bodies of GET and DELETE are ignored. */
function readBody(_app: App, context: RequestContext): Promise<void> | undefined {
  return bodyMethods.has(context.request.method) ? readJsonBody(context) : undefined;
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

async function readJsonBody(context: RequestContext): Promise<void> {
  const { request, rules } = context;
  const { manners } = rules;
  const asked = askedOf(context);
  const cell = cellOf(manners, asked, 'body:large');
  const most = cell !== undefined && isRefusal(cell) ? (cell.above ?? mostBytes) : mostBytes;
  const bytes = await readBytes(request, Math.min(most, mostBytes));
  if (bytes.length > 0) context.body = bytes;
  context.json = await readJson(request.headers, bytes, { manners, asked });
}

/** Most bytes of a body, whatever a dialect says. */
const mostBytes = 16 * 1024 * 1024;

function readBodyFields(_app: App, context: RequestContext): void {
  const { operation, rules, json } = context;
  context.json = checkBody(operation as OperationName, rules.manners, json);
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
