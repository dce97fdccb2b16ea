import { expect, test } from 'vitest';
import { createRandom } from '../../../fixtures/random.ts';
import { poll, roundTime } from './poll.ts';

/** Measures a delay whose requests take 5 to 40 ms, and are answered in the middle of that time. */
async function measure(delay: number, seed: string): Promise<{ after: number; until: number }> {
  const random = createRandom(seed);
  let time = 0;
  const pause = async (milliseconds: number): Promise<void> => {
    time += milliseconds;
  };
  const look = async (): Promise<true | undefined> => {
    const half = random.integer(5, 40) / 2;
    time += half;
    const isFound = time >= delay;
    time += half;
    return isFound || undefined;
  };
  const found = await poll({ now: () => time, pause }, 60_000, look);
  return found ?? { after: 60_000, until: 60_000 };
}

test.each([
  { delay: 0, written: 0 },
  { delay: 1_000, written: 1_000 },
  { delay: 2_300, written: 2_000 },
  { delay: 2_500, written: 2_000 },
  { delay: 2_700, written: 2_000 },
  { delay: 2_900, written: 5_000 },
  { delay: 3_000, written: 5_000 },
  { delay: 6_000, written: 5_000 },
  { delay: 13_000, written: 10_000 },
  { delay: 26_000, written: 20_000 },
])('$delay ms are written as $written, however long requests take', async ({ delay, written }) => {
  for (let seed = 0; seed < 50; seed++) {
    expect(roundTime((await measure(delay, `${seed}`)).after)).toBe(written);
  }
});
