import fc from 'fast-check';
import type { types } from 'hls-parser';
import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { testerOfHandle, type World } from '../service/testers/world-handle.ts';
import { sessionWrites } from '../service/testers/writes.ts';
import { openMediaWorld, readMedia } from './media.test-support.ts';
import { testRequest } from './request.test-support.ts';

/** What can happen to a stream, and to the mock that it is in. Times are in milliseconds, lengths in seconds. */
type Step =
  | { readonly kind: 'wait' | 'jump'; readonly time: number }
  | { readonly kind: 'start' | 'stop' | 'move' }
  | { readonly kind: 'profiles'; readonly count: number }
  | { readonly kind: 'broadcast' | 'past'; readonly duration: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: wait(1, 15_000) },
    { weight: 4, arbitrary: fc.constant({ kind: 'start' } as const) },
    { weight: 4, arbitrary: fc.constant({ kind: 'stop' } as const) },
    fc.record({ kind: fc.constant('jump' as const), time: fc.constantFrom(60_000, 3_600_000) }),
    fc.record({
      kind: fc.constantFrom('broadcast' as const, 'past' as const),
      duration: fc.integer({ min: 1, max: 100 }),
    }),
    fc.constant({ kind: 'move' } as const),
    fc.record({
      kind: fc.constant('profiles' as const),
      count: fc.integer({ min: 0, max: recommendedProfiles.length }),
    }),
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

function wait(min: number, max: number) {
  return fc.record({ kind: fc.constant('wait' as const), time: fc.integer({ min, max }) });
}

/** What a player knows of a live playlist: its latest version, and each segment that any version named. */
interface Known {
  version: types.MediaPlaylist | undefined;
  readonly segments: Map<number, string>;
}

test('every version of a live playlist continues the one before, whatever happens', async () => {
  const history = fc.asyncProperty(steps, async (all) => {
    let { mock, world, get } = await openMediaWorld();
    const { id, playbackId } = await world.createStream({ name: 'live' });
    const folder = `http://player.test/hls/${playbackId}/source/`;
    const known: Known = { version: undefined, segments: new Map() };
    await world.start(id);
    for (const step of all) {
      if (step.kind === 'move') {
        const state = world.exportState();
        ({ mock, world, get } = await openMediaWorld());
        await world.importState(state);
      } else if (step.kind === 'profiles') {
        const body = JSON.stringify({ profiles: recommendedProfiles.slice(0, step.count) });
        const authorization = `Bearer ${world.apiKey}`;
        await mock.fetch(testRequest(`PATCH /api/stream/${id}`, { authorization, body }));
      } else await happen(world, id, step);
      const next = await readMedia(await get(`${folder}index.m3u8`));
      const missed = expectContinued(known, next, step);
      for (const uri of [...missed, ...next.segments.map((segment) => segment.uri)]) {
        expect((await get(folder + uri)).status, uri).toBe(200);
      }
    }
  });
  await fc.assert(history, { numRuns: byNight(500, 25) });
});

async function happen(
  world: World,
  id: string,
  step: Exclude<Step, { readonly kind: 'move' | 'profiles' }>,
): Promise<void> {
  const isLive = world.streams().some(({ isActive }) => isActive);
  switch (step.kind) {
    case 'wait':
    case 'jump':
      world.clock.advance(step.time);
      break;
    case 'start':
      if (!isLive) await world.start(id);
      break;
    case 'stop':
      if (isLive) await world.stop(id);
      break;
    case 'broadcast':
      if (!isLive) await world.start(id, { duration: step.duration });
      break;
    case 'past': {
      if (isLive) break;
      const endedAt = world.clock.now() - 3_600_000;
      const session = { parentId: id, duration: step.duration, endedAt };
      sessionWrites.create(testerOfHandle(world).world, [session]);
    }
  }
}

/**
 * Checks what RFC 8216, 6.2.2, says about the next version of a playlist. Returns the names of segments that the player
 * has just learned that it may still fetch, though they are in the playlist no more.
 */
function expectContinued(known: Known, next: types.MediaPlaylist, step: Step): string[] {
  const { version, segments } = known;
  const begin = next.mediaSequenceBase ?? 0;
  let discontinuities = next.discontinuitySequenceBase ?? 0;
  for (const [index, segment] of next.segments.entries()) {
    if (segment.discontinuity) discontinuities += 1;
    const description = `${segment.uri} ${segment.map.uri} ${segment.duration} ${discontinuities}`;
    expect(description).toBe(segments.get(begin + index) ?? description);
    segments.set(begin + index, description);
  }
  known.version = next;
  if (version === undefined) return [];
  const wasBegin = version.mediaSequenceBase ?? 0;
  expect(begin).toBeGreaterThanOrEqual(wasBegin);
  expect(next.discontinuitySequenceBase).toBeGreaterThanOrEqual(
    version.discontinuitySequenceBase ?? 0,
  );
  expect(begin + next.segments.length).toBeGreaterThanOrEqual(wasBegin + version.segments.length);
  const isContinuous =
    !version.endlist && ['wait', 'start', 'stop', 'profiles'].includes(step.kind);
  if (!isContinuous) return [];
  expect(begin).toBeLessThanOrEqual(wasBegin + version.segments.length);
  return version.segments.slice(0, Math.max(0, begin - wasBegin)).map(({ uri }) => uri);
}
