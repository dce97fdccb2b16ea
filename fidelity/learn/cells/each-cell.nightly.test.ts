// About three minutes on an idle machine.
import { expect, test } from 'vitest';
import type { Cell } from '../../../interface/dialect/cells.ts';
import {
  type CellOf,
  type CellPosition,
  defaultMatrix,
  isMasked,
  positions,
} from '../../../interface/dialect/matrix.ts';
import { defaultDialect, resolveDialect } from '../../../interface/dialect/resolve.ts';
import { cellName } from '../../../interface/dialect/statements.ts';
import { writeErrors } from '../../../interface/dialect/written-errors.ts';
import { asShown, valuesOf } from '../covering.test-support.ts';
import { mockToLearn, observeOnly } from '../learn.test-support.ts';
import { withoutForm } from './observed-refusals.ts';
import { isAsked } from './probe-cells.ts';

const defaultCell: CellOf = (endpoint, error) => defaultMatrix[endpoint][error];

/** The cells that `learn` asks for if every other cell is as in the mock. */
const asked = positions.filter(
  (position) =>
    isAsked(position, defaultCell) && !isMasked(position.endpoint, position.error.id, defaultCell),
);

const cases = asked.flatMap(({ endpoint, error }) => {
  const { refused, accepted } = valuesOf(endpoint, error);
  const name = cellName(endpoint, error.id);
  return [...refused, ...accepted].map((cell) => ({ endpoint, error, name, cell }));
});

/** A mock in which only one cell is not as usual. */
function dialectWith({ endpoint, error }: CellPosition, cell: Cell) {
  const written = writeErrors((of, id) => (of === endpoint && id === error.id ? cell : undefined));
  // Nothing else has the ids of children.
  const children = { 'list.sessions-among-streams': 'children' } as const;
  return { ...written, ...(error.id === 'id:child' && { behaviours: children }) };
}

test.each(cases)('$name is learned as $cell if nothing else differs', async (one) => {
  const { name, cell } = one;
  const dialect = dialectWith(one, cell);
  // A deep body is one with an unknown field.
  const first = one.error.id === 'body:deep' ? [cellName(one.endpoint, 'field:unknown:given')] : [];
  const observed = await observeOnly(mockToLearn(dialect), ...first, name);
  const observation = observed.get(name);
  expect(observation).toMatchObject({ outcome: 'observed' });
  const value = observation?.outcome === 'observed' ? observation.value : undefined;
  const shown = asShown(name, cell, resolveDialect({ dialect: 3, ...dialect }));
  expect(withoutForm(value, defaultDialect.refusalBody)).toEqual(
    withoutForm(shown, defaultDialect.refusalBody),
  );
});
