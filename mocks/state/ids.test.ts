import { expect, test } from 'vitest';
import { createRandom } from '../../fixtures/random.ts';
import { childId, createId, createKey } from './ids.ts';

test('a seed gives the same ids and keys in every version', () => {
  const random = createRandom('pinned');
  const id = createId(random);
  expect(id).toBe('e25ed562-c2df-40bd-b8ff-527a0b8e5b4d');
  expect(createKey(random, id, '-')).toBe('e25e-s8os-oduf-ndrc');
  expect(createKey(random, id, '')).toBe('e25e7gbjra0x65tt');
  expect(createId(random)).toBe('6b544ab5-78cd-4169-95a2-0caa17827ff2');
});

test('ids and keys have the forms of the interface', () => {
  const random = createRandom('many');
  for (let count = 0; count < 1_000; count += 1) {
    const id = createId(random);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(createKey(random, id, '-')).toMatch(/^[0-9a-f]{4}(-[0-9a-z]{4}){3}$/);
    expect(createKey(random, id, '')).toMatch(/^[0-9a-f]{4}[0-9a-z]{12}$/);
  }
});

test('the id of a child stream leads back to the session', () => {
  const id = createId(createRandom('child'));
  expect(childId(id)).not.toBe(id);
  expect(childId(childId(id))).toBe(id);
});
