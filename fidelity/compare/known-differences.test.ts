import { describe, expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { against } from './against.test-support.ts';
import { compare } from './compare.ts';
import { exitStatus } from './model/comparison.ts';
import { parseKnown } from './model/known.ts';

describe('known differences', () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const signature = 'deleteStream | status | 200 ≠ 204';

  const reason = 'our service shows what it deleted';
  const path = '0:0,1';

  test('are accepted, with their reason', async () => {
    const known = [{ signature, reason, path }];
    const comparison = await compare({ ...against(rows), known, operations: 300 });
    expect(comparison.differences).toMatchObject([{ signature, known: reason }]);
    expect(exitStatus(comparison)).toBe(0);
  });

  test('are those whose entry a new difference has, and their paths are run first', async () => {
    const found = await compare({ ...against(rows), operations: 500, most: 1, seed: 7 });
    const entry = found.differences[0]?.entry;
    expect(entry).toEqual({ signature, reason: 'say why', seed: 7, path: expect.any(String) });
    const again = await compare({ ...against(rows), known: entry ? [entry] : [], operations: 1 });
    expect(again.differences).toMatchObject([{ signature, known: 'say why' }]);
    expect(exitStatus(again)).toBe(0);
  });

  test('are explained as they are without their entry', async () => {
    const pages: Partial<Behaviours> = { 'sessions.page-size': 5 };
    const { differences } = await compare({ ...against(pages), operations: 2_000, most: 1 });
    const known = differences.flatMap(({ entry }) => entry ?? []);
    const again = await compare({ ...against(pages), known, operations: 1 });
    expect(again.differences.map(({ line }) => line)).toEqual([
      { row: 'sessions.page-size', value: 5 },
    ]);
  });

  test('fail once their path no longer shows them', async () => {
    const known = [{ signature, reason, path }];
    const comparison = await compare({ ...against({}), known, operations: 1 });
    expect(comparison).toMatchObject({ unseen: [signature], notReached: [] });
    expect(exitStatus(comparison)).toBe(1);
  });

  test('that there is no time for leave the verdict open', async () => {
    const known = [{ signature, reason, path }];
    const comparison = await compare({ ...against(rows), known, time: 0 });
    expect(comparison).toMatchObject({ unseen: [], notReached: [signature] });
    expect(exitStatus(comparison)).toBe(2);
  });

  test('are not listed as not reached where nothing could be compared', async () => {
    const closed = (): Send => () => Promise.reject(new TypeError('closed'));
    const known = [{ signature, reason, path }];
    const comparison = await compare({ ...against({}, closed), known });
    expect(comparison).toMatchObject({ unseen: [], notReached: [] });
    expect(exitStatus(comparison)).toBe(4);
  });

  test.each([
    [
      '{"known":[{"signature":"a","reason":"say why","path":"1:0"}]}',
      'known[0].reason: expected your own reason in place of "say why"',
    ],
    ['{"known":[],"knwon":1}', 'expected an object with the key known, got "knwon" too'],
    [
      '{"known":[{"signature":"a","reason":"b","path":"1:0","expires":"c"}]}',
      'known[0]: expected an object with the keys signature, reason, path, and optionally seed, got "expires" too',
    ],
    ['{"known":[{"signature":"a","reason":"b"}]}', 'known[0].path: expected a path such as 17:0,4'],
  ])('cannot be %s', (text, message) => {
    expect(() => parseKnown(text)).toThrow(message);
  });
});
