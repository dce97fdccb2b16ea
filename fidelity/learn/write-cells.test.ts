import { expect, test } from 'vitest';
import type { Cell } from '../../interface/dialect/cells.ts';
import {
  type Endpoint,
  type ErrorId,
  endpointNames,
  errorsOf,
  type RequestError,
} from '../../interface/dialect/errors.ts';
import { cellsSchema, readCells, type WrittenCells } from '../../interface/dialect/matrix.ts';
import { writeCells } from './write-cells.ts';

test.each<[string, WrittenCells]>([
  ['what the mock does', {}],
  ['a service that refuses everything with 400, but keys', { '*': { '*': 400, 'key:*': 401 } }],
])('%s is written in a few lines', (_, written) => {
  const matrix = readCells(written);
  expect(writeCells((endpoint, error) => matrix[endpoint][error])).toEqual(written);
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
  const written = writeCells((endpoint, error) => cells[endpoint]?.[error]);
  expect(cellsSchema.safeParse(written).error).toBeUndefined();
  const matrix = readCells(written);
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
