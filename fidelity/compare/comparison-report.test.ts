import { describe, expect, test } from 'vitest';
import { against, shownDeleted, showsDeleted, without } from './against.test-support.ts';
import { compare } from './compare.ts';
import type { Comparison } from './comparison.ts';
import { comparisonRenderer, comparisonStatus, renderComparison } from './comparison-report.ts';

const look = { colours: false, width: 500 };

describe('a report of a comparison without sessions and differences', () => {
  const { provider: _, ...target } = against();
  const running = compare({ ...target, operations: 300 });

  test.each([
    ['text', (comparison: Comparison) => renderComparison(comparison, look)],
    ['HTML', comparisonRenderer('a.html')],
  ])('names both sides in %s', async (_format, render) => {
    const shown = render(await running);
    expect(shown).toContain('The target: http://service.test/api');
    expect(shown).toContain('The mock: without a dialect');
  });

  test('says that no sessions were compared', async () => {
    expect(await running).toHaveProperty('withSessions', false);
    expect(renderComparison(await running, look)).toContain(
      'Sessions were not compared: each side needs a way to make them',
    );
  });

  test('says that no difference was found', async () => {
    expect(renderComparison(await running, look)).toMatch(
      /No difference was found between the target and the mock, in \d+ operations\.\n$/,
    );
  });

  test('has the version of this program', async () => {
    expect(await running).toHaveProperty('tool', expect.stringMatching(/^\d/));
  });
});

describe('a report of a search that ended because enough was found', () => {
  const options = { ...against(showsDeleted), operations: 500, maxDifferences: 1 };
  const running = compare(options);

  test('says so', async () => {
    const comparison = await running;
    expect(comparison.end).toBe('enough differences were found');
    expect(renderComparison(comparison, look)).toContain(
      'The search ended: enough differences were found, so there may be more',
    );
  });

  test('has its lines cut on a terminal', async () => {
    expect(renderComparison(await running, { colours: false, width: 40 })).toContain('…');
  });

  test('has whole lines elsewhere', async () => {
    expect(renderComparison(await running, { colours: false })).not.toContain('…');
  });
});

test('a search that ends early saw too little, even if all differences are known', async () => {
  const known = [{ difference: shownDeleted, reason: 'ours' }];
  const options = { ...against(showsDeleted), operations: 900, maxDifferences: 1 };
  const comparison = await compare({ ...options, known });
  expect(comparison.differences).toMatchObject([{ known: 'ours' }]);
  expect(comparisonStatus({ ...comparison, byOperation: {} })).toBe(2);
});

test('a report says that the search was interrupted', async () => {
  const stop = new AbortController();
  const comparison = await compare({
    ...against(),
    signal: stop.signal,
    onProgress: (operations) => {
      if (operations > 20) stop.abort();
    },
  });
  expect(comparison.operations).toBeGreaterThan(20);
  const text = renderComparison(comparison, look);
  expect(text).toContain('It was interrupted: there may be more differences');
});

test('a difference is counted even if there was no time to see it again', async () => {
  let now = Date.UTC(2026, 0, 1);
  const target = against((send) => (request) => {
    if (request.method === 'OPTIONS') now += 10_000;
    return without('access-control-allow-methods')(send)(request);
  });
  const options = { ...target, now: () => now, time: 1_000, operations: 500 };
  const comparison = await compare(options);
  expect(comparison).toMatchObject({ differences: [], unsteady: 1 });
  const text = renderComparison(comparison, look);
  expect(text).toContain('1 difference did not appear again, and so did not count');
  expect(comparisonStatus(comparison)).toBe(2);
});
