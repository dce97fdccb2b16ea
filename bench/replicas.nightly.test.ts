import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startTeam } from './team.test-support.ts';
import { drive, lostOf, newWorld } from './traffic.test-support.ts';

/** The longest time that a world may be unavailable, in milliseconds: the lease and two seconds. */
const longestOutage = 5_000 + 2_000;

test('if one of two replicas behind HAProxy is killed, nothing is lost, and every world responds again', async () => {
  const team = await startTeam();
  const worlds = Array.from({ length: 20 }, (_, index) => newWorld(team.origin, `test-${index}`));
  let isOver = false;
  const clients = worlds.map((world) => drive(world, () => isOver));
  // The first requests create the worlds.
  await vi.waitUntil(() => worlds.every(({ answered }) => answered > 0), 60_000);
  await setTimeout(1_000);
  expect(worlds.map(({ lastFailure }) => lastFailure).filter(Boolean)).toEqual([]);

  const killedAt = performance.now();
  await team.replicas[0]?.stop();
  await setTimeout(longestOutage + 1_000);
  isOver = true;
  await Promise.all(clients);

  const moved = worlds.filter(({ failed }) => failed > 0);
  expect(moved.length).toBeGreaterThan(0);
  const recovered = Math.max(...moved.map(({ recoveredAt }) => recoveredAt));
  expect(recovered - killedAt).toBeLessThan(longestOutage);
  expect(worlds.flatMap(({ created, recorded }) => [...created, ...recorded])).not.toEqual([]);
  expect((await Promise.all(worlds.map(lostOf))).flat()).toEqual([]);
}, 90_000);
