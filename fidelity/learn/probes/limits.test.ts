import { expect, test } from 'vitest';
import { narrowestLimits } from '../../../conformance/mutants/narrowest-limits.ts';
import type { LearnOptions } from '../ask-target.ts';
import { mockToLearn } from '../learn.test-support.ts';
import { learnOnce } from '../learn.ts';

const refusal = { status: 422 };

test.each([50, 64, 100, 128])('a longest name of %d characters is learned', async (length) => {
  const rows = { 'create.name-length': { atLeast: length, below: length + 1, refusal } };
  const { dialect } = await learnOnce(mockToLearn({ rows }));
  const learned = dialect.rows['create.name-length'];
  expect(learned).toMatchObject({ atLeast: length, refusal });
  expect(learned?.below).toBeLessThanOrEqual(2 * length);
});

test('every limit is learned that is as narrow as a dialect can say, and no other row', async () => {
  const usual = await learnOnce(mockToLearn());
  const { dialect } = await learnOnce(mockToLearn({ rows: narrowestLimits }));
  expect(dialect.rows).toEqual({ ...usual.dialect.rows, ...narrowestLimits });
});

/** What learns a mock that refuses some new streams. */
function refusing(isRefused: (stream: { name?: unknown; profiles?: unknown }) => boolean) {
  const { send, ...options } = mockToLearn();
  const answer = send as NonNullable<LearnOptions['send']>;
  return learnOnce({
    ...options,
    async send(request) {
      const text = request.method === 'POST' ? await request.clone().text() : '';
      const isStream = request.url.endsWith('/stream') && /^\{".*\}$/.test(text);
      return isStream && isRefused(JSON.parse(text))
        ? Response.json({}, { status: 400 })
        : answer(request);
    },
  });
}

test('a limit below what the suite sends is contradicted, and not written', async () => {
  const { rows, dialect } = await refusing(({ name }) => String(name).length > 20);
  expect(rows['create.name-length']).toMatchObject({
    outcome: 'contradicted',
    reason:
      'expected 32 to be accepted, as check and learn send such values, got a refusal with status 400',
  });
  expect(dialect.rows).not.toHaveProperty(['create.name-length']);
});

test('the smallest recommended rendition is tried as it is', async () => {
  const { rows } = await refusing(({ profiles }) =>
    Array.isArray(profiles) && profiles.length > 0
      ? profiles.some(({ width, height }) => Math.abs(width / height - 16 / 9) > 0.01)
      : false,
  );
  expect(rows['profile.smallest.width']?.value).toMatchObject({ atMost: 640, above: 320 });
  expect(rows['profile.largest.height']?.value).toMatchObject({ atLeast: 720, below: 1_080 });
});
