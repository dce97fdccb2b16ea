import { interfaceOperationNames, statedOperationNames } from '../../interface/operation-names.ts';
import { fileResponse, on } from './rewrite.ts';
import type { Variant, VariantTable } from './variant.ts';

const ofOptionalOperations = {
  clause: '4.4',
  argument: '4.4 names other operations, and shows no path of any.',
  metBy: 'use an operation other than the three that the interface states',
  audience: 'app',
  isApart: true,
} as const;

/** What the interface leaves open about the operations that it names and does not show. */
export const operationVariants = {
  'optional-operations-404': withoutOptional(404),
  'optional-operations-405': withoutOptional(405),
  'optional-operations-501': withoutOptional(501),
  'optional-operations-are-pages': {
    ...withoutOptional(404),
    statement:
      'The service had only the three operations that the interface states, and answered reads of others with a page of HTML, and the rest with 404.',
    rewrite: on('optional read', () =>
      fileResponse('<!doctype html><title>App</title>', 'text/html'),
    ),
  },
  'streams-wrapped-when-retrieved': {
    ...ofOptionalOperations,
    statement: 'A retrieved stream was in an object, at the key stream.',
    argument: '4.4 does not show the payload of a retrieved stream.',
    metBy: 'retrieve a stream',
    dialect: { behaviours: { 'response.wrapped': { retrieveStream: { stream: '{result}' } } } },
  },
  'record-filter-required': {
    ...ofOptionalOperations,
    statement: "A stream's sessions could be listed with record=1 only.",
    argument: '4.4 does not show how sessions are listed without the record filter.',
    metBy: "list a stream's sessions without record=1",
    dialect: {
      errors: {
        listSessionsOfStream: {
          'query:record': { missing: 400, zero: 400, true: 400, other: 400, empty: 400 },
        },
      },
    },
  },
  'general-patch-ignores-record': {
    statement: 'PATCH /stream/{id} ignored record, and returned the stream.',
    clause: '3',
    argument: 'Clause 3 lets only 4.2 change record, and no clause states this operation.',
    metBy: 'send record to PATCH /stream/{id}',
    audience: 'suite',
    dialect: {
      errors: { updateStream: { 'field:record': { given: 'dropped' } } },
      behaviours: { 'response.shows': { updateStream: 'stream' } },
    },
  },
} as const satisfies VariantTable;

/** All operations are refused except those that the interface states. */
function withoutOptional(status: number) {
  const refused = { operation: { given: { status, body: 'empty' } } } as const;
  const optional = interfaceOperationNames.filter(
    (name) => !statedOperationNames.some((stated) => stated === name),
  );
  return {
    ...ofOptionalOperations,
    statement: `The service had only the three operations that the interface states, and answered others with ${status}.`,
    dialect: { errors: Object.fromEntries(optional.map((name) => [name, refused])) },
  } satisfies Variant;
}
