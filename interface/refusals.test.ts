import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cell, usualCell, wordsFor } from './cells.ts';
import { type Asked, askedNames, errorsOf, isShared } from './errors.ts';
import {
  type Cells,
  type Matrix,
  readRefusals,
  refusalsSchema,
  type WrittenRefusals,
  writeRefusals,
} from './refusals.ts';

function cellsOf(matrix: Matrix): Cells {
  return Object.fromEntries(
    askedNames.map((asked) => [asked, Object.fromEntries(matrix[asked])]),
  ) as Cells;
}

test.each<[string, WrittenRefusals]>([
  ['what the mock does', {}],
  ['a service that refuses everything with 400, but keys', { '*': { '*': 400, 'key:*': 401 } }],
])('%s is written in a few lines', (_, written) => {
  expect(writeRefusals(cellsOf(readRefusals(written)))).toEqual(written);
});

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

/** Any cell that an error can have. */
function anyCell(asked: Asked, error: string): fc.Arbitrary<Cell> {
  const words = wordsFor(asked, error);
  const usual = usualCell(asked, error);
  const { above, below } = usual;
  const bounds = above === undefined || below === undefined ? {} : { above, below };
  const refusal = fc.constantFrom(400, 404, 422).map((status): Cell => ({ status, ...bounds }));
  if (words.length === 0) return refusal;
  const accepted = fc.constantFrom(...words).map((word): Cell => {
    if (word === 'constant') return { constant: 0 };
    return word === 'redirect' ? { redirect: 308 } : { as: word };
  });
  return fc.oneof({ weight: 4, arbitrary: refusal }, accepted, fc.constant(usual));
}

/** Most cells of an operation. */
function anyCells(asked: Asked): fc.Arbitrary<Readonly<Record<string, Cell>>> {
  const cells = errorsOf[asked].map(({ id }) =>
    fc.option(anyCell(asked, id)).map((cell) => (cell === null ? {} : { [id]: cell })),
  );
  return fc.tuple(...cells).map((parts) => Object.assign({}, ...parts));
}

const observed: fc.Arbitrary<Cells> = fc.record({
  createStream: anyCells('createStream'),
  setRecord: anyCells('setRecord'),
  listSessions: anyCells('listSessions'),
});

function countEntries(written: WrittenRefusals): number {
  return Object.values(written).flatMap(Object.keys).length;
}

test('what is written is read back, in one short form, whatever was observed', () => {
  const property = fc.property(observed, (cells) => {
    const written = writeRefusals(cells);
    expect(refusalsSchema.safeParse(written).error).toBeUndefined();
    const matrix = readRefusals(written);
    for (const [asked, known] of Object.entries(cells)) {
      for (const [id, cell] of Object.entries(known)) {
        if (asked !== 'createStream' && isShared(id)) continue;
        expect([id, matrix[asked as Asked].get(id)]).toEqual([id, cell]);
      }
    }
    const again = writeRefusals(cellsOf(matrix));
    expect(countEntries(again)).toBeLessThanOrEqual(countEntries(written) + 1);
  });
  fc.assert(property, { seed: 1, numRuns: 5 });
});
