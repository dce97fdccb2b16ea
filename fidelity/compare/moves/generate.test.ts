import { expect, test } from 'vitest';
import { createSequences } from './generate.ts';

const numbers = Array.from({ length: 200 }, (_, number) => number);

const offers = { live: 'stop', origin: 'https://app.test', otherKey: true } as const;

test('a sequence is the same for the same seed and number', () => {
  const [one, other] = [0, 0].map(() => createSequences(offers));
  for (const number of numbers) expect(one?.(7, number)).toEqual(other?.(7, number));
});

test('each move of a sequence is an object of its own, so that its step can be found', () => {
  const sequenceOf = createSequences(offers);
  for (const number of numbers) {
    const moves = sequenceOf(1, number);
    expect(new Set(moves).size).toBe(moves.length);
  }
});
