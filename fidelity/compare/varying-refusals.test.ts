import { describe, expect, test } from 'vitest';
import {
  against,
  answering,
  type Change,
  shownDeleted,
  showsDeleted,
} from './against.test-support.ts';
import { compare } from './compare.ts';

/** A service whose refusals have another word at `reason` each time, or the same one. */
function refusing(reason: 'varies' | 'why', code = 'REFUSED'): Change {
  let refusals = 0;
  const word = (): string => {
    const letters = String(refusals++).replaceAll(
      /\d/g,
      (digit) => 'abcdefghij'[Number(digit)] ?? '',
    );
    return `word-${letters}`;
  };
  return answering((_, response) =>
    response.status >= 400 && response.body !== null
      ? Response.json({ code, reason: reason === 'varies' ? word() : reason }, response)
      : undefined,
  );
}

/** Compares two services of which nothing else is different. */
async function differencesOf(one: Change, second: Change, operations = 600) {
  const { provider: _, otherApiKey: __, ...target } = against(one);
  const { baseUrl, apiKey, send } = against(second);
  const other = { baseUrl, apiKey, ...(send && { send }) };
  return compare({ ...target, operations, other });
}

describe('a word in refusals that is another each time', () => {
  test('is no difference between two services that both have it', async () => {
    const comparison = await differencesOf(refusing('varies'), refusing('varies'));
    expect(comparison).toMatchObject({ differences: [], unsteady: {} });
  }, 60_000);

  test('hides no other difference', async () => {
    const both: Change = (send) => refusing('varies')(showsDeleted(send));
    const comparison = await differencesOf(both, refusing('varies'), 1_000);
    expect(comparison.differences.map(({ place }) => place)).toEqual([shownDeleted]);
    expect(comparison.unsteady).toEqual({});
  }, 60_000);

  test('differs from a code', async () => {
    const { differences } = await differencesOf(refusing('varies'), refusing('why'));
    expect(differences.map(({ words }) => words)).toEqual([
      ['{"code":"REFUSED","reason":"{message}"}', '{"code":"REFUSED","reason":"why"}'],
    ]);
  }, 60_000);
});

test('a code that is another on one side is compared', async () => {
  const { differences } = await differencesOf(refusing('why', 'MISSING'), refusing('why', 'GONE'));
  expect(differences.map(({ place }) => place)).toEqual([
    'refusal | {"code":"MISSING","reason":"why"} ≠ {"code":"GONE","reason":"why"}',
  ]);
});
