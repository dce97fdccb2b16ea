import { describe, expect, test } from 'vitest';
import type { Session } from '../../interface/types.ts';
import { createMock } from '../mock.ts';
import { type VariantText, variantFamilies, variantNames } from './families.ts';
import { mediaVariants } from './media.ts';
import { clientOf, origin, tour } from './tour.test-support.ts';
import { variants } from './variants.ts';

describe('every variant changes responses of an app that does everything', () => {
  test.each(variantNames)('%s', async (variant) => {
    const mock = createMock({ variant, ...(variant === 'slow' && { now: Date.now }) });
    if (variant === 'slow') await clientOf(mock)('GET /stream');
    else await tour(mock);
    const evidence = await mock.evidence();
    expect(evidence).toMatchObject({ variant, changed: { [variant]: expect.any(Number) } });
    expect(evidence.changed[variant]).toBeGreaterThan(0);
    expect(evidence.changed[variant]).toBeLessThanOrEqual(evidence.compared);
  });
});

describe('what only hints at a variant does not count as met', () => {
  test.each(['media-redirected', 'media-addresses-end'] as const)(
    '%s, if the addresses of a recording are listed, but not used',
    async (variant) => {
      const mock = createMock({ variant, recordingDelay: 0 });
      const world = await mock.world();
      const { id } = await world.createStream({ name: 'Harbour camera', record: true });
      await world.start(id, { duration: 4 });
      const [session] = (await clientOf(mock)<Session[]>(`GET /stream/${id}/sessions`)) ?? [];
      expect((await mock.evidence()).changed).toEqual({ [variant]: 0 });
      world.clock.advance('2h');
      await clientOf(mock)(`GET ${session?.mp4URL}`);
      expect((await mock.evidence()).changed).toEqual({ [variant]: 1 });
    },
  );

  test.each([
    ['pages-of-one', 1],
    ['pages-of-two', 2],
  ] as const)('%s, if no list has more than one page', async (variant, fitting) => {
    const mock = createMock({ variant });
    const world = await mock.world();
    for (let count = 0; count < fitting; count += 1) await world.createStream({ name: 'Quay' });
    await clientOf(mock)('GET /stream');
    expect((await mock.evidence()).changed).toEqual({ [variant]: 0 });
    await world.createStream({ name: 'one more' });
    await clientOf(mock)('GET /stream');
    expect((await mock.evidence()).changed).toEqual({ [variant]: 1 });
  });

  test('origin-refused, if no request comes from a page', async () => {
    const mock = createMock({ variant: 'origin-refused' });
    const headers: Record<string, string> = { authorization: 'Bearer test-demo' };
    await mock.fetch(new Request(`${origin}/api/stream`, { headers }));
    expect((await mock.evidence()).changed).toEqual({ 'origin-refused': 0 });
  });
});

test.each(['media-redirected', 'media-on-another-host'] as const)(
  'with %s, addresses of recordings still end in the names of their files',
  async (variant) => {
    const { get, address } = await playable(variant);
    expect(address).toMatch(/index\.m3u8$/);
    const location = (await get(address)).headers.get('location');
    const end = location === null ? address : new URL(location, address).href;
    const last = (await get(end)).headers.get('location');
    const played = await get(new URL(last ?? end, end));
    expect(played.status).toBe(200);
  },
);

/** Plays the beginning of a recording: its playlists, and the first address in them that is no playlist. */
async function play(
  { get, address }: Pick<Awaited<ReturnType<typeof playable>>, 'get' | 'address'>,
  learnsOfRedirects: boolean,
): Promise<readonly number[]> {
  let end = address;
  let response = await get(end);
  for (let location = response.headers.get('location'); location !== null; ) {
    end = new URL(location, end).href;
    response = await get(end);
    location = response.headers.get('location');
  }
  const base = learnsOfRedirects ? end : address;
  const text = address.includes('.m3u8') && response.ok ? await response.text() : undefined;
  if (text === undefined) return [response.status];
  const next = { get, address: firstAddress(text, base) };
  return [response.status, ...(await play(next, learnsOfRedirects))];
}

