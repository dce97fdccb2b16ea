import * as z from 'zod';
import type { Operation } from '../../interface/operation.ts';
import {
  newStreamSchema,
  profileSchema,
  sessionSchema,
  streamSchema,
} from '../../interface/schemas.ts';
import { snapshotSchema } from '../service/export-import.ts';
import { operations, pathOf } from './operations.ts';

const errorsSchema = z
  .strictObject({ errors: z.array(z.string()) })
  .describe('Each text says where, what was expected and what came');

const named = {
  Profile: profileSchema,
  NewStream: newStreamSchema,
  Stream: streamSchema,
  Session: sessionSchema,
  State: snapshotSchema,
  Errors: errorsSchema,
} as const satisfies Record<string, z.ZodType>;

/** The OpenAPI 3.1 document of the interface and of the control API, made from their schemas. */
export function createOpenApi(prefix: string, version: string): object {
  const registry = nameSchemas();
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  return {
    openapi: '3.1.0',
    info: {
      title: 'livestream-mock',
      version,
      description: 'Create a stream, switch its recording on or off, list its recorded sessions.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths: describePaths(prefix, registry),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
      ),
    },
  };
}

type Registry = ReturnType<typeof z.registry<{ id: string }>>;

/** Gives every schema a name, so that each stands in the document once. */
function nameSchemas(): Registry {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  for (const [name, { body, answer }] of Object.entries(operations)) {
    if (body !== undefined && !registry.has(body)) registry.add(body, { id: `${name}Body` });
    if (answer !== undefined && !registry.has(answer))
      registry.add(answer, { id: `${name}Answer` });
  }
  return registry;
}

function describePaths(prefix: string, registry: Registry): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const path = pathOf(operation, prefix);
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(name, operation, registry),
    };
  }
  return paths;
}

function describeOperation(name: string, operation: Operation, registry: Registry): object {
  const { area, path, summary, query = [], body, status, answer } = operation;
  return {
    operationId: name,
    summary,
    tags: [area],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
        name: parameter,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...query.map((parameter) => ({ ...parameter, in: 'query' })),
    ],
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, ...content(body, registry) },
    }),
    responses: {
      [status]: { description: summary, ...(answer && content(answer, registry)) },
      '4XX': { description: 'Refused; nothing has changed', ...content(errorsSchema, registry) },
    },
  };
}

function content(schema: z.ZodType, registry: Registry): object {
  const id = registry.get(schema)?.id;
  return { content: { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } } };
}
