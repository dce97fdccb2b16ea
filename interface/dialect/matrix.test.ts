import { expect, test } from 'vitest';
import type { Cell } from './cells.ts';
import type { ErrorId } from './errors.ts';
import { readCells, type WrittenCells } from './matrix.ts';

test.each<[what: string, WrittenCells, error: ErrorId, Cell]>([
  ['says how a refusal looks', { '*': { '*': 400 } }, 'field:name:null', { status: 400 }],
  ['counts before a wider one', { '*': { '*': 400, 'key:*': 403 } }, 'key:none', { status: 403 }],
  [
    'of an operation counts first',
    { '*': { 'key:*': 403 }, createStream: { '*': 409 } },
    'key:none',
    { status: 409 },
  ],
  ['refuses nothing that is accepted', { '*': { '*': 400 } }, 'field:name:empty', { as: 'kept' }],
  [
    'begins at the limit of the mock',
    { '*': { '*': 400 } },
    'body:large',
    { status: 400, above: 102_400, below: 262_144 },
  ],
])('a wildcard %s', (_, written, error, cell) => {
  expect(readCells(written).createStream[error]).toEqual(cell);
});
