import * as z from 'zod';
import { orNearest } from '../../text/nearest-name.ts';
import { type Json, jsonSchema } from '../json.ts';
import {
  type BehaviourId,
  type Behaviours,
  behaviourIds,
  definitionOf,
  httpMethods,
  type NamedBehaviourId,
} from './behaviours.ts';
import { refusalBodySchema, typeSchema } from './cell-schemas.ts';
import type { RefusalBody } from './cells.ts';
import { type Orders, ordersSchema } from './orders.ts';
import { type CellsVersion2, cellsVersion2Schema, readCellsVersion2 } from './version-2.ts';
import { errorsSchema, exactErrors, refusalsSchema, type WrittenMatrix } from './written-errors.ts';

/** The behaviours that a dialect changes. If one has several names, only the changed ones. */
export type WrittenBehaviours = {
  readonly [Id in BehaviourId]?: Id extends NamedBehaviourId
    ? Partial<Behaviours[Id]>
    : Behaviours[Id];
};

/** The path of a static route; `{id}` stands for any segment, and `!` begins a path from the origin. */
export const routePath: RegExp = /^(?=.{2,500}$)(!\/|!?(\/(?!\.\.?(\/|$))([\w.~:@-]+|\{id\}))+)$/;

/** Whether a route is at the origin of the base URL, such as `!/healthz`, and not below the base URL. */
export function isAtOrigin({ path }: Pick<StaticRoute, 'path'>): boolean {
  return path.startsWith('!');
}

/** The path of a route from the origin, such as `/healthz` for `!/healthz`. */
export function pathFromOrigin(route: Pick<StaticRoute, 'path'>, prefix: string): string {
  return isAtOrigin(route) ? route.path.slice(1) : prefix + route.path;
}

/** The paths of static routes at the origin, without `!`. */
export function pathsAtOrigin({ routes = [] }: Pick<Dialect, 'routes'> = {}): string[] {
  return routes.filter(isAtOrigin).map((route) => pathFromOrigin(route, ''));
}

/** A static response at a path that is not part of the interface. */
export interface StaticRoute {
  readonly method: (typeof httpMethods)[number];
  /** Below the API prefix or, after `!`, from the origin; `{id}` stands for any segment. */
  readonly path: string;
  readonly status: number;
  /** The content type of the body. */
  readonly type?: string;
  readonly json?: Json;
  readonly text?: string;
}

/** How one service handles what the interface leaves open: a file that people review like code. */
export interface Dialect extends WrittenMatrix {
  /** Where the JSON Schema of dialects is, for editors. */
  readonly $schema?: string;
  /** The version of the format. */
  readonly dialect: 3;
  /** Which service it describes. */
  readonly name?: string;
  /** What the file is, and what wrote it. */
  readonly about?: string;
  /** What the body of a refusal looks like, unless its own entry says otherwise. */
  readonly refusalBody?: RefusalBody;
  /** Which errors are reported first. */
  readonly orders?: Partial<Orders>;
  readonly behaviours?: WrittenBehaviours;
  /** Static responses at paths that are not part of the interface. */
  readonly routes?: readonly StaticRoute[];
}

/**
 * A dialect in version 2 of the format, which is read everywhere, but no longer written. Under `refusals` it has the cells of
 * errors, also of accepted ones, and wildcards that stand for several errors.
 */
interface DialectVersion2
  extends Pick<Dialect, 'name' | 'refusalBody' | 'orders' | 'behaviours' | 'routes'> {
  readonly dialect: 2;
  readonly refusals?: CellsVersion2;
}

/** A dialect in any version of the format that is read. */
export type AnyDialect = Dialect | DialectVersion2;

/** A dialect in the current version of the format. It says the same. */
export function currentDialect(dialect: AnyDialect): Dialect {
  if (dialect.dialect === 3) return dialect;
  const { dialect: _, refusals = {}, ...unchanged } = dialect;
  const cells = readCellsVersion2(refusals);
  const errors = exactErrors((endpoint, error) => cells[endpoint][error], {});
  return { dialect: 3, ...unchanged, errors };
}

/** Schema of the routes of a dialect. */
const routesSchema: z.ZodType<readonly StaticRoute[]> = z
  .array(
    z
      .strictObject(
        {
          method: z.enum(httpMethods, 'a method'),
          path: z
            .string('a path')
            .regex(routePath, 'a path such as /user/{id} or !/healthz, of up to 500 characters'),
          status: z.int('a status from 200 to 599').min(200).max(599),
          type: typeSchema.exactOptional(),
          json: jsonSchema.exactOptional(),
          text: z.string('a string').max(100_000, 'up to 100000 characters').exactOptional(),
        },
        'an object with method, path and status, and perhaps type, json or text',
      )
      .refine(
        (route) => route.method === 'GET' || !isAtOrigin(route),
        'GET for a path outside the base URL',
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

const partsOfBothVersions = {
  name: z
    .string('a string')
    .regex(/^\P{Cc}{1,100}$/u, 'one line of up to 100 characters')
    .exactOptional(),
  refusalBody: refusalBodySchema.exactOptional(),
  orders: ordersSchema.exactOptional(),
  behaviours: behavioursSchema.exactOptional(),
  routes: routesSchema.exactOptional(),
};

/** Schema of the parts of a version, with a message that names them if a part is unknown. */
function versionSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  const parts = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `known keys (${parts})` : 'an object with dialect',
  });
}

const version3Schema = versionSchema({
  $schema: z.string('the address of a JSON Schema').exactOptional(),
  dialect: z.literal(3),
  about: z
    .string('a string')
    .regex(/^\P{Cc}{1,500}$/u, 'one line of up to 500 characters')
    .exactOptional(),
  refusals: refusalsSchema.exactOptional(),
  errors: errorsSchema.exactOptional(),
  ...partsOfBothVersions,
});

/** Schema of a dialect in the current version of the format. */
export const currentDialectSchema: z.ZodType = version3Schema;

const version2Schema = versionSchema({
  dialect: z.literal(2),
  refusals: cellsVersion2Schema.exactOptional(),
  ...partsOfBothVersions,
});

/** Schema of a dialect file in any version that is read. An unknown name is refused, and so is another version. */
export const dialectSchema: z.ZodType<AnyDialect> = z.discriminatedUnion(
  'dialect',
  [version3Schema, version2Schema],
  {
    error: (issue) =>
      issue.code === 'invalid_union'
        ? '3, the version of the format that `livestream-mock learn` writes, or 2'
        : 'an object with dialect, the version 3',
  },
) as unknown as z.ZodType<AnyDialect>;
