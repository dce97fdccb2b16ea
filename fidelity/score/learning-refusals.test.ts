import { describe } from 'vitest';
import { rowIds } from '../../interface/silent.ts';
import { testRows } from './learning.test-support.ts';

describe('a mock with another value in one row is learned as that, and nothing else', () => {
  testRows(rowIds.filter((id) => /^(refusal|order)\./.test(id)));
});
