import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsFor } from './accepted.ts';
import type { Cell } from './cells.ts';
import { type Asked, askedNames, errorsOf, isShared } from './errors.ts';
import {
  type Cells,
  defaultCell,
  type Matrix,
  readRefusals,
  refusalsSchema,
  usualMatrix,
  writeRefusals,
} from './refusals.ts';

function cellsOf(matrix: Matrix): Cells {
  return Object.fromEntries(
    askedNames.map((asked) => [asked, Object.fromEntries(matrix[asked])]),
  ) as Cells;
}

function countEntries(written: ReturnType<typeof writeRefusals>): number {
  return Object.values(written).reduce((sum, cells) => sum + Object.keys(cells).length, 0);
}

test("the mock's own cells need no entry", () => {
  expect(writeRefusals(cellsOf(usualMatrix))).toEqual({});
});

test('a wildcard says how a refusal looks, and makes none where the mock accepts', () => {
  const matrix = readRefusals({ '*': { '*': 400, 'key:*': 403 }, setRecord: { '*': 409 } });
  expect(matrix.createStream.get('field:name:null')).toEqual({ status: 400 });
  expect(matrix.createStream.get('key:none')).toEqual({ status: 403 });
  expect(matrix.setRecord.get('key:none')).toEqual({ status: 409 });
  expect(matrix.createStream.get('field:name:empty')).toEqual({ as: 'kept' });
  expect(matrix.createStream.get('body:large')).toEqual({
    status: 400,
    above: 102_400,
    below: 262_144,
  });
});

test('an exact entry makes a refusal where the mock accepts', () => {
  const matrix = readRefusals({ createStream: { 'field:name:empty': 422 } });
  expect(matrix.createStream.get('field:name:empty')).toEqual({ status: 422 });
});

test('a service that refuses everything with 400 is a few lines', () => {
  const cells = Object.fromEntries(
    askedNames.map((asked) => [
      asked,
      Object.fromEntries(
        [...usualMatrix[asked]].map(([id, cell]) => [
          id,
          'status' in cell ? { ...cell, status: id.startsWith('key:') ? 401 : 400 } : cell,
        ]),
      ),
    ]),
  ) as Cells;
  expect(writeRefusals(cells)).toEqual({ '*': { '*': 400, 'key:*': 401 } });
});

/** Any cell that an error can have. */
function anyCell(asked: Asked, error: string): fc.Arbitrary<Cell> {
  const words = wordsFor(asked, error);
  const usual = defaultCell(asked, error);
  const bounds =
    'above' in usual ? { above: usual.above as number, below: usual.below as number } : {};
  const refusal = fc.constantFrom(400, 404, 422).map((status): Cell => ({ status, ...bounds }));
  if (words.length === 0) return refusal;
  const accepted = fc.constantFrom(...words).map((word): Cell => {
    if (word === 'constant') return { constant: 0 };
    return word === 'redirect' ? { redirect: 308 } : { as: word };
  });
  return fc.oneof({ weight: 4, arbitrary: refusal }, accepted, fc.constant(usual));
}

const observed = fc
  .tuple(
    ...(['createStream', 'setRecord', 'listSessions'] as const).map((asked) =>
      fc.tuple(...errorsOf[asked].map(({ id }) => fc.option(anyCell(asked, id)))).map(
        (cells) =>
          [
            asked,
            Object.fromEntries(
              cells.flatMap((cell, index) => {
                const id = errorsOf[asked][index]?.id ?? '';
                return cell === null ? [] : [[id, cell] as const];
              }),
            ),
          ] as const,
      ),
    ),
  )
  .map((entries) => Object.fromEntries(entries) as Cells);

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
