import { test } from 'vitest';
import { attacks, expectWithstands } from './attack.test-support.ts';
import { hostileTargets } from './hostile-targets.test-support.ts';

const longest = 180_000;

test.each(attacks(Object.keys(hostileTargets)))(
  '%s withstands a target that %s',
  expectWithstands,
  longest,
);
