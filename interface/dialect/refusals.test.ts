import { expect, test } from 'vitest';
import type { Cell } from './cells.ts';
import { readRefusals, refusalsSchema, type WrittenRefusals } from './refusals.ts';

test.each<[what: string, WrittenRefusals, error: string, Cell]>([
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
  expect(readRefusals(written).createStream.get(error)).toEqual(cell);
});

test('a refusal beyond a limit says where the limit is', () => {
  const written = { createStream: { 'body:large': { status: 413, above: 100 } } };
  const [issue] = refusalsSchema.safeParse(written).error?.issues ?? [];
  expect(issue?.message).toBe('also "above" and "below": a limit lies between them');
});

test('a misspelt error is named, with the nearest that the operation has', () => {
  const written = { createStream: { 'field:name:emtpy': 400 } };
  expect(refusalsSchema.safeParse(written, { reportInput: true }).error?.issues).toMatchObject([
    {
      path: ['createStream', 'field:name:emtpy'],
      message: 'an entry for an error that the operation has, perhaps field:name:empty',
      input: 'field:name:emtpy',
    },
  ]);
});
