import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import { rewriteList } from '../../mocks/variants/rewrite.ts';
import { runAgainst } from '../run-against.test-support.ts';

test.each([
  ['no recording ever appears', () => []],
  [
    'no recording is ever ready',
    (sessions: readonly object[]) =>
      sessions.map((session) => ({ ...session, recordingStatus: 'waiting' })),
  ],
])('a run does not spend its patience again and again if %s', async (_, change) => {
  const judge = async (patience: number): Promise<number> => {
    const mock = createMock({ now: Date.now, recordingDelay: 0 });
    // While a check waits for its own recordings, others wait for those that all share.
    const { duration } = await runAgainst(rewriteList(change)(mock.fetch), {
      patience,
      areas: ['inheritance', 'list', 'media'],
      concurrency: 64,
    });
    return duration;
  };
  const patience = 3_000;
  const impatient = await judge(1);
  expect((await judge(patience)) - impatient).toBeLessThan(3 * patience);
});
