import { expect, test } from 'vitest';
import { against, answering, apiKey, showingInNew, showsDeleted } from './against.test-support.ts';
import { compare } from './compare.ts';
import type { Comparison } from './comparison.ts';
import { comparisonStatus } from './comparison-report.ts';
import type { KnownDifference } from './known-differences.ts';

/** The entries that accept what was found. */
function entriesOf({ differences }: Comparison): KnownDifference[] {
  return differences.map(({ name, seed = 1, sequence = 0 }) => {
    return { difference: name, reason: 'ours', seed, sequence };
  });
}

test('a key that looks like an operation changes neither a difference nor its entry', async () => {
  const options = { ...against(showsDeleted), apiKey: 'test-stream', operations: 500 };
  const known = entriesOf(await compare({ ...options, maxDifferences: 1 }));
  expect(known).toMatchObject([{ difference: 'deleteStream | status | 200 ≠ 204' }]);
  const again = await compare({ ...options, known });
  expect(again).toMatchObject({ unseen: [], differences: [{ known: 'ours' }] });
  expect(comparisonStatus(again)).toBe(0);
});

test('an entry accepts a difference in which the target shows the key', async () => {
  const secret = 'test-production-secret-key';
  const naming = showingInNew({ [`for ${secret}`]: 1 });
  const options = { ...against(naming), apiKey: secret, operations: 300 };
  const known = entriesOf(await compare({ ...options, maxDifferences: 1 }));
  expect(known).toMatchObject([{ difference: expect.stringContaining('[API key]') }]);
  const again = await compare({ ...options, known, operations: 1 });
  expect(JSON.stringify(again)).not.toContain(secret);
  expect(again).toMatchObject({ unseen: [], differences: [{ known: 'ours' }] });
});

test('a file of known differences is shown without keys', async () => {
  const difference = `status | ${apiKey}`;
  const known = [{ difference, reason: `of ${apiKey}`, seed: 1, sequence: 0 }];
  const comparison = await compare({ ...against(), known, operations: 30 });
  expect(comparison.unseen).toEqual(['status | [API key]']);
  expect(JSON.stringify(comparison)).not.toContain(apiKey);
});

test('no part of the key is left at the end of a response that is cut', async () => {
  const echo = answering(({ method }) =>
    method === 'DELETE'
      ? new Response(`${'-'.repeat(1_492)}${apiKey}`, { status: 418 })
      : undefined,
  );
  const { differences } = await compare({ ...against(echo), operations: 300, maxDifferences: 1 });
  expect(differences).not.toEqual([]);
  expect(JSON.stringify(differences)).not.toContain(`-${apiKey.slice(0, 4)}`);
});

test('no part of the key is left at the end of a difference that is cut', async () => {
  const secret = 'test-production-secret-key';
  // The key begins just before the 1,500th character of the form, where it is cut.
  const keys = [...'bcdefghijklmnopqrstuvwxyzA'].map((end) => [`${'a'.repeat(51)}${end}`, 1]);
  const body = { ...Object.fromEntries(keys), zcode: secret };
  const naming = answering((_, response) =>
    response.status === 404 ? Response.json(body, response) : undefined,
  );
  const options = { ...against(naming), apiKey: secret, operations: 60, maxDifferences: 1 };
  const { differences } = await compare(options);
  expect(new Set(differences.map(({ where }) => where))).toEqual(new Set(['refusal']));
  expect(differences[0]?.kinds.join()).toContain('…');
  expect(JSON.stringify(differences)).not.toContain('test-p');
});
