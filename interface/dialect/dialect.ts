import * as z from 'zod';
import { isSameJson, type Json, jsonSchema } from '../json.ts';
import { orNearest } from '../nearest-name.ts';
import type { BrokenRule } from './behaviour-definition.ts';
import {
  type BehaviourId,
  type Behaviours,
  behaviourIds,
  defaultBehaviours,
  definitionOf,
  httpMethods,
  type NamedBehaviourId,
} from './behaviours.ts';
import { type Cell, isRefusal, type RefusalBody } from './cells.ts';
import { type Endpoint, endpointNames } from './errors.ts';
import { defaultOrders, type Orders, ordersSchema } from './orders.ts';
import {
  type CellOf,
  defaultMatrix,
  isHidden,
  type Matrix,
  readRefusals,
  refusalBodySchema,
  refusalsSchema,
  typeSchema,
  type WrittenRefusals,
} from './refusals.ts';
import { requirementsBroken } from './stated-rules.ts';

/** The behaviours that a dialect changes. If one has several names, only the changed ones. */
export type WrittenBehaviours = {
  readonly [Id in BehaviourId]?: Id extends NamedBehaviourId
    ? Partial<Behaviours[Id]>
    : Behaviours[Id];
};

/** The path of a static route; `{id}` stands for any segment. */
export const routePath: RegExp = /^(?=.{2,500}$)(\/(?!\.\.?(\/|$))([\w.~:@-]+|\{id\}))+$/;

/** A static response at a path that is not part of the interface. */
export interface StaticRoute {
  readonly method: (typeof httpMethods)[number];
  /** Below the API prefix; `{id}` stands for any segment. */
  readonly path: string;
  readonly status: number;
  /** The content type of the body. */
  readonly type?: string;
  readonly json?: Json;
  readonly text?: string;
}

/** How one service handles what the interface leaves open: a file that people review like code. */
export interface Dialect {
  /** The version of the format. */
  readonly dialect: 2;
  /** Which service it describes. */
  readonly name?: string;
  /** What the body of a refusal looks like, unless its cell says otherwise. */
  readonly refusalBody?: RefusalBody;
  /** What happens to each error in each operation; the mock handles other errors as without a dialect. */
  readonly refusals?: WrittenRefusals;
  /** Which errors are reported first. */
  readonly orders?: Partial<Orders>;
  readonly behaviours?: WrittenBehaviours;
  /** Static responses at paths that are not part of the interface. */
  readonly routes?: readonly StaticRoute[];
}

/** A dialect with the mock's own values for everything that it leaves out, as the mock looks it up. */
export interface ResolvedDialect {
  readonly refusalBody: RefusalBody;
  readonly refusals: Matrix;
  readonly orders: Orders;
  readonly behaviours: Behaviours;
  readonly routes: readonly StaticRoute[];
}

const defaultRefusalBody: RefusalBody = {
  type: 'application/json; charset=utf-8',
  json: { errors: ['{message}'] },
};

/** What the mock does without a dialect. */
export const defaultDialect: ResolvedDialect = {
  refusalBody: defaultRefusalBody,
  refusals: defaultMatrix,
  orders: defaultOrders,
  behaviours: defaultBehaviours,
  routes: [],
};

/** Schema of the routes of a dialect. */
const routesSchema: z.ZodType<readonly StaticRoute[]> = z
  .array(
    z.strictObject(
      {
        method: z.enum(httpMethods, 'a method'),
        path: z
          .string('a path')
          .regex(routePath, 'a path such as /user/{id}, of up to 500 characters'),
        status: z.int('a status from 200 to 599').min(200).max(599),
        type: typeSchema.exactOptional(),
        json: jsonSchema.exactOptional(),
        text: z.string('a string').max(100_000, 'up to 100000 characters').exactOptional(),
      },
      'an object with method, path and status, and perhaps type, json or text',
    ),
    'an array of routes',
  )
  .max(1_000, 'up to 1000 routes');

