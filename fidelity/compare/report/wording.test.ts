import { expect, test } from 'vitest';
import type { Send } from '../../../conformance/target/exchange.ts';
import { against, dialectOf } from '../against.test-support.ts';
import { compare } from '../compare.ts';
import { exitStatus } from '../model/comparison.ts';
import type { CompareOptions } from '../options.ts';
import { renderHtml } from './html.ts';
import { renderTerminal } from './terminal.ts';

const look = { colours: false, width: 500 };

test('a report names both sides, and says that little was seen, and no sessions', async () => {
  const { provider: _, ...target } = against({});
  const dialect = { ...dialectOf({}), name: 'our service' };
  const ended = { operations: 10, dialect, dialectFile: 'ours.json' };
  const comparison = await compare({ ...target, ...ended });
  const sides = [
    'The target: http://service.test/api',
    'The mock: with the dialect "our service", ours.json',
  ];
  for (const side of sides) expect(renderTerminal(comparison, look)).toContain(side);
  expect(renderHtml(comparison)).toContain('The target: http://service.test/api');
  expect(comparison).toMatchObject({ tool: expect.stringMatching(/^\d/), withSessions: false });
  const text = renderTerminal(comparison, look);
  expect(text).toContain('Sessions were not compared: each side needs a source of them');
  expect(text).toMatch(
    /No difference was found between the target and the mock, in \d\d operations\.\n$/,
  );
});

test('a report says that the search ended after so many differences', async () => {
  const shown = { 'delete.shows': 'stream' } as const;
  const comparison = await compare({ ...against(shown), operations: 500, most: 1 });
  expect(comparison.foundMost).toBe(true);
  expect(renderTerminal(comparison, look)).toContain(
    'The search ended after 1 difference: there may be more',
  );
});

test('a search that ends after differences that are all known saw too little', async () => {
  const shown = { 'delete.shows': 'stream' } as const;
  const known = [{ signature: 'deleteStream | status | 200 ≠ 204', reason: 'ours', path: '0:0,1' }];
  const comparison = await compare({ ...against(shown), operations: 500, most: 1, known });
  expect(comparison).toMatchObject({ foundMost: true, differences: [{ known: 'ours' }] });
  expect(exitStatus(comparison)).toBe(2);
  expect(renderTerminal(comparison, look)).toContain('before the search ended early.');
});

test('a report says that the search was interrupted', async () => {
  const stop = new AbortController();
  const comparison = await compare({
    ...against({}),
    signal: stop.signal,
    onProgress: (operations) => {
      if (operations > 20) stop.abort();
    },
  });
  expect(comparison.coverage.operations).toBeGreaterThan(20);
  expect(renderTerminal(comparison, look)).toContain(
    'It was interrupted: there may be more differences',
  );
});

/** Options of a search of 1 s, of which the first deletion takes longer. Two before it clean up what was made to ask. */
function endedIn(milliseconds: number): CompareOptions {
  let now = Date.UTC(2026, 0, 1);
  let deletions = 0;
  const passTime =
    (send: Send): Send =>
    (request) => {
      if (request.method === 'DELETE' && ++deletions === 3) now += milliseconds;
      return send(request);
    };
  return {
    ...against({ 'delete.shows': 'stream' }, passTime),
    now: () => now,
    time: 1_000,
    operations: 500,
  };
}

test('a difference that the end of the time leaves as it was found says so', async () => {
  const comparison = await compare(endedIn(2_000));
  expect(comparison.differences).toMatchObject([{ unfinished: ['shortened'] }]);
  expect(renderTerminal(comparison, look)).toContain('Not shortened, as the time was over.');
});

test('a report says how long the known differences took', async () => {
  let now = Date.UTC(2026, 0, 1);
  const passTime =
    (send: Send): Send =>
    (request) => {
      now += 1_500;
      return send(request);
    };
  const comparison = await compare({
    ...against({}, passTime),
    known: [{ signature: 'createStream | status | 200 ≠ 201', reason: 'ours', path: '0' }],
    now: () => now,
    operations: 1,
  });
  expect(comparison.knownDuration).toBeGreaterThan(1_500);
  const seconds = Math.round(comparison.knownDuration / 1_000);
  expect(renderTerminal(comparison, look)).toContain(`Known differences took ${seconds} s of it`);
});

test('a difference that nobody had time to see again is counted', async () => {
  const comparison = await compare(endedIn(10_000));
  expect(comparison).toMatchObject({ differences: [], unsteady: 0, unconfirmed: 1 });
  expect(renderTerminal(comparison, look)).toMatch(
    /1 difference not confirmed, as the time was over\n.*No difference was found .* operations? before the time ran out\.\n$/s,
  );
  expect(exitStatus(comparison)).toBe(2);
});
