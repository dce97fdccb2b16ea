import { test } from 'vitest';
import { attacks, expectWithstands } from './attack.test-support.ts';

/** One of each kind. The nightly tests run all of them. */
const some = [
  'sends status 999 with a list',
  'fails at random',
  'packs its body fifty times',
  'sends a bomb after it has created',
  'gives ids that are objects',
];

test.each(attacks(some))('%s withstands a target that %s', expectWithstands);
