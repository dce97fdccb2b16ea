import { expect, test } from 'vitest';
import type { Cell } from './cells.ts';
import type { ErrorId } from './errors.ts';
import { livepeer } from './livepeer.ts';
import { livepeerVersion2 } from './livepeer-version-2.test-support.ts';
import { resolveDialect } from './resolve.ts';
import { type CellsVersion2, readCellsVersion2 } from './version-2.ts';

test.each<[what: string, CellsVersion2, error: ErrorId, Cell]>([
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
  [
    'accepts no error that came later',
    { '*': { 'path:*': 'accepted' } },
    'path:doubled-slash:inside',
    { status: 404 },
  ],
])('a wildcard %s', (_, written, error, cell) => {
  expect(readCellsVersion2(written).createStream[error]).toEqual(cell);
});

test('a dialect means the same in both versions of the format', () => {
  const { cells } = resolveDialect(livepeer);
  expect(resolveDialect({ dialect: 2, refusals: livepeerVersion2 }).cells).toEqual(cells);
});