const mediaNames = variantNames.filter((name) => name in mediaVariants);
const pairs = mediaNames.flatMap((one, index) =>
  mediaNames.slice(index + 1).flatMap((other) => {
    const families: readonly string[] = variantFamilies[one];
    const isContradiction = variantFamilies[other].some((family) => families.includes(family));
    return isContradiction ? [] : [`${one}+${other}` as VariantText];
  }),
);

test.each(pairs)('a recording plays with %s, as with each of them alone', async (variant) => {
  const recording = await playable(variant);
  for (const learnsOfRedirects of [true, false]) {
    const statuses = await play(recording, learnsOfRedirects);
    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
});

test('with media-on-another-host, every part of a recording refuses a key', async () => {
  const { get, address, playlist } = await playable('media-on-another-host');
  const segment = firstAddress(playlist, address);
  const withKey = { authorization: 'Bearer test-demo' };
  const answers = [get(address, withKey), get(segment, withKey), get(segment)];
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 200]);
});

test('the tables describe exactly the variants that are named', () => {
  expect(Object.keys(variants).sort()).toEqual([...variantNames].sort());
});

test.each(variantNames)(
  '%s is described in the past tense, with a clause that allows it',
  (name) => {
    const { statement, clause, argument, metBy } = variants[name];
    expect(statement).toMatch(/^.*\.$/);
    expect(argument).toMatch(/^(Clause )?\d|^The interface .*\.$/);
    expect(argument).not.toContain('\n');
    expect(clause).toMatch(/^\d(\.\d)?$/);
    expect(metBy).toMatch(/^[a-z].*[^.]$/);
  },
);

/** A recording of two segments under a variant, and what an app needs to play it. */
async function playable(variant: VariantText) {
  const mock = createMock({ recordingDelay: 0, variant });
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'recorded', record: true });
  await world.start(id, { duration: 4 });
  const [session] = (await clientOf(mock)<Session[]>(`GET /stream/${id}/sessions`)) ?? [];
  const get = (address: string | URL, headers: Record<string, string> = {}) =>
    mock.fetch(new Request(address, { headers }));
  const address = session?.recordingUrl ?? '';
  return { world, get, address, playlist: await (await get(address)).text() };
}

/** The first address in a playlist that is on a line of its own. */
function firstAddress(playlist: string, base: string): string {
  return new URL(playlist.match(/^[^#\s].*$/m)?.[0] ?? '', base).href;
}

test('the address of a segment may be signed and name a transport stream at once', async () => {
  const variant = 'playlist-addresses-signed+transport-stream';
  const { get, address, playlist } = await playable(variant);
  const segment = await get(firstAddress(playlist, address));
  expect([segment.status, segment.headers.get('content-type')]).toEqual([200, 'video/mp2t']);
});

test.each(['playlist-addresses-signed', 'media-addresses-end'] as const)(
  'with %s, the address of a file of byte ranges is signed, too',
  async (signed) => {
    const { world, get, address, playlist } = await playable(`${signed}+byte-ranges`);
    const file = firstAddress(playlist, address);
    expect(playlist).toContain(`#EXT-X-MAP:URI="${playlist.match(/^[^#].*$/m)?.[0]}",BYTERANGE="`);
    const [, size, start] = /#EXT-X-BYTERANGE:(\d+)@(\d+)/.exec(playlist) ?? [];
    const range = `bytes=${start}-${Number(start) + Number(size) - 1}`;
    const segment = await get(file, { range });
    expect(segment.status).toBe(206);
    expect((await segment.arrayBuffer()).byteLength).toBe(Number(size));
    const unsigned = new URL(file);
    unsigned.search = '';
    expect((await get(unsigned, { range })).status).toBe(403);
    world.clock.advance('2h');
    expect((await get(file, { range })).status).toBe(signed === 'media-addresses-end' ? 403 : 206);
  },
);
