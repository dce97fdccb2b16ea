import * as z from 'zod';
import type { BehaviourDefinition } from './behaviour-definition.ts';
import { behaviourIds, definitionOf } from './behaviours.ts';
import { writeCell } from './cell-schemas.ts';
import { acceptanceWords, redirectStatuses } from './cells.ts';
import { currentDialectSchema } from './dialect.ts';
import { errorSampleOf } from './error-samples.ts';
import { errorClassMeanings, type RequestError } from './errors.ts';
import { positions } from './matrix.ts';
import { entryPath } from './written-errors.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** JSON Schema (2020-12) of a dialect, with which an editor completes, explains and checks a file. */
export function dialectJsonSchema(): object {
  const { properties = {}, ...schema } = z.toJSONSchema(currentDialectSchema, { io: 'input' });
  const { $schema, dialect, name, about, refusalBody, refusals, orders, behaviours, routes } =
    properties as Record<string, JsonSchema>;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Dialect of livestream-mock',
    description: 'How one service handles what the interface leaves open.',
    ...schema,
    properties: {
      $schema: described($schema, 'Where this schema is, for editors.'),
      dialect: described(dialect, 'The version of the format.'),
      name: described(name, 'Which service it describes.'),
      about: described(about, 'What the file is, and what wrote it.'),
      refusalBody: described(
        refusalBody,
        'What the body of a refusal looks like. In JSON, "{message}" stands for a sentence about the request, and "{status}" for the number.',
      ),
      refusals: described(
        withDescriptions(refusals, errorClassMeanings),
        'What a refusal usually is, by the class of its error. What the mock accepts stays accepted.',
      ),
      errors: errorsJsonSchema(),
      orders: described(orders, 'Which class of errors is reported first, by operation.'),
      behaviours: described(
        withDescriptions(
          behaviours,
          Object.fromEntries(behaviourIds.map((id) => [id, describeBehaviour(definitionOf(id))])),
        ),
        'Everything else that the interface leaves open.',
      ),
      routes: described(routes, 'Static responses at paths that are not part of the interface.'),
    },
    $defs: { ...schema.$defs, ...cellDefinitions },
  };
}

function described(schema: JsonSchema | undefined, description: string): JsonSchema {
  return { ...schema, description };
}

/** A schema of an object with a description of each of its keys. */
function withDescriptions(
  schema: JsonSchema | undefined,
  descriptions: Readonly<Record<string, string>>,
): JsonSchema {
  const entries = Object.entries(schema?.properties ?? {}).map(([key, property]) => [
    key,
    described(Object(property), descriptions[key] ?? ''),
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** What a behaviour is about, with its values and what the mock does. */
function describeBehaviour(definition: BehaviourDefinition): string {
  const { question, names = {}, meanings, other, defaultValue } = definition;
  const nameLines = Object.entries(names).map(([name, meaning]) => `${name}: ${meaning}`);
  const valueLines = Object.entries(meanings).map(([word, meaning]) => `${word}: ${meaning}`);
  const otherLines = other === undefined ? [] : [`${other.form}: ${other.meaning}`];
  const mock = `The mock: ${JSON.stringify(defaultValue)}`;
  return [question, ...nameLines, ...valueLines, ...otherLines, mock].join('\n');
}

const statusSchema = { type: 'integer', minimum: 400, maximum: 599 } as const;
const boundSchema = { type: 'number', minimum: 0 } as const;
const contents = { $ref: '#/properties/refusalBody' } as const;

/** The forms of cells, to which the entries refer. */
const cellDefinitions: Readonly<Record<string, JsonSchema>> = {
  status: { ...statusSchema, description: 'The request is refused with this status.' },
  refusal: {
    type: 'object',
    properties: { status: statusSchema, body: contents },
    required: ['status'],
    additionalProperties: false,
    description: 'The request is refused with a body of its own.',
  },
  refusalBeyondLimit: {
    type: 'object',
    properties: { status: statusSchema, body: contents, above: boundSchema, below: boundSchema },
    required: ['status', 'above', 'below'],
    additionalProperties: false,
    description: 'The request is refused beyond a limit, which lies between above and below.',
  },
  constant: {
    type: 'object',
    properties: { constant: {}, above: boundSchema, below: boundSchema },
    required: ['constant'],
    additionalProperties: false,
    description: 'The value is replaced by this one.',
  },
  redirect: {
    type: 'object',
    properties: { redirect: { enum: [...redirectStatuses] } },
    required: ['redirect'],
    additionalProperties: false,
    description: 'The response is a redirect of this status to the right path.',
  },
  ...Object.fromEntries(
    Object.entries(acceptanceWords).map(([word, { meaning }]) => [
      word,
      {
        description: meaning,
        anyOf: [
          { const: word },
          {
            type: 'object',
            properties: { as: { const: word }, above: boundSchema, below: boundSchema },
            required: ['as'],
            additionalProperties: false,
          },
        ],
      },
    ]),
  ),
};

/** The schema of all entries for errors, each with what it means and with the values that fit. */
function errorsJsonSchema(): JsonSchema {
  const tree: Record<string, Record<string, Record<string, JsonSchema>>> = {};
  for (const { endpoint, error } of positions) {
    const [place, subject, kind] = entryPath(endpoint, error);
    tree[place] ??= {};
    tree[place][subject] ??= {};
    tree[place][subject][kind] ??= entrySchema(error);
  }
  const ofPlaces = Object.entries(tree).map(([place, subjects]) => {
    const ofSubjects = Object.entries(subjects).map(([name, kinds]) => [name, strictObject(kinds)]);
    return [place, strictObject(Object.fromEntries(ofSubjects))];
  });
  return {
    ...strictObject(Object.fromEntries(ofPlaces)),
    description: 'What happens to each error, unless refusals and the mock say so already.',
  };
}

function strictObject(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, additionalProperties: false };
}

function entrySchema(error: RequestError): JsonSchema {
  const refusals = error.limitSteps === undefined ? ['status', 'refusal'] : ['refusalBeyondLimit'];
  const names: readonly string[] = [...refusals, ...error.acceptances];
  return {
    description: describeError(error),
    anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
  };
}

/** What is wrong, with a sample, and what the mock does about it. */
function describeError(error: RequestError): string {
  const { meaning, defaultCell } = error;
  const { literal, words } = errorSampleOf(error);
  const mock = JSON.stringify(writeCell(defaultCell));
  return `${meaning} Sample: ${literal ?? words}\nThe mock: ${mock}`;
}
