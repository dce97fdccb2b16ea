import { isClientOperation } from '../../interface/operation-names.ts';
import type { Operation } from '../../interface/operations.ts';
import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import type { Check } from '../../interface/silent-orders.ts';
import { largestAccepted } from '../../interface/silent-row.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { findChangeable, findParent } from '../service/queries.ts';
import type { WorldState } from '../service/world.ts';
import { readBytes, readJson } from './bodies/read-body.ts';
import { checkBody } from './check-body.ts';
import type { ListName } from './choice.ts';
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
import { isOffered, type OperationName, operationNames, operations } from './routes.ts';
import { refuseRoute, refuseUnknownPath } from './unknown-route.ts';

/** What is checked of a request, by the names in the rows `order.…`. */
const gates: Readonly<Record<Check, Gate>> = {
  'wrong-key': enterWorldOfKey,
  'no-key': requireKey,
  body: readBody,
  fields: readFields,
  id: findById,
  query: readQuery,
  route: refuseRoute,
};

/** What must be known of a request before a fault can match it. */
const checkedBeforeFaults: ReadonlySet<Check> = new Set(['wrong-key', 'no-key', 'body']);

const keysFirst: readonly Check[] = ['wrong-key', 'no-key'];

/** The rules that follow from how a service behaves. */
export function createRules(behaviours: Behaviours): Rules {
  const first = typeof behaviours['cors.requests'] === 'object' ? [refuseOrigin] : [];
  const unknownRoute = [...first, ...toGates(behaviours['order.unknown-route'])];
  const gatesOf = (name: OperationName): RouteGates => {
    if (!isOffered(name, behaviours)) return { beforeFaults: unknownRoute, afterFaults: [] };
    const order = orderOf(name, behaviours);
    const split = 1 + order.findLastIndex((check) => checkedBeforeFaults.has(check));
    return {
      beforeFaults: [...first, ...toGates(order.slice(0, split))],
      afterFaults: toGates(order.slice(split)),
    };
  };
  const entries = operationNames.map((name) => [name, gatesOf(name)]);
  return {
    behaviours,
    gates: Object.fromEntries(entries) as Rules['gates'],
    unknownRoute,
    options: [...first, ...optionsGates(behaviours)],
  };
}

function optionsGates(behaviours: Behaviours): Gate[] {
  if (typeof behaviours['http.options'] === 'object') return [refuseRoute];
  return behaviours['http.options-unknown-route'] === 'as-known' ? [] : [refuseUnknownPath];
}

function toGates(order: readonly Check[]): Gate[] {
  return withoutLast('query', withoutLast('id', order)).map((check) => gates[check]);
}

/** What the handler checks first of all needs no gate: the query, and then the id. */
function withoutLast(check: Check, order: readonly Check[]): readonly Check[] {
  return order.at(-1) === check ? order.slice(0, -1) : order;
}

/** The rules for testers, and for all that is not the interface. */
export const usualRules: Rules = createRules(usualBehaviours);

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
 * Where no row says the order, the request has no body that is read. The control API refuses a missing
 * key before it reads a body, as it takes large ones, which it reads in parts.
 */
function orderOf(name: OperationName, behaviours: Behaviours): readonly Check[] {
  if (!isClientOperation(name)) {
    const { largeBody }: Operation = operations[name];
    return largeBody ? keysFirst : [...keysFirst, 'body', 'fields'];
  }
  const orders: Readonly<Record<string, unknown>> = behaviours;
  const order = (orders[`order.${name}`] ?? []) as readonly Check[];
  return order.includes('no-key') ? order : [...keysFirst, ...order];
}

function refuseOrigin(_app: App, { request }: RequestContext): void {
  const origin = request.headers.get('origin');
  if (origin === null) return;
  throw new Problem('forbidden', {
    path: 'header origin',
    expected: 'none, or one that is allowed here',
    got: describeValue(origin),
    row: 'cors.requests',
  });
}

async function enterWorldOfKey({ apiKeys, worlds }: App, context: RequestContext): Promise<void> {
  const { request, rules } = context;
  const apiKey = readCredential(request, apiKeys, rules.behaviours['auth.scheme-case']);
  if (apiKey !== undefined) enterWorld(context, await worlds.open(apiKey));
}

function requireKey({ apiKeys }: App, { world, request }: RequestContext): void {
  if (world !== undefined || request.headers.get('authorization')) return;
  throw missingCredential(apiKeys, 'refusal.no-key', 'nothing');
}

/** Bodies of GET and DELETE are ignored. */
function readBody(_app: App, context: RequestContext): Promise<void> | undefined {
  return bodyMethods.has(context.request.method) ? readJsonBody(context) : undefined;
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

async function readJsonBody(context: RequestContext): Promise<void> {
  const { request, rules } = context;
  const limit = Math.min(largestAccepted(rules.behaviours['http.body-size']), mostBytes);
  const bytes = await readBytes(request, limit);
  if (bytes.length > 0) context.body = bytes;
  context.json = readJson(request.headers, bytes, rules.behaviours);
}

/** Most bytes of a body, whatever a dialect says. */
const mostBytes = 16 * 1024 * 1024;

function readFields(_app: App, context: RequestContext): void {
  const { operation, rules, json } = context;
  context.json = checkBody(operation as OperationName, rules.behaviours, json);
}

function readQuery(_app: App, { operation, url, rules }: RequestContext): void {
  checkQuery(url, operation as ListName, rules.behaviours);
}

/** Finds the stream before the handler does, and refuses an id as the handler would. */
function findById(_app: App, { operation, world, id = '' }: RequestContext): void {
  if (operation === 'listSessionsOfStream') findParent(world as WorldState, id);
  else findChangeable(world as WorldState, id, 'it cannot be changed');
}
