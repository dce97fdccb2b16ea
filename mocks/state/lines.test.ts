import { expect, test } from 'vitest';
import { createLineSplitter } from './lines.ts';

const text = 'first\n\na longer one – with an umlaut: ü\nlast, not ended';

test.each([1, 2, 7, 1_000])('lines are the same from chunks of %i bytes', (size) => {
  const bytes = new TextEncoder().encode(text);
  const splitter = createLineSplitter();
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const line of splitter.add(bytes.subarray(at, at + size))) {
      lines.push(new TextDecoder().decode(line));
    }
  }
  lines.push(new TextDecoder().decode(splitter.rest()));
  expect(lines).toEqual(text.split('\n'));
});
