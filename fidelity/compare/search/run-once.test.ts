import { expect, test } from 'vitest';
import type { Behaviours } from '../../../interface/silent.ts';
import { against, dialectOf } from '../against.test-support.ts';
import type { Move } from '../moves/move.ts';
import { runOnce } from './run-once.ts';
import { runRecorded } from './run-recorded.ts';
import { searchBetween } from './search.test-support.ts';
import { mockService } from './sides.ts';

test('recorded responses are played to the moves that were sent', async () => {
  const rows: Partial<Behaviours> = {
    'create.name-length': { atLeast: 255, below: 1_024, refusal: { status: 422 } },
  };
  const search = searchBetween(against({ 'delete.shows': 'stream' }), dialectOf(rows));
  const { target, clock, dialect } = search;
  const moves: Move[] = [
    { operation: 'createStream', body: { name: 'a' } },
    // The dialect leaves open what becomes of it.
    { operation: 'createStream', body: { name: 'a'.repeat(500) } },
    { operation: 'deleteStream', id: { of: 'stream', at: 0 } },
  ];
  const sent = await runOnce(search, moves, { records: true });
  const replay = target.recorder.end();
  const services = () => [target.replay(replay()), mockService(dialect, clock)] as const;
  const played = await runRecorded(search, moves, services, {});
  const steps = [sent, played].map((outcome) => outcome.steps.map(({ move }) => move));
  expect(steps).toEqual([
    [moves[0], moves[2]],
    [moves[0], moves[2]],
  ]);
  expect(played.difference).toMatchObject({ finding: { where: 'status', kinds: ['200', '204'] } });
});
