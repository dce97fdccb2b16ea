import * as z from 'zod';
import { describeDialect } from '../../interface/dialect/breaches.ts';
import { refusalSchema } from '../../interface/dialect/cell-schemas.ts';
import { type Dialect, dialectSchema } from '../../interface/dialect/dialect.ts';
import { isBodyOperation } from '../../interface/dialect/errors.ts';
import { type BodyOperation, fieldsOf } from '../../interface/dialect/fields.ts';
import { defaultMatrix, keptFields } from '../../interface/dialect/matrix.ts';
import { jsonSchema } from '../../interface/json.ts';
import { isClientOperation } from '../../interface/operation-names.ts';
import type { Operation } from '../../interface/operations.ts';
import {
  exactly,
  playbackInfoSchema,
  profileSchema,
  sessionSchema,
  streamSchema,
  streamShape,
} from '../../interface/schemas.ts';
import type { Stream } from '../../interface/types.ts';
import { exportedStateSchema, stateType } from '../service/exported-state.ts';
import { type OperationName, operationNames, operations, pathOf } from './routes.ts';

const errorsSchema = z
  .strictObject({ errors: z.array(z.string()) })
  .describe('Each text says where an error is, what was expected and what was there');

const bodySchemas = {
  createStream: bodySchema('createStream'),
  updateStream: bodySchema('updateStream'),
  setRecord: bodySchema('setRecord'),
} as const satisfies Readonly<Record<BodyOperation, z.ZodType>>;

/** Schema of a body with fields of a stream: those that the mock keeps. */
function bodySchema(operation: BodyOperation): z.ZodType {
  const fields = keptFields(fieldsOf[operation], defaultMatrix[operation]);
  const optional = fields.filter(([, { presence }]) => presence?.kind !== 'missing');
  const mask = (masked: typeof fields): Partial<Record<keyof Stream, true>> =>
    Object.fromEntries(masked.map(([name]) => [name, true]));
  const body = exactly(streamShape).pick(mask(fields)).partial(mask(optional));
  // Other keys are ignored when recording is switched (interface 4.2).
  return operation === 'setRecord' ? body.loose() : body;
}

const namedSchemas = {
  Profile: profileSchema,
  NewStream: bodySchemas.createStream,
  Stream: streamSchema,
  Session: sessionSchema,
  PlaybackInfo: playbackInfoSchema,
  State: exportedStateSchema,
  Dialect: dialectSchema,
  Refusal: refusalSchema,
  Json: jsonSchema,
  Errors: errorsSchema,
} as const satisfies Record<string, z.ZodType>;

/**
 * The OpenAPI 3.1 document of the interface and of the control API, made from their schemas. It describes
 * the mock without a dialect, and names the dialect with what it breaks.
 */
export function createOpenApi(
  { origin, prefix }: Readonly<Record<'origin' | 'prefix', string>>,
  version: string,
  dialect?: Dialect,
): object {
  const { schemas } = z.toJSONSchema(schemaRegistry, { uri: (id) => `#/components/schemas/${id}` });
  return {
    openapi: '3.1.0',
    info: {
      title: 'livestream-mock',
      version,
      description: [
        'Create a stream, switch its recording on or off, list its recorded sessions.',
        ...(dialect ? [describeDialect(dialect)] : []),
      ].join(' '),
    },
    servers: [{ url: origin }],
    security: [{ apiKey: [] }],
    paths: describePaths(prefix),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
      ),
    },
  };
}

/** Names every schema, so that each is in the document once. */
function nameSchemas() {
  const names = z.registry<{ id: string }>();
  const ofOperations = operationNames.flatMap((name) => {
    const { response }: Operation = operations[name];
    const body = bodyOf(name);
    return [[`${name}Body`, body] as const, [`${name}Response`, response] as const];
  });
  for (const [id, schema] of [...Object.entries(namedSchemas), ...ofOperations]) {
    if (schema && !names.has(schema)) names.add(schema, { id });
  }
  return names;
}

const schemaRegistry = nameSchemas();

function describePaths(prefix: string): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const name of operationNames) {
    const path = pathOf(name, prefix);
    const method = operations[name].method.toLowerCase();
    paths[path] = { ...paths[path], [method]: describeOperation(name) };
  }
  return paths;
}

function describeOperation(name: OperationName): object {
  const operation: Operation = operations[name];
  const { path, summary, clause, query = [], status, response } = operation;
  const body = bodyOf(name);
  const content = (schema: z.ZodType) => (operation.isState ? stateContent : jsonContent(schema));
  const client = clause === undefined ? 'beyond the interface' : 'interface';
  return {
    operationId: name,
    summary,
    ...(clause !== undefined && { description: `Clause ${clause} of the interface` }),
    tags: [isClientOperation(name) ? client : 'control'],
    ...(operation.isOpen && { security: [] }),
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
      requestBody: { required: !body.safeParse(undefined).success, content: content(body) },
    }),
    responses: {
      [status]: { description: summary, ...(response && { content: content(response) }) },
      '4XX': { description: 'Refused; nothing was changed', content: jsonContent(errorsSchema) },
    },
  };
}

function bodyOf(name: OperationName): z.ZodType | undefined {
  const { body }: Operation = operations[name];
  return isBodyOperation(name) ? bodySchemas[name] : body;
}

function jsonContent(schema: z.ZodType): object {
  const id = schemaRegistry.get(schema)?.id;
  return { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } };
}

const stateContent = {
  [stateType]: {
    schema: {
      type: 'string',
      description:
        'Lines of JSON, each an object with the keys kind and value: a state, which is #/components/schemas/State without its streams, sessions and journal; then a line for each stream, session and exchange; and an end, which counts the lines before it',
    },
  },
};
