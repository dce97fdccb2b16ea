import { type Random, resumeRandom } from '../../fixtures/random.ts';
import { usualBehaviour } from '../../interface/dialect.ts';
import { newSessionSchema, recordingSchema } from '../../interface/schemas.ts';
import type {
  NewSession,
  NewStream,
  RecordingStatus,
  SessionRecord,
  StreamRecord,
} from '../../interface/types.ts';
import type { ArchivedStream, ArchivedWorld, Exchange } from '../journal/exchange.ts';
import { hideSecrets } from '../journal/hide-secrets.ts';
import { validate } from '../messages/json.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { findChangeable, findSession } from '../state/find.ts';
import { recordsOf } from '../state/ordered.ts';
import { readFields } from './read-fields.ts';
import { buildSession, refuseLive, withRecordingFault } from './sessions.ts';
import { createStreams, setRecords } from './streams.ts';
import { commit, testerOf, type WorldState } from './world.ts';

/**
 * How a test sets up the streams or sessions of a world. Each call is one change, or none.
 * @throws Problem for what the interface would refuse, and for a state that no world can be in.
 */
export interface Arrangement<New> {
  create(world: WorldState, inputs: readonly New[]): readonly { readonly id: string }[];
  /** Sets the one key of a record that can be set; `values` has the new value by id. */
  set(world: WorldState, values: ReadonlyMap<string, unknown>): void;
  delete(world: WorldState, ids: readonly string[]): void;
}

/** Creates streams, sets their `record`, and deletes those that are not live. */
export const arrangeStreams: Arrangement<NewStream> = {
  create(world, inputs) {
    const read = inputs.map((input) => readFields(usualBehaviour, 'createStream', asJson(input)));
    const created = createStreams(testerOf(world), read);
    for (const stream of created) {
      world.journal.arrange({ kind: 'created', stream: archived(stream) });
    }
    return created;
  },
  set(world, values) {
    const checked = [...values].map(([id, record]) => {
      const { fields } = readFields(usualBehaviour, 'setRecord', asJson({ record }));
      return [id, fields['record'] as boolean] as const;
    });
    for (const { id, record } of setRecords(testerOf(world), new Map(checked))) {
      world.journal.arrange({ kind: 'switched', streamId: id, record });
    }
  },
  delete(world, ids) {
    for (const id of ids) {
      findChangeable(world.state.records, id, 'it cannot be deleted');
      refuseLive(world, id, 'delete');
    }
    commit(world, { deleted: ids });
    for (const streamId of ids) world.journal.arrange({ kind: 'deleted', streamId });
  },
};

/** A value as it would come over HTTP. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify({ value })).value;
}

/** Creates sessions that have ended, and sets their `recordingStatus`. */
export const arrangeSessions: Arrangement<NewSession> = {
  create(world, inputs) {
    const checked = inputs.map((input) => validate(newSessionSchema, input));
    const random = resumeRandom(world.state.random);
    const ended = checked.map((input) => pastSession(world, input, random));
    const sessions = ended.map((session) =>
      session.recordingStatus === undefined ? withRecordingFault(world, session) : session,
    );
    commit(world, { sessions, random: random.state() });
    for (const { id, parentId, duration = 0 } of sessions) {
      world.journal.arrange({ kind: 'live', streamId: parentId, sessionId: id, duration });
    }
    return sessions;
  },
  set(world, values) {
    const sessions = [...values].map(([id, value]) => {
      const { recordingStatus } = validate(recordingSchema, { recordingStatus: value });
      const session = findSession(world.state.records, id);
      if (session.endedAt === undefined) {
        const got = `live session ${id} of stream ${session.parentId}`;
        const expected = 'a session that has ended';
        throw new Problem('refused', { path: 'recordingStatus', expected, got });
      }
      return settle(session, recordingStatus);
    });
    commit(world, { sessions });
  },
  delete(_, [id]) {
    const advice = 'a session is deleted with its stream';
    const issue = { path: 'delete', expected: 'a stream', got: `session ${id}`, advice };
    throw new Problem('refused', issue);
  },
};

function pastSession(
  world: WorldState,
  { parentId, duration, endedAt = world.clock.now(), recordingStatus }: NewSession,
  random: Random,
): SessionRecord {
  const parent = findChangeable(world.state.records, parentId, 'it has no sessions');
  refuseLive(world, parentId, 'parentId');
  const now = world.clock.now();
  if (endedAt > now) {
    const expected = `a time up to ${now}, which is now`;
    throw new Problem('refused', { path: 'endedAt', expected, got: endedAt });
  }
  const begun = buildSession(random, parent, endedAt - Math.round(duration * 1000));
  const session = { ...begun, endedAt, duration };
  return recordingStatus === undefined ? session : settle(session, recordingStatus);
}

function settle(session: SessionRecord, recordingStatus: RecordingStatus): SessionRecord {
  if (session.record) return { ...session, recordingStatus };
  const expected = `none, as stream ${session.parentId} was not recorded`;
  const got = describeValue(recordingStatus);
  throw new Problem('refused', { path: 'recordingStatus', expected, got });
}

function archived({ id, playbackId, name, profiles, record }: StreamRecord): ArchivedStream {
  return { id, playbackId, name, profiles, record };
}

/** What an archive of some exchanges says about their world: nothing about streams that they do not name. */
export function archivedWorld(world: WorldState, exchanges: readonly Exchange[]): ArchivedWorld {
  const { journal, settings, state, moments, apiKey } = world;
  const arranged = [...journal.arranged()];
  const made = new Set([
    ...exchanges.flatMap((exchange) => createdBy(exchange) ?? []),
    ...arranged.map((one) => (one.kind === 'created' ? one.stream.id : '')),
  ]);
  const lately = new Set(arranged.map((one) => (one.kind === 'live' ? one.sessionId : '')));
  const words: ReadonlySet<string> = new Set(JSON.stringify(exchanges).match(/[\w-]{8,}/g));
  const sessionsOf = ({ id }: StreamRecord) =>
    recordsOf(state.records.sessionsOf(id)).filter((session) => !lately.has(session.id));
  const isNamed = (stream: StreamRecord): boolean =>
    [stream.id, stream.playbackId, ...sessionsOf(stream).map(({ id }) => id)].some((id) =>
      words.has(id),
    );
  const before = recordsOf(state.records.streams).filter(
    (stream) => !made.has(stream.id) && isNamed(stream),
  );
  const told: ArchivedWorld = {
    version: 1,
    world: typeof settings.world === 'string' ? settings.world : 'exported',
    streams: before.map((stream) => {
      const first = moments.find((one) => one.kind === 'recording' && one.streamId === stream.id);
      const record = first?.kind === 'recording' ? !first.record : stream.record;
      return { ...archived(stream), record };
    }),
    sessions: before
      .flatMap(sessionsOf)
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .flatMap(({ id, parentId, record, duration }) => {
        return duration === undefined ? [] : [{ id, parentId, record, duration }];
      }),
    arranged,
  };
  return JSON.parse(hideSecrets([apiKey, ...(settings.apiKeys ?? [])])(JSON.stringify(told)));
}

/** The id of the stream that a request created. */
function createdBy({ operation, answer }: Exchange): string | undefined {
  if (operation !== 'createStream' || answer.status !== 201) return undefined;
  return /"id":"([^"]+)"/.exec(answer.body ?? '')?.[1];
}
