import { expect, test } from 'vitest';
import { parseKnownBreaks } from './known-breaks.ts';
import { trialOf } from './trials.test-support.ts';

const trials = [
  trialOf('oldest-first', 'order'),
  trialOf('shuffled', 'order'),
  trialOf('pages-of-two', 'paging'),
  { ...trialOf('a+b.json'), isApart: true },
];

const parse = (variant: string) =>
  parseKnownBreaks(JSON.stringify({ known: [{ variant, reason: 'known' }] }), trials);

test.each([
  ['oldest-first', 'oldest-first'],
  ['pages-of-two+oldest-first', 'oldest-first+pages-of-two'],
  ['a+b.json', 'a+b.json'],
])('the entry %s is about %s', (variant, name) => {
  expect([...parse(variant)]).toEqual([[name, 'known']]);
});

test.each([
  ['oldest', 'known[0].variant: expected the name of a variant, perhaps oldest-first'],
  ['oldest-first+page-of-two', 'expected the name of a variant, perhaps pages-of-two'],
  ['oldest-first+shuffled', 'expected variants that one service can be at once'],
  ['oldest-first+', 'expected the name of a variant'],
])('the entry %s is refused', (variant, message) => {
  expect(() => parse(variant)).toThrow(message);
});
