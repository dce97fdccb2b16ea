import { describe, expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Session, Stream } from '../../interface/types.ts';
import { createMock, type Mock } from '../mock.ts';
import { type VariantText, variantFamilies, variantNames } from './families.ts';
import { mediaVariants } from './media.ts';
import { variants } from './variants.ts';

const origin = 'http://127.0.0.1:4100';

/** Sends the requests of an app, as JSON. */
function clientOf(mock: Mock) {
  return async function send<Value>(route: string, body?: unknown): Promise<Value | undefined> {
    const [method = '', path = ''] = route.split(' ');
    const headers: Record<string, string> = path.startsWith('http')
      ? {}
      : { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
    const response = await mock.fetch(
      new Request(path.startsWith('http') ? path : `${origin}/api${path}`, {
        method,
        headers: { ...headers, origin: 'http://app.test' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const isJson = response.headers.get('content-type')?.includes('json');
    const text = await response.text();
    return response.ok && isJson ? JSON.parse(text) : undefined;
  };
}

/** Does what an app with everything does: creates, switches, lists, reads and plays, before and after recordings are ready. */
async function tour(mock: Mock): Promise<void> {
  const send = clientOf(mock);
  const world = await mock.world();
  const create = async (name: string, more: object = {}) => {
    const stream =
      (await send<Stream>('POST /stream', { name, ...more })) ??
      (await world.createStream({ name }));
    return stream.id;
  };
  const look = async (id: string) => {
    await send('GET /stream');
    await send('GET /session');
    await send(`GET /stream/${id}/sessions`);
    await send(`GET /stream/${id}`);
    const sessions = await send<Session[]>(`GET /stream/${id}/sessions?record=1`);
    for (const { recordingUrl, mp4URL } of sessions ?? []) {
      if (recordingUrl) await send(`GET ${recordingUrl}`);
      if (mp4URL) await send(`GET ${mp4URL}`);
    }
  };
  world.clock.advance(123);
  const first = await create('Harbour camera', { profiles: recommendedProfiles });
  world.clock.advance(1_000);
  const second = await create('Town council');
  await create('Ünïcödé that is longer than thirty-two characters', { mood: 'good' });
  await create('Größer', { profiles: [{ ...recommendedProfiles[0], name: '9p', fps: 1 }] });
  for (const id of [first, second]) {
    await send(`PATCH /stream/${id}/record`, { record: true });
    await world.setRecord(id, true);
    await world.start(id);
    await send(`PATCH /stream/${id}/record`, { record: false });
    await look(id);
    world.clock.advance(4_321);
    await look(id);
    await world.stop(id);
    await look(id);
    await look(id);
    world.clock.advance(2_000);
    await look(id);
    await world.start(id, { duration: 3 });
    world.clock.advance(60_000);
    await look(id);
  }
  const [session] = (await send<Session[]>(`GET /stream/${first}/sessions?record=1`)) ?? [];
  world.clock.advance('2h');
  if (session?.recordingUrl) await send(`GET ${session.recordingUrl}`);
  await send('GET /stream/nothing/sessions');
  await send('PATCH /stream/nothing/record', { record: true });
  await send(`PATCH /stream/${first}/record`, []);
  await send(`PATCH /stream/${first}/record`, { record: 'true' });
  await send(`PATCH /stream/${first}`, { record: true });
}

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
