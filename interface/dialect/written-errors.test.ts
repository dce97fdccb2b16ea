import { expect, test } from 'vitest';
import type { Cell } from './cells.ts';
import {
  type Endpoint,
  type ErrorId,
  endpointNames,
  errorsOf,
  type RequestError,
} from './errors.ts';
import type { CellOf } from './matrix.ts';
import { errorsSchema, readErrors, type WrittenMatrix, writeErrors } from './written-errors.ts';

test.each<[what: string, WrittenMatrix, Endpoint, error: ErrorId, Cell]>([
  [
    'says how a refusal looks',
    { refusals: { fields: 400 } },
    'createStream',
    'field:name:null',
    { status: 400 },
  ],
  [
    'says nothing of other classes',
    { refusals: { fields: 400 } },
    'retrieveStream',
    'id:unknown',
    { status: 404 },
  ],
  [
    'counts less than an entry of its own',
    { refusals: { 'no-key': 400 }, errors: { retrieveStream: { key: { none: 403 } } } },
    'retrieveStream',
    'key:none',
    { status: 403 },
  ],
  [
    'begins at the limit of the mock',
    { refusals: { query: 400 } },
    'listStreams',
    'query:limit:large',
    { status: 400, above: 1_000, below: 5_000 },
  ],
  [
    'refuses nothing that is accepted',
    { refusals: { query: 400 } },
    'listStreams',
    'query:order:given',
    { as: 'kept' },
  ],
])('the usual refusal of a class %s', (_, written, endpoint, error, cell) => {
  expect(readErrors(written)[endpoint][error]).toEqual(cell);
});

test('the most frequent refusal of a class is its usual one, and only cells that do not follow are written', () => {
  const cellOf: CellOf = (endpoint, error) => {
    if (endpoint !== 'retrieveStream' || !error.startsWith('id:')) return undefined;
    return error === 'id:deleted' ? { status: 410 } : { status: 400 };
  };
  expect(writeErrors(cellOf)).toEqual({
    refusals: { id: 400 },
    errors: { retrieveStream: { id: { deleted: 410, session: 400 } } },
  });
});

test('what all operations treat alike is written once, and first', () => {
  const cellOf: CellOf = (_, error) =>
    error === 'key:bare' || error === 'key:wrong' ? { as: 'accepted' } : undefined;
  const { errors } = writeErrors(cellOf);
  expect(Object.entries(errors).slice(0, 2)).toEqual([
    ['everyOperation', { key: { bare: 'accepted' } }],
    ['createStream', { key: { wrong: 'accepted' } }],
  ]);
});

test('errors stand in the order of the interface, grouped by what they are about', () => {
  let count = 0;
  const { errors } = writeErrors(() => ({ status: 400 + (count++ % 99) }));
  const [everywhere, ...operations] = Object.keys(errors);
  expect(everywhere).toBe('everyOperation');
  expect(operations).toEqual(endpointNames);
  expect(Object.keys(errors.setRecord ?? {})).toEqual([
    'key',
    'body',
    'query:unknown',
    'id',
    'state',
    'field:record',
    'field:unknown',
  ]);
});

/** A cell that an error can have, by a number. */
function cellOf(
  { defaultCell, acceptances: words, limitSteps }: RequestError,
  number: number,
): Cell {
  const word = words[number % (3 * words.length)];
  if (word === 'constant') return { constant: 0 };
  if (word === 'redirect') return { redirect: 308 };
  if (word !== undefined) return { as: word };
  const { above = 1, below = 2 } = defaultCell;
  const bounds = limitSteps === undefined ? {} : { above, below };
  return { status: [400, 404, 422][number % 7] ?? 400, ...bounds };
}

/** Errors that all operations share are told of `createStream` alone. */
function isOwn(endpoint: Endpoint, error: RequestError): boolean {
  return endpoint === 'createStream' || !error.isShared;
}

test.each([0, 1, 2, 3, 4])('what is written is read back, whatever was observed: %i', (first) => {
  let number = first;
  const cells = Object.fromEntries(
    endpointNames.map((endpoint) => {
      const own = errorsOf[endpoint].filter((error) => isOwn(endpoint, error));
      const found = own.map((error) => [error.id, cellOf(error, number++)] as const);
      return [endpoint, Object.fromEntries(found)];
    }),
  );
  const written = writeErrors((endpoint, error) => cells[endpoint]?.[error]);
  expect(errorsSchema.safeParse(written.errors).error).toBeUndefined();
  const matrix = readErrors(written);
  for (const [endpoint, known] of Object.entries(cells)) {
    for (const [id, cell] of Object.entries(known)) {
      expect([endpoint, id, matrix[endpoint as Endpoint][id as ErrorId]]).toEqual([
        endpoint,
        id,
        cell,
      ]);
    }
  }
});