const behaviourSchemas = Object.fromEntries(
  behaviourIds.map((id) => [id, definitionOf(id).values.exactOptional()]),
);

const behavioursSchema = z.strictObject(behaviourSchemas, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `known behaviours${orNearest(String(issue.keys[0]), behaviourIds)}`
      : 'an object of behaviours',
});

/** Schema of a dialect file. An unknown name is refused, and so is another version. */
export const dialectSchema: z.ZodType<Dialect> = z.strictObject(
  {
    dialect: z.literal(2, '2, the version of the format that `livestream-mock learn` writes'),
    name: z
      .string('a string')
      .regex(/^\P{Cc}{1,100}$/u, 'one line of up to 100 characters')
      .exactOptional(),
    refusalBody: refusalBodySchema.exactOptional(),
    refusals: refusalsSchema.exactOptional(),
    orders: ordersSchema.exactOptional(),
    behaviours: behavioursSchema.exactOptional(),
    routes: routesSchema.exactOptional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? 'known keys (dialect, name, refusalBody, refusals, orders, behaviours, routes)'
        : 'an object with dialect, the version 2',
  },
) as unknown as z.ZodType<Dialect>;

/** Completes a dialect with the mock's own values. */
export function resolveDialect(dialect: Dialect | undefined): ResolvedDialect {
  if (dialect === undefined) return defaultDialect;
  const { refusalBody = defaultRefusalBody, refusals = {}, behaviours = {}, routes = [] } = dialect;
  return {
    refusalBody,
    refusals: readRefusals(refusals),
    orders: { ...defaultOrders, ...dialect.orders },
    behaviours: readBehaviours(behaviours),
    routes,
  };
}

function readBehaviours(written: WrittenBehaviours): Behaviours {
  const entries = behaviourIds.map((id) => {
    const { isNamed, default: usual } = definitionOf(id);
    const value = written[id] === undefined ? usual : written[id];
    return [id, isNamed ? { ...(usual as object), ...(value as object) } : value];
  });
  return Object.fromEntries(entries) as unknown as Behaviours;
}

/** The behaviours that are not the mock's own, in the order of the table. */
export function writeBehaviours(behaviours: WrittenBehaviours): WrittenBehaviours {
  const written = behaviourIds.flatMap((id) => {
    const { isNamed, default: usual } = definitionOf(id);
    const value = behaviours[id];
    if (value === undefined) return [];
    const part = isNamed ? differing(Object(value), Object(usual)) : value;
    return isSameJson(part, isNamed ? {} : usual) ? [] : [[id, part] as const];
  });
  return Object.fromEntries(written);
}

/** The entries of an object that differ from those of another one. */
export function differing<Whole extends object>(
  value: Partial<Whole>,
  usual: Whole,
): Partial<Whole> {
  const usuals = new Map(Object.entries(usual));
  const entries = Object.entries(value).filter(([key, part]) => !isSameJson(part, usuals.get(key)));
  return Object.fromEntries(entries) as Partial<Whole>;
}

/** The stated rules that a dialect breaks on purpose. */
export function breachesOf(dialect: Dialect | undefined): BrokenRule[] {
  if (dialect === undefined) return [];
  const { refusals, behaviours } = resolveDialect(dialect);
  const cellOf: CellOf = (endpoint, error) => refusals[endpoint].get(error);
  const byCells = endpointNames.flatMap((endpoint) =>
    [...refusals[endpoint]].flatMap(([id, cell]): BrokenRule[] => {
      const requirements = requirementsBroken(endpoint, id, cell);
      if (requirements.length === 0 || isHidden(endpoint, id, cellOf)) return [];
      const statement = `${endpoint}: ${id} is ${describeCell(cell)}.`;
      return [{ statement, requirements }];
    }),
  );
  const byBehaviours = behaviourIds.flatMap(
    (id) => definitionOf(id).breaks?.(behaviours[id]) ?? [],
  );
  return [...byCells, ...byBehaviours, ...breachOfPaging(behaviours)];
}

