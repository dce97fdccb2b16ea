import { expect, test } from 'vitest';
import { changeTexts, createChangeReader } from './change-lines.ts';
import { replaceBy } from './sample-changes.ts';

test('a large change becomes several texts of whole lines', () => {
  const change = replaceBy(600);
  const texts = changeTexts(change);
  expect(texts.map((text) => text.match(/\n/g)?.length)).toEqual([500, 500, 201]);
  const reader = createChangeReader();
  for (const line of texts.join('').trimEnd().split('\n')) reader.add(line);
  expect(reader.kept.get('')).toEqual([change]);
});
