import { beforeAll, describe, expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { type RecordingStatus, recordingStatuses, type Session } from '../../interface/types.ts';
import { createMock, type Mock } from '../mock.ts';
import type { World } from '../service/world-handle.ts';
import { testKey, testRequest } from './request.test-support.ts';
import { refusedFields, type ViewName } from './sdk-view.test-support.ts';

/** Sends a request as generated clients do, with an empty `cookie`, and reads what comes. */
async function ask({ fetch }: Mock, line: string, body?: object): Promise<[number, unknown]> {
  const answer = await fetch(
    testRequest(line, {
      headers: { accept: 'application/json', cookie: '' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  if (answer.status === 204) return [answer.status, text];
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return [answer.status, JSON.parse(text)];
}

async function expectFit(mock: Mock, view: ViewName, line: string, status = 200): Promise<void> {
  const [came, body] = await ask(mock, line);
  expect(came, line).toBe(status);
  expect(refusedFields(view, body), line).toEqual([]);
}

/** A session of a recorded stream in each state, one of a stream that is not recorded, one live. */
async function openEveryState(): Promise<{ mock: Mock; world: World }> {
  const mock = createMock({ recordingDelay: 0 });
  const world = await mock.world(testKey);
  const profiles = [...recommendedProfiles];
  const recorded = await world.createStream({ name: '', record: true, profiles });
  const other = await world.createStream({ name: 'not recorded' });
  const statuses = new Map<string, RecordingStatus>();
  for (const recordingStatus of recordingStatuses) {
    statuses.set((await world.start(recorded.id, { duration: 4.2 })).id, recordingStatus);
  }
  await world.start(other.id, { duration: 4.2 });
  const state = world.exportState();
  const sessions = state.sessions.map((session) => {
    const recordingStatus = statuses.get(session.id);
    return { ...session, ...(recordingStatus && { recordingStatus }) };
  });
  await world.importState({ ...state, sessions });
  await world.start(recorded.id);
  return { mock, world };
}

describe('a stream that is created', () => {
  test.each([
    { name: 'no profiles' },
    { name: 'none of them', profiles: [] },
    { name: 'the usual', profiles: recommendedProfiles, record: true },
    {
      name: 'all that a profile can say',
      profiles: recommendedProfiles.map((profile) => ({
        ...{ ...profile, fpsDen: 1, quality: 23, gop: '2.0' },
        ...{ profile: 'H264ConstrainedHigh', encoder: 'H.264' },
      })),
    },
    { name: '' },
  ])('is read by a generated client: $name', async (wanted) => {
    const [status, stream] = await ask(createMock(), 'POST /api/stream', wanted);
    expect(status).toBe(201);
    expect(refusedFields('stream', stream)).toEqual([]);
    expect(stream).toMatchObject({ name: wanted.name, profiles: wanted.profiles ?? [] });
  });
});

describe.each([
  ['empty', createMock()],
  ['demo', createMock({ world: 'demo' })],
  ['crowded', createMock({ world: 'crowded', streams: 300 })],
  ['every state', (await openEveryState()).mock],
])('in the world %s', (_, mock) => {
  let world: World;
  beforeAll(async () => {
    world = await mock.world(testKey);
  });

  test('each stream is read, alone and in the list', async () => {
    await expectFit(mock, 'streams', 'GET /api/stream');
    await expectFit(mock, 'streams', 'GET /api/stream?streamsonly=1&limit=1000');
    for (const { id } of world.streams()) {
      await expectFit(mock, 'stream', `GET /api/stream/${id}`);
    }
  });

  test('each session is read, alone and in every list', async () => {
    await expectFit(mock, 'sessions', 'GET /api/session');
    await expectFit(mock, 'sessions', 'GET /api/session?limit=1000');
    for (const { id } of world.sessions()) {
      await expectFit(mock, 'session', `GET /api/session/${id}`);
      await expectFit(mock, 'stream', `GET /api/stream/${id}`);
    }
    for (const { id } of world.streams()) {
      for (const query of ['', '?record=1', '?record=true', '?record=0', '?record=false']) {
        await expectFit(mock, 'sessions', `GET /api/stream/${id}/sessions${query}`);
      }
    }
  });

  test('a session has both spellings of its MP4 when it is ready, and no address before', async () => {
    for (const session of world.sessions()) {
      const { recordingStatus, recordingUrl, mp4URL, mp4Url } = session;
      const ready = recordingStatus === 'ready';
      expect(mp4Url).toBe(mp4URL);
      expect([recordingUrl, mp4Url].map((address) => typeof address)).toEqual(
        ready ? ['string', 'string'] : ['undefined', 'undefined'],
      );
    }
  });
});

test('every state that a session can be in is among those that were read', async () => {
  const { world } = await openEveryState();
  const sessions = world.sessions();
  const seen = <Value>(read: (session: Session) => Value) => new Set(sessions.map(read));
  expect(seen(({ recordingStatus }) => recordingStatus)).toEqual(
    new Set([...recordingStatuses, undefined]),
  );
  expect(seen(({ isActive }) => isActive)).toEqual(new Set([true, false]));
  expect(seen(({ profiles }) => profiles.length)).toEqual(new Set([0, 3]));
});

test('what changes something is answered without a body', async () => {
  const mock = createMock();
  const { id } = await (await mock.world(testKey)).createStream({ name: 'a' });
  const switched = await ask(mock, `PATCH /api/stream/${id}/record`, { record: true });
  expect(switched).toEqual([204, '']);
  expect(await ask(mock, `DELETE /api/stream/${id}`)).toEqual([204, '']);
  await expectFit(mock, 'refusal', `GET /api/stream/${id}`, 404);
});

const readable = {
  name: 'a',
  createdAt: 1,
  recordingStatus: 'ready',
  profiles: [{ name: '720p', bitrate: 1, fps: 30, width: 1280, height: 720 }],
} as const;
const [readableProfile] = readable.profiles;

test.each<[string, ViewName, object]>([
  ['', 'session', readable],
  ['name', 'stream', { ...readable, name: undefined }],
  ['name', 'session', { ...readable, name: null }],
  ['parentId', 'stream', { ...readable, parentId: null }],
  ['record', 'stream', { ...readable, record: null }],
  ['profiles', 'stream', { ...readable, profiles: null }],
  ['creatorId', 'stream', { ...readable, creatorId: null }],
  ['recordingUrl', 'session', { ...readable, recordingUrl: null }],
  ['recordingStatus', 'session', { ...readable, recordingStatus: null }],
  ['recordingStatus', 'session', { ...readable, recordingStatus: 'processing' }],
  ['renditions.720p', 'stream', { ...readable, renditions: { '720p': null } }],
  ['createdAt', 'stream', { ...readable, createdAt: '2026-01-01T00:00:00Z' }],
  ['sourceSegmentsDuration', 'session', { ...readable, sourceSegmentsDuration: '3.2' }],
  ['profiles.0.fps', 'stream', { ...readable, profiles: [{ ...readableProfile, fps: 29.97 }] }],
  [
    'profiles.0.encoder',
    'stream',
    { ...readable, profiles: [{ ...readableProfile, encoder: '' }] },
  ],
  [
    'profiles.0.profile',
    'stream',
    { ...readable, profiles: [{ ...readableProfile, profile: '' }] },
  ],
  ['1.name', 'sessions', [readable, { ...readable, name: 1 }]],
  ['errors', 'refusal', { errors: 'one' }],
])('a generated client refuses the field "%s" of a wrong %s', (field, view, body) => {
  expect(refusedFields(view, body)).toEqual(field === '' ? [] : [field]);
});