/** Only the two behaviours together break this rule. */
function breachOfPaging({ 'list.next': next, 'list.page-size': size }: Behaviours): BrokenRule[] {
  const isWhole =
    size.listSessionsOfStream >= defaultBehaviours['list.page-size'].listSessionsOfStream;
  if (next.listSessionsOfStream !== 'not' || isWhole) return [];
  const statement = 'listSessionsOfStream has pages, and nothing points to the next one.';
  return [{ statement, requirements: ['LIST-17'] }];
}

/** What happens to an error, as the end of a sentence. */
function describeCell(cell: Cell): string {
  if (isRefusal(cell)) return `answered with status ${cell.status}`;
  if ('constant' in cell) return `replaced by ${JSON.stringify(cell.constant)}`;
  if ('redirect' in cell) return 'redirected';
  return /^(boolean|number|text)$/.test(cell.as) ? `turned into a ${cell.as}` : cell.as;
}

/** A dialect in one line: its name, and the stated rules that it breaks. */
export function describeDialect(dialect: Dialect): string {
  const breaches = describeBreaches(dialect);
  const named = `Dialect: ${dialect.name ?? 'without a name'}.`;
  if (breaches.length === 0) return named;
  return `${named} It breaks rules that the interface states: ${breaches.join(' ')}`;
}

/** The stated rules that a dialect breaks, each as a sentence. */
export function describeBreaches(dialect: Dialect): string[] {
  return breachesOf(dialect).map(({ statement }) => statement);
}

/** The names of what differs between two dialects: `refusals.createStream.key:none`, `orders.reported`, `behaviours.list.next`. */
export function differences(one: Dialect | undefined, other: Dialect | undefined): string[] {
  const first = statementsOf(resolveDialect(one));
  const second = statementsOf(resolveDialect(other));
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names].filter((name) => !isSameJson(first.get(name), second.get(name)));
}

/** Everything that a service does, by its name in a dialect. */
export function statementsOf(resolved: ResolvedDialect): ReadonlyMap<string, unknown> {
  const { refusalBody, refusals, orders, behaviours, routes } = resolved;
  const cells = endpointNames.flatMap((endpoint) =>
    [...refusals[endpoint]].map(([error, cell]) => [cellName(endpoint, error), cell] as const),
  );
  return new Map<string, unknown>([
    ['refusalBody', refusalBody],
    ...cells,
    ...Object.entries(orders).map(([name, order]) => [`orders.${name}`, order] as const),
    ...behaviourIds.map((id) => [`behaviours.${id}`, behaviours[id]] as const),
    ...routes.map((route) => [routeName(route), route] as const),
  ]);
}

/** The name of a cell in a dialect: `refusals.createStream.key:none`. */
export function cellName(endpoint: Endpoint, error: string): string {
  return `refusals.${endpoint}.${error}`;
}

/** The name of a route in a dialect: `routes.GET /user/me`. */
export function routeName({ method, path }: Pick<StaticRoute, 'method' | 'path'>): string {
  return `routes.${method} ${path}`;
}

/** A dialect as a file has it: its parts in order, without empty ones. */
export function orderedDialect(dialect: Dialect): Dialect {
  const { name, refusalBody, refusals = {}, orders = {}, behaviours = {}, routes = [] } = dialect;
  const parts = { dialect: 2, name, refusalBody, refusals, orders, behaviours, routes };
  const telling = Object.entries(parts).filter(
    ([, part]) =>
      part !== undefined && ![{}, [], defaultRefusalBody].some((none) => isSameJson(part, none)),
  );
  return Object.fromEntries(telling) as unknown as Dialect;
}

/** Dialects that come with the package, by their names. */
export const bundledDialects: Readonly<Record<'backend-only', Dialect>> = {
  'backend-only': {
    dialect: 2,
    name: 'backend-only: requests of pages are refused',
    behaviours: {
      'cors.origins': { requests: { status: 403 }, preflights: { status: 403 } },
    },
  },
};
