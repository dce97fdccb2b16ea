import { describe, expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import type { RowId } from '../../interface/silent.ts';
import { knownFields } from '../../interface/silent-creation.ts';
import { testKey } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { during, newPath } from '../stores/file.test-support.ts';
import {
  type Answer,
  type Client,
  clientOf,
  connect,
  type JsonObject,
  type Look,
  refusal,
  rowsBeginning,
  testLooks,
} from './dialect.test-support.ts';

async function createStream({ send }: Client): Promise<JsonObject> {
  return (await send('POST /api/stream', { name: 'Harbour camera' })).json;
}

/** What becomes of a field in an update; it is changed if the stream shows the new value. */
function updating(field: string, value: unknown): Look {
  return async (client) => {
    const { id } = await createStream(client);
    const answer = await client.send(`PATCH /api/stream/${id}`, { [field]: value });
    const { json } = await client.send(`GET /api/stream/${id}`);
    const isChanged = JSON.stringify(json[field]) === JSON.stringify(value);
    if (isChanged) return refusal(answer) ? 'refused and changed' : 'changed';
    return refusal(answer) ?? 'dropped';
  };
}

function showing(change: (client: Client, id: unknown) => Promise<Answer>): Look {
  return async (client) => {
    const { id } = await createStream(client);
    const { status, json } = await change(client, id);
    if (status === 204) return 'nothing';
    return status === 200 && json['id'] === id && 'stream';
  };
}

/** What a client is told of a stream that it has deleted. */
function afterDeletion(
  request: (id: unknown) => readonly [line: string, body?: object],
  done: number,
): Look {
  return async (client) => {
    const { id } = await createStream(client);
    await client.send(`DELETE /api/stream/${id}`);
    const answer = await client.send(...request(id));
    return refusal(answer) ?? (answer.status === done && (done === 200 ? 'empty' : 'done'));
  };
}

/** What a change of a live stream gives. */
function whileLive(request: (id: unknown) => readonly [line: string, body?: object]): Look {
  return async (client) => {
    const { id } = await createStream(client);
    await client.world.start(String(id));
    return refusal(await client.send(...request(id))) ?? 'accepted';
  };
}

/** A deleted stream, and the ready session that it had. */
async function deleteWithSession(client: Client): Promise<{ id: string; session: string }> {
  const { id } = await client.world.createStream({ name: 'Harbour camera', record: true });
  const session = await client.world.start(id, { duration: 5 });
  client.world.clock.advance('1m');
  expect((await client.send(`DELETE /api/stream/${id}`)).status).toBe(204);
  return { id, session: session.id };
}

const looks: Partial<Record<RowId, Look>> = {
  'retrieve.stream': async (client) => {
    const { id } = await createStream(client);
    const { json } = await client.send(`GET /api/stream/${id}`);
    const wrapped = json['stream'] as JsonObject | undefined;
    if (wrapped === undefined) return json['id'] === id && 'bare';
    return wrapped['id'] === id && 'wrapped';
  },
  'update.name': updating('name', 'Bridge camera'),
  'update.null-name': updating('name', null),
  'update.unknown-field': updating('mood', 'calm'),
  ...Object.fromEntries(
    knownFields.map((field) => [`update.known-field.${field}`, updating(field, ['text'])]),
  ),
  'update.profiles': updating('profiles', recommendedProfiles),
  'update.record': updating('record', true),
  'update.shows': showing(({ send }, id) => send(`PATCH /api/stream/${id}`, { name: 'Bridge' })),
  'delete.shows': showing(({ send }, id) => send(`DELETE /api/stream/${id}`)),
  'delete.leaves': async (client) => {
    const { session } = await deleteWithSession(client);
    const { status } = await client.send(`GET /api/session/${session}`);
    return status === 200 ? 'sessions' : 'nothing';
  },
  'playback.session': async (client) => {
    const { id } = await client.world.createStream({ name: 'Harbour camera', record: true });
    const session = await client.world.start(id, { duration: 5 });
    client.world.clock.advance('1m');
    const answer = await client.send(`GET /api/playback/${session.id}`);
    return refusal(answer) ?? answer.json['type'];
  },
  'refusal.live-switch': whileLive((id) => [`PATCH /api/stream/${id}/record`, { record: true }]),
  'refusal.live-repeat': whileLive((id) => [`PATCH /api/stream/${id}/record`, { record: false }]),
  'refusal.live-delete': whileLive((id) => [`DELETE /api/stream/${id}`]),
  'refusal.deleted-id.deleteStream': afterDeletion((id) => [`DELETE /api/stream/${id}`], 204),
  'refusal.deleted-id.retrieveStream': afterDeletion((id) => [`GET /api/stream/${id}`], 200),
  'refusal.deleted-id.listSessionsOfStream': afterDeletion(
    (id) => [`GET /api/stream/${id}/sessions`],
    200,
  ),
  'refusal.session-id.retrieveStream': async (client) => {
    const { id } = await createStream(client);
    const session = await client.world.start(String(id), { duration: 5 });
    const answer = await client.send(`GET /api/stream/${session.id}`);
    return refusal(answer) ?? (answer.json['parentId'] === id && 'session');
  },
};

testLooks(looks);

test('every row about updates and deletions is tested', () => {
  const rows = rowsBeginning('retrieve.', 'update.', 'delete.', 'playback.', 'refusal.live-');
  expect(Object.keys(looks)).toEqual(expect.arrayContaining(rows));
});

describe('an update without a dialect', () => {
  test.each([{ record: true }, { profiles: [] }, { name: 'Bridge', mood: 'calm' }, { name: 7 }])(
    'of %j changes nothing',
    async (body) => {
      const client = await connect(createMock());
      const before = await createStream(client);
      const { status } = await client.send(`PATCH /api/stream/${before['id']}`, body);
      expect(status).toBe(422);
      expect((await client.send(`GET /api/stream/${before['id']}`)).json).toEqual(before);
    },
  );

  test('sets fields one by one, and none of a session', async () => {
    const client = await connect(createMock());
    const { id } = await createStream(client);
    await client.send(`PATCH /api/stream/${id}`, { pull: { source: 'rtmp://a.test' } });
    await client.send(`PATCH /api/stream/${id}`, { name: 'Bridge', userTags: null });
    const [shown] = await client.list('/api/stream');
    const pull = { source: 'rtmp://a.test' };
    expect(shown).toMatchObject({ name: 'Bridge', pull, userTags: null });
    const session = await client.world.start(String(id), { duration: 5 });
    const { status } = await client.send(`PATCH /api/stream/${session.id}`, { name: 'Bridge' });
    expect(status).toBe(400);
  });
});

describe('where a deletion leaves the sessions', () => {
  const rows = {
    'delete.leaves': 'sessions',
    'refusal.deleted-id.retrieveStream': { status: 410 },
  } as const;

  async function expectSession(client: Client, id: string, session: string): Promise<void> {
    expect((await client.send(`GET /api/session/${session}`)).json['parentId']).toBe(id);
    expect(await client.list('/api/session')).toMatchObject([{ id: session }]);
    expect(await client.list('/api/stream')).toEqual([]);
    const playlist = `http://livestream.test/recordings/${session}/index.m3u8`;
    expect((await client.mock.fetch(new Request(playlist))).status).toBe(200);
    expect((await client.send(`GET /api/stream/${id}`)).status).toBe(410);
  }

  test('they are listed and played', async () => {
    const client = await clientOf(rows);
    const { id, session } = await deleteWithSession(client);
    await expectSession(client, id, session);
  });

  test('they stay in an exported state', async () => {
    const client = await clientOf(rows);
    const { id, session } = await deleteWithSession(client);
    const other = await clientOf(rows);
    await other.world.importState(JSON.parse(JSON.stringify(client.world.exportState())));
    await expectSession(other, id, session);
  });

  test('they stay in a file', async () => {
    const path = await newPath();
    const { id, session } = await during(path, async (store) =>
      deleteWithSession(await clientOf(rows, { store })),
    );
    await during(path, async (store) =>
      expectSession(await clientOf(rows, { store }), id, session),
    );
  });

  test('a live one ends', async () => {
    const client = await clientOf(rows);
    const { id } = await createStream(client);
    const session = await client.world.start(String(id));
    client.world.clock.advance('5s');
    await client.send(`DELETE /api/stream/${id}`);
    const { json } = await client.send(`GET /api/session/${session.id}`);
    expect(json).toMatchObject({ isActive: false, sourceSegmentsDuration: 5 });
  });
});

test('a deleted stream is told apart from one that never was, also in an imported state', async () => {
  const rows = { 'refusal.deleted-id.setRecord': { status: 410 } };
  const client = await clientOf(rows);
  const { id } = await deleteWithSession(client);
  const other = await clientOf(rows);
  await other.world.importState(client.world.exportState());
  for (const { send } of [client, other]) {
    const gone = await send(`PATCH /api/stream/${id}/record`, { record: true });
    expect(gone.status).toBe(410);
    const unknown = await send('PATCH /api/stream/never/record', { record: true });
    expect(unknown.status).toBe(404);
  }
  expect((await client.send(`GET /api/stream/${id}`)).status).toBe(404);
});

test('without a dialect nothing of a deleted stream stays', async () => {
  const client = await connect(createMock({ apiKeys: [testKey] }));
  await deleteWithSession(client);
  expect(client.world.exportState()).toMatchObject({ streams: [], sessions: [] });
});

test('each deletion shows its own stream, where ids of deleted streams stay known', async () => {
  const client = await clientOf({
    'delete.shows': 'stream',
    'refusal.deleted-id.retrieveStream': { status: 410 },
  });
  for (let count = 0; count < 2; count++) {
    const { id } = await createStream(client);
    expect((await client.send(`DELETE /api/stream/${id}`)).json['id']).toBe(id);
  }
});
