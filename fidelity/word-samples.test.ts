import { expect, test } from 'vitest';
import { sampleOf } from './json-shapes.ts';
import { wordsIn } from './word-samples.ts';

/** The first of several records as a sample. */
function sampleOfFirst(records: readonly object[], documented: readonly string[] = []): unknown {
  const wordAt = wordsIn(records, 6, new Set(documented));
  return sampleOf(records, 6, wordAt);
}

const values = (key: string, ...texts: readonly string[]) => texts.map((text) => ({ [key]: text }));

test('a word that several records share is kept, the most frequent of a few', () => {
  expect(sampleOfFirst(values('phase', 'done', 'idle', 'idle', 'idle', 'done'))).toEqual([
    { phase: 'idle' },
  ]);
  const nested = [1, 2].map(() => ({ policy: { type: 'lit_signing' }, jobs: [{ kind: 'CLIP' }] }));
  expect(sampleOfFirst(nested)).toEqual([nested[0]]);
});

test.each<[string, readonly object[]]>([
  ['in one record', values('phase', 'idle')],
  ['that is another one in each record', values('phase', 'idle', 'done', 'idle')],
  ['beside a text that is no word', values('phase', 'idle', 'idle', 'idle', 'Ada Lovelace')],
  ['with digits', values('phase', 'a1', 'a1')],
  ...['name', 'createdBy', 'username', 'ownerId', 'login', 'bucket', 'tags', 'prototype'].map(
    (key) => [`at the key ${key}`, values(key, 'ada', 'ada')] as [string, readonly object[]],
  ),
])('a text is made up %s', (_, records) => {
  const made = Object.keys(records[0] ?? {}).map((key) => [key, 'text']);
  expect(sampleOfFirst(records)).toEqual([Object.fromEntries(made)]);
});

test('a text at a key without few values is made up, also within an object', () => {
  const records = [1, 2].map(() => ({ creatorId: { type: 'unverified', value: 'alice' } }));
  expect(sampleOfFirst(records)).toEqual([{ creatorId: { type: 'unverified', value: 'text' } }]);
});

test('a word of the documentation is kept also in one record', () => {
  expect(sampleOfFirst(values('phase', 'idle'), ['idle'])).toEqual([{ phase: 'idle' }]);
  expect(sampleOfFirst(values('phase', 'gone'), ['idle'])).toEqual([{ phase: 'text' }]);
});
