import { Query } from '@msw/data';
import { expect, test } from 'vitest';
import { newStreamKeys } from '../../http/request.test-support.ts';
import { Problem } from '../../problems/problem.ts';
import type { LiveCollection } from './collection.ts';
import type { Collections } from './collections.ts';
import { arrange } from './data.test-support.ts';

const twin = { name: '720p', bitrate: 2e6, fps: 30, width: 1280, height: 720 };

interface Given extends Collections {
  readonly now: number;
  /** Ids of a stream that is not live, one that is, one that is not recorded, and a session. */
  readonly calm: string;
  readonly live: string;
  readonly silent: string;
  readonly ended: string;
  /** The session of the stream that is live. */
  readonly airing: string;
}

/** Updates the record with an id by these values. */
function assign<Row extends { readonly id: string }, New, Key extends keyof Row>(
  collection: LiveCollection<Row, New, Key>,
  id: string,
  values: object,
): Promise<unknown> {
  const predicate = new Query<Row>((row) => row.id === id);
  return collection.update(predicate, { data: (draft) => void Object.assign(draft, values) });
}

const refusals: Record<string, [RegExp, (given: Given) => Promise<unknown>]> = {
  'a stream without a name': [
    /^name: expected a string, got nothing$/,
    ({ streams }) => streams.create({} as { name: string }),
  ],
  'a stream with an id of its own': [
    new RegExp(`^body: expected known keys \\(${newStreamKeys}\\), got "id"$`),
    ({ streams }) => streams.create({ name: 'x', id: 'mine' } as { name: string }),
  ],
  'many streams of which one has twin profiles': [
    /^profiles\[1\].name: expected a name of its own/,
    ({ streams }) =>
      streams.createMany(3, (index) => ({ name: 'x', profiles: index === 2 ? [twin, twin] : [] })),
  ],
  'another name of a stream': [
    /^name: expected no change, as an update sets record alone, got "y"$/,
    ({ streams, calm }) => assign(streams, calm, { name: 'y', record: false }),
  ],
  'another profile of a stream': [
    /^profiles: expected no change, as an update sets record alone, got an array of 1$/,
    ({ streams, calm }) => assign(streams, calm, { profiles: [twin] }),
  ],
  'a record value that is none': [
    /^record: expected true or false, got "yes"$/,
    ({ streams, calm }) => assign(streams, calm, { record: 'yes' }),
  ],
  'other sessions of a stream': [
    /^sessions: expected no change, as an update sets record alone, got an array of 0$/,
    ({ streams, calm }) => assign(streams, calm, { sessions: [] }),
  ],
  'the deletion of a live stream': [
    /^delete: expected a stream that is not live, got stream .* with live session .*; stop it first$/,
    ({ streams, live }) => streams.delete((q) => q.where({ id: live })),
  ],
  'a session of an unknown stream': [
    /^id: expected a stream of this API key, got "nowhere"$/,
    ({ sessions }) => sessions.create({ parentId: 'nowhere', duration: 60 }),
  ],
  'a session of a session': [
    /^id: expected a parent stream, got session .* of stream/,
    ({ sessions, ended }) => sessions.create({ parentId: ended, duration: 60 }),
  ],
  'a session of a live stream': [
    /^parentId: expected a stream that is not live, got stream .*; stop it first$/,
    ({ sessions, live }) => sessions.create({ parentId: live, duration: 60 }),
  ],
  'a session of no length': [
    /^duration: expected a number of seconds, above 0 and at most \d+ \(31 days\), got 0$/,
    ({ sessions, calm }) => sessions.create({ parentId: calm, duration: 0 }),
  ],
  'a session that has not yet ended': [
    /^endedAt: expected a moment up to \d+, now, got \d+$/,
    ({ sessions, calm, now }) =>
      sessions.create({ parentId: calm, duration: 60, endedAt: now + 1 }),
  ],
  'an unknown status': [
    /^recordingStatus: expected one of waiting, ready, failed, deleted, none, got "done"$/,
    ({ sessions, calm }) =>
      sessions.create({ parentId: calm, duration: 60, recordingStatus: 'done' as 'ready' }),
  ],
  'the status of a session that is not recorded': [
    /^recordingStatus: expected none, as stream .* was not recorded, got "ready"$/,
    ({ sessions, silent }) =>
      sessions.create({ parentId: silent, duration: 60, recordingStatus: 'ready' }),
  ],
  'the status of a live session': [
    /^recordingStatus: expected a session that has ended, got live session .* of stream/,
    ({ sessions, airing }) => assign(sessions, airing, { recordingStatus: 'ready' }),
  ],
  'a status that is taken away': [
    /^recordingStatus: expected one of waiting, ready, failed, deleted, none, got nothing$/,
    ({ sessions, ended }) => assign(sessions, ended, { recordingStatus: undefined }),
  ],
  'another duration of a session': [
    /^sourceSegmentsDuration: expected no change, as an update sets recordingStatus alone, got 5$/,
    ({ sessions, ended }) => assign(sessions, ended, { sourceSegmentsDuration: 5 }),
  ],
  'the deletion of a session': [
    /^delete: expected a stream, got session .*; a session is deleted with its stream$/,
    ({ sessions }) => sessions.deleteMany(),
  ],
};

test.each(Object.keys(refusals))('%s is refused, and changes nothing', async (what) => {
  const { streams, sessions, world } = await arrange();
  const [calm = '', live = '', silent = ''] = (
    await streams.createMany(3, (index) => ({ name: 'x', record: index < 2 }))
  ).map(({ id }) => id);
  const { id: airing } = await world.start(live);
  const { id: ended } = await sessions.create({ parentId: calm, duration: 60 });
  const before = world.exportState();
  const [message, write] = refusals[what] ?? [/./, () => Promise.resolve()];
  const given = { streams, sessions, now: world.clock.now(), calm, live, silent, ended, airing };
  const refusal = await write(given).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect((refusal as Problem).message).toMatch(message);
  expect(world.exportState()).toEqual(before);
});
