import { expect, test } from 'vitest';
import type { Behaviours } from '../../../interface/silent.ts';
import { against, dialectOf } from '../against.test-support.ts';
import { createWithoutKeys } from '../equal/without-keys.ts';
import type { Move } from '../moves/move.ts';
import { runOnce, runRecorded, type Search } from './run-once.ts';
import { createMocks, createSide, mockService } from './sides.ts';

test('recorded responses are played to the moves that were sent', async () => {
  const {
    now = Date.now,
    pause = async () => {},
    ...options
  } = against({ 'delete.shows': 'stream' });
  const rows: Partial<Behaviours> = {
    'create.name-length': { atLeast: 255, below: 1_024, refusal: { status: 422 } },
  };
  const clock = { now, pause };
  const target = createSide('the target', options);
  const search: Search = {
    ...{ target, second: undefined, dialect: dialectOf(rows), explains: true, clock },
    ...{ mocks: createMocks(clock), patience: 1_000, sharedLists: new Set() },
    ...{ shouldStop: () => false, isOver: () => false },
    ...{ secrets: [], withoutKeys: createWithoutKeys([]), leaveOut: undefined },
  };
  const moves: Move[] = [
    { operation: 'createStream', body: { name: 'a' } },
    // The dialect leaves open what becomes of it.
    { operation: 'createStream', body: { name: 'a'.repeat(500) } },
    { operation: 'deleteStream', id: { of: 'stream', at: 0 } },
  ];
  target.recorder.record();
  const sent = await runOnce(search, moves);
  const replay = target.recorder.end();
  const services = () => [target.replay(replay()), mockService(search.dialect, clock)] as const;
  const played = await runRecorded(search, moves, services, {});
  const steps = [sent, played].map((outcome) => outcome.steps.map(({ move }) => move));
  expect(steps).toEqual([
    [moves[0], moves[2]],
    [moves[0], moves[2]],
  ]);
  expect(played.difference).toMatchObject({ finding: { where: 'status', kinds: ['200', '204'] } });
});
