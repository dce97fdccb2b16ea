import * as z from 'zod';
import { type Json, jsonSchema } from './json.ts';
import { httpMethods } from './silent.ts';

/** The path of a static answer; `{id}` stands for any segment. */
export const routePath: RegExp = /^(?=.{2,500}$)(\/(?!\.\.?(\/|$))([\w.~:@-]+|\{id\}))+$/;

/** A static answer at a path that the interface does not have. */
export interface StaticRoute {
  readonly method: (typeof httpMethods)[number];
  /** Below the API prefix; `{id}` stands for any segment. */
  readonly path: string;
  readonly status: number;
  /** The content type of the body, which is JSON where `json` is given. */
  readonly type?: string;
  readonly json?: Json;
  readonly text?: string;
}

/** Schema of the routes of a dialect. */
export const routesSchema: z.ZodType<readonly StaticRoute[]> = z
  .array(
    z.strictObject(
      {
        method: z.enum(httpMethods, 'a method'),
        path: z
          .string('a path')
          .regex(routePath, 'a path such as /user/{id}, of up to 500 characters'),
        status: z.int('a status from 200 to 599').min(200).max(599),
        type: z
          .string('a content type')
          .regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/, 'a content type')
          .exactOptional(),
        json: jsonSchema.exactOptional(),
        text: z.string('a text').max(100_000, 'up to 100000 characters').exactOptional(),
      },
      'an object with method, path and status, and perhaps type, json or text',
    ),
    'an array of routes',
  )
  .max(1_000, 'up to 1000 routes');
