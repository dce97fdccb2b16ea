import { expect, test } from 'vitest';
import { withoutCommands } from './lines.ts';

test.each(['\r', '\u2028', ' ', '\t', ':'])(
  'commands are escaped in little time in a text that repeats %j',
  (character) => {
    const start = performance.now();
    const text = withoutCommands(`${character.repeat(50_000)}\n::error::a`);
    expect(text).toMatch(/\n\\u003a:error::a$/);
    expect(performance.now() - start).toBeLessThan(1_000);
  },
);
