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
import type { RefusalBody } from './cells.ts';
import {
  type CheckedCells,
  cellsSchema,
  refusalBodySchema,
  typeSchema,
  type WrittenCells,
} from './matrix.ts';
import { type Orders, ordersSchema } from './orders.ts';

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
  readonly refusals?: WrittenCells;
  /** Which errors are reported first. */
  readonly orders?: Partial<Orders>;
  readonly behaviours?: WrittenBehaviours;
  /** Static responses at paths that are not part of the interface. */
  readonly routes?: readonly StaticRoute[];
}

/** A dialect in this project's code, in which a misspelt endpoint or error does not compile. */
export interface CheckedDialect extends Dialect {
  readonly refusals?: CheckedCells;
}

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
    refusals: cellsSchema.exactOptional(),
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
