// About ten minutes on an idle machine: a second or so for each dialect.
import { expect, test } from 'vitest';
import { coveringDialects, learnAgain } from './learn/covering.test-support.ts';

const dialects = 500;
/** Dialects that are made of one seed. */
const ofOneSeed = 20;

/** Others every night, and the same again with `SEED`. */
const seed = process.env['SEED'] ?? new Date().toISOString().slice(0, 10);
const random = Array.from({ length: dialects / ofOneSeed }, (_, index) => `${seed} ${index}`);
// The first one once found a fault.
const seeds = ['2026-11-27 9', ...random];

test.each(seeds)('the mock with random dialects is learned as them: %s', async (one) => {
  for (const dialect of coveringDialects(one, ofOneSeed)) {
    const { learned, expected, open } = await learnAgain(dialect);
    expect({ learned, open }, JSON.stringify(dialect)).toEqual({ learned: expected, open: [] });
  }
});
