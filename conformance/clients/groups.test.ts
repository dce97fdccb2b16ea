import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import type { VariantText } from '../../mocks/variants/families.ts';
import { tour } from '../../mocks/variants/tour.test-support.ts';
import { groupTrials } from './grouping.ts';
import { variantTrials } from './trials.ts';

const groups = groupTrials(variantTrials(), ({ isApart }) => isApart).map(
  (group) => group.map(({ name }) => name).join('+') as VariantText,
);

/** A mock that waits as that of a server does, and for no real time. Its clock moves only when a test advances it. */
function createWaitingMock(variant: VariantText) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.setTimerTickMode('nextTimerAsync');
  onTestFinished(() => void vi.useRealTimers());
  return createMock({ variant, now: () => Date.UTC(2026, 0, 1) });
}

test.each(groups)('no variant of a group hides another: %s', async (variant) => {
  const mock = createWaitingMock(variant);
  await tour(mock);
  const { changed } = await mock.evidence();
  expect(Object.keys(changed).join('+')).toBe(variant);
  expect(Object.entries(changed).filter(([, count]) => count === 0)).toEqual([]);
});
