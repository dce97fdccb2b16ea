import { describe, expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { profileFields } from '../../interface/limit-ladders.ts';
import { type RowId, rowOf } from '../../interface/silent.ts';
import { documentedKeys, knownFields } from '../../interface/silent-creation.ts';
import type { LowerLimit, UpperLimit } from '../../interface/silent-row.ts';
import {
  type Answer,
  type Client,
  clientOf,
  type JsonObject,
  type Look,
  refusal,
  rowsBeginning,
  testLooks,
  typesOf,
} from './dialect.test-support.ts';

const [profile] = recommendedProfiles;

function create({ send }: Client, fields: object): Promise<Answer> {
  return send('POST /api/stream', { name: 'Harbour camera', ...fields });
}

/** Looks at the response to a creation that is not refused. */
function creating(fields: object, read: (stream: JsonObject) => unknown): Look {
  return async (client) => {
    const answer = await create(client, fields);
    return refusal(answer) ?? read(answer.json);
  };
}

const accepting = (fields: object): Look => creating(fields, () => 'accepted');
const keeping = (field: string): Look =>
  creating({ [field]: ['text'] }, (stream) => (field in stream ? 'kept' : 'dropped'));

function shownProfiles(stream: JsonObject): string {
  if (!('profiles' in stream)) return 'absent';
  return stream['profiles'] === null ? 'null' : 'empty';
}

async function readSession(client: Client): Promise<JsonObject> {
  const { id } = (await create(client, { record: true })).json;
  const session = await client.world.start(String(id), { duration: 5 });
  client.world.clock.advance('1m');
  return (await client.send(`GET /api/session/${session.id}`)).json;
}

const further = { fpsDen: 1, quality: 23, gop: '2.0', profile: 'H264High', encoder: 'H.264' };

const looks: Partial<Record<RowId, Look>> = {
  'create.unknown-field': keeping('mood'),
  ...Object.fromEntries(
    knownFields.map((field) => [`create.known-field.${field}`, keeping(field)]),
  ),
  'create.profile-field': creating({ profiles: [{ ...profile, mood: 1 }] }, ({ profiles }) =>
    'mood' in ((profiles as JsonObject[])[0] ?? {}) ? 'kept' : 'dropped',
  ),
  'profile.empty-name': accepting({ profiles: [{ ...profile, name: '' }] }),
  ...Object.fromEntries(
    Object.entries(further).map(([field, value]) => [
      `profile.known-field.${field}`,
      creating({ profiles: [{ ...profile, [field]: value }] }, ({ profiles }) =>
        field in ((profiles as JsonObject[])[0] ?? {}) ? 'kept' : 'dropped',
      ),
    ]),
  ),
  'create.record': creating({ record: true }, ({ record }) => (record ? 'taken' : 'dropped')),
  'create.null-record': creating({ record: null }, ({ record }) => !record && 'dropped'),
  'create.wrong-record': creating({ record: 'yes' }, ({ record }) => !record && 'dropped'),
  'create.record-default': creating({}, ({ record }) => record),
  'create.empty-name': accepting({ name: '' }),
  'create.other-characters': accepting({ name: 'Überseebrücke' }),
  'create.other-profiles': accepting({ profiles: [{ ...profile, name: '1080p' }] }),
  'create.equal-profiles': accepting({ profiles: [profile, profile] }),
  'create.source-profiles': accepting({ profiles: [{ ...profile, name: 'source' }] }),
  ...Object.fromEntries(
    profileFields.flatMap((field) => [
      [`profile.zero.${field}`, accepting({ profiles: [{ ...profile, [field]: 0 }] })],
      [`profile.fraction.${field}`, accepting({ profiles: [{ ...profile, [field]: 29.97 }] })],
    ]),
  ),
  'profiles.omitted': creating({}, shownProfiles),
  'profiles.empty': creating({ profiles: [] }, shownProfiles),
  'profiles.null': creating({ profiles: null }, shownProfiles),
  'profiles.of-session': async (client) =>
    'profiles' in (await readSession(client)) ? 'empty' : 'absent',
  'create.location': async (client) => {
    const { headers, json } = await create(client, {});
    const location = headers.get('location');
    if (location === null) return 'absent';
    const found = await client.send(`GET ${new URL(location).pathname}`);
    return found.json['id'] === json['id'] && 'present';
  },
  'stream.record': creating({}, (stream) => ('record' in stream ? 'shown' : 'absent')),
  'session.mp4Url': async (client) =>
    'mp4Url' in (await readSession(client)) ? 'present' : 'absent',
};

testLooks(looks);

describe.each([
  {
    row: 'stream.further-keys',
    kind: 'stream',
    read: async (client: Client) => (await create(client, {})).json,
  },
  { row: 'session.further-keys', kind: 'session', read: readSession },
] as const)('$row', ({ row, kind, read }) => {
  test.each([rowOf(row).default, ...rowOf(row).samples])(
    'shows %j and no others',
    async (value) => {
      const entries = Object.entries(await read(await clientOf({ [row]: value })));
      const further = entries.filter(([key]) => !documentedKeys[kind].includes(key));
      expect(typesOf(Object.fromEntries(further))).toEqual(typesOf(value as JsonObject));
    },
  );
});

test('a further key that the mock computes has its value', async () => {
  const client = await clientOf({ 'stream.further-keys': { isActive: true, sourceSegments: 7 } });
  const { json } = await create(client, {});
  expect(json).toMatchObject({ isActive: false, sourceSegments: 0 });
});

const limited = (field: string, value: number) => ({ profiles: [{ ...profile, [field]: value }] });
const upper = [
  { row: 'create.name-length', fields: (length: number) => ({ name: 'n'.repeat(length) }) },
  ...profileFields.map((field) => ({
    row: `profile.largest.${field}` as const,
    fields: (value: number) => limited(field, value),
  })),
] as const;

describe.each(upper)('$row', ({ row, fields }) => {
  test.each(rowOf(row).samples as UpperLimit[])('is up to $atLeast', async (limit) => {
    const client = await clientOf({ [row]: limit });
    const { atLeast, refusal: expected } = limit;
    expect((await create(client, fields(atLeast))).status).toBe(201);
    expect((await create(client, fields(atLeast + 1))).status).toBe(expected?.status);
    const usual = await clientOf({});
    expect((await create(usual, fields(atLeast + 1))).status).toBe(201);
  });
});

test('a name is as long as it has characters: an emoji counts once', async () => {
  const client = await clientOf({ 'create.name-length': { atLeast: 64, below: 65 } });
  expect((await create(client, { name: '🎥'.repeat(64) })).status).toBe(201);
  expect((await create(client, { name: '🎥'.repeat(65) })).status).toBe(422);
});

describe.each(profileFields)('profile.smallest.%s', (field) => {
  const row = `profile.smallest.${field}` as const;

  test.each(rowOf(row).samples as LowerLimit[])('is from $atMost', async (limit) => {
    const client = await clientOf({ [row]: limit });
    const { atMost, refusal: expected } = limit;
    expect((await create(client, limited(field, atMost))).status).toBe(201);
    expect((await create(client, limited(field, atMost - 1))).status).toBe(expected?.status);
    const usual = await clientOf({});
    expect((await create(usual, limited(field, atMost - 1))).status).toBe(201);
  });
});

test('every row about creation is tested', () => {
  const others = ['.further-keys', 'name-length', 'profile.largest', 'profile.smallest'];
  const rows = rowsBeginning('create.', 'profile', 'stream.', 'session.');
  const looked = rows.filter((id) => !others.some((other) => id.includes(other)));
  expect(Object.keys(looks).toSorted()).toEqual(looked.toSorted());
});

test('a stream with odd profiles is played', async () => {
  const client = await clientOf({
    'profile.zero.fps': 'accepted',
    'profile.zero.bitrate': 'accepted',
    'profile.fraction.width': 'accepted',
  });
  const odd = { ...profile, fps: 0, bitrate: 0, width: 853.3 };
  const { json } = await create(client, { record: true, profiles: [odd] });
  expect(json['profiles']).toEqual([odd]);
  const { id } = await client.world.start(String(json['id']), { duration: 5 });
  client.world.clock.advance('1m');
  const [whole, rendition] = ['index.m3u8', '0/index.m3u8'].map(async (path) => {
    const url = `http://livestream.test/recordings/${id}/${path}`;
    return (await client.mock.fetch(new Request(url))).text();
  });
  expect(await whole).toContain('BANDWIDTH=1,');
  expect(await rendition).toContain('#EXT-X-ENDLIST');
});

test.each(['id', 'createdAt', 'isActive', 'parentId'])(
  "a kept field never replaces %s, which is the service's",
  async (key) => {
    const client = await clientOf({ 'create.unknown-field': 'kept' });
    const { json } = await create(client, { [key]: 'mine' });
    expect(json[key]).not.toBe('mine');
  },
);
