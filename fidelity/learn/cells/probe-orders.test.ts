import { expect, test } from 'vitest';
import type { Cell } from '../../../interface/dialect/cells.ts';
import type { ErrorId } from '../../../interface/dialect/errors.ts';
import { oneErrorOfEachClass } from './probe-orders.ts';

/** The error of the body with which the order of a creation is found, if these errors are refused. */
function errorOfBody(cells: Partial<Record<ErrorId, Cell>>): string | undefined {
  const errors = oneErrorOfEachClass('createStream', (_, error) => cells[error]);
  return errors.find((error) => error.class === 'body')?.id;
}

test('a large body says when bodies are read only if no other body is refused', () => {
  const large = { 'body:large': { status: 413, above: 1_024, below: 4_096 } };
  expect(errorOfBody(large)).toBe('body:large');
  expect(errorOfBody({ ...large, 'body:malformed': { status: 400 } })).toBe('body:malformed');
});
