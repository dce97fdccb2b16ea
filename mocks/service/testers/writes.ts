import { type Random, resumeRandom } from '../../../fixtures/random.ts';
import type { SessionRecord } from '../../../fixtures/world-records.ts';
import { defaultDialect } from '../../../interface/dialect/resolve.ts';
import type { NewStream, RecordingStatus } from '../../../interface/types.ts';
import { describeValue, Problem } from '../../messages/problem.ts';
import { validate } from '../../messages/validate.ts';
import { findChangeable, findSession, refuseAlways } from '../../state/find.ts';
import { type NewSession, newSessionSchema, recordingSchema } from '../../state/record-schemas.ts';
import { commit } from '../commit.ts';
import { readFields } from '../read-fields.ts';
import { buildSession, refuseLive } from '../sessions.ts';
import { acceptSwitch, createStreams, deleteStreams, switchRecording } from '../streams.ts';
import { type OpenWorld, testerOf } from '../world.ts';

/**
 * The writes of a collection of streams or sessions. Each call makes one change, or none.
 * @throws Problem for what the interface would refuse, and for a state that no world can be in.
 */
export interface CollectionWrites<New> {
  create(world: OpenWorld, inputs: readonly New[]): readonly { readonly id: string }[];
  /** Sets the only key that can be set; `values` has the new value by id. */
  set(world: OpenWorld, values: ReadonlyMap<string, unknown>): void;
  delete(world: OpenWorld, ids: readonly string[]): void;
}

/** Creates streams, sets their `record`, and deletes them unless they are live. */
export const streamWrites: CollectionWrites<NewStream> = {
  create(world, inputs) {
    const bodies = inputs.map((input) => readFields(defaultDialect, 'createStream', asJson(input)));
    return createStreams(testerOf(world), bodies);
  },
  set(world, values) {
    const tester = testerOf(world);
    const switches = [...values].map(([id, value]) => {
      const { fields } = readFields(defaultDialect, 'setRecord', asJson({ record: value }));
      const record = fields['record'] as boolean;
      const stream = findChangeable(
        world.state.records,
        id,
        'its record value cannot change',
        refuseAlways,
      );
      acceptSwitch(world, defaultDialect.cells.setRecord, stream, record);
      return { stream, record };
    });
    switchRecording(tester, switches);
  },
  delete(world, ids) {
    const streams = ids.map((id) => {
      const stream = findChangeable(world.state.records, id, 'it cannot be deleted', refuseAlways);
      refuseLive(world, id, 'delete');
      return stream;
    });
    deleteStreams(testerOf(world), streams);
  },
};

/** A value as it would come over HTTP. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify({ value })).value;
}

/** Creates sessions that have ended, and sets their `recordingStatus`. */
export const sessionWrites: CollectionWrites<NewSession> = {
  create(world, inputs) {
    const newSessions = inputs.map((input) => validate(newSessionSchema, input));
    const random = resumeRandom(world.state.random);
    const sessions = newSessions.map((input) => pastSession(world, input, random));
    commit(testerOf(world), { sessions, random: random.state() });
    return sessions;
  },
  set(world, values) {
    const sessions = [...values].map(([id, value]) => {
      const { recordingStatus } = validate(recordingSchema, { recordingStatus: value });
      const session = findSession(world.state.records, id, refuseAlways);
      if (session.endedAt === undefined) {
        const got = `live session ${id} of stream ${session.parentId}`;
        const expected = 'a session that has ended';
        throw new Problem('not-allowed', { path: 'recordingStatus', expected, got });
      }
      return withStatus(session, recordingStatus);
    });
    commit(testerOf(world), { sessions });
  },
  delete(_, [id]) {
    const advice = 'a session is deleted with its stream';
    const issue = { path: 'delete', expected: 'a stream', got: `session ${id}`, advice };
    throw new Problem('not-allowed', issue);
  },
};

function pastSession(
  world: OpenWorld,
  { parentId, duration, endedAt = world.clock.now(), recordingStatus }: NewSession,
  random: Random,
): SessionRecord {
  const parent = findChangeable(
    world.state.records,
    parentId,
    'only a parent stream has sessions',
    refuseAlways,
  );
  refuseLive(world, parentId, 'parentId');
  const now = world.clock.now();
  if (endedAt > now) {
    const expected = `a time up to ${now}, which is now`;
    throw new Problem('not-allowed', { path: 'endedAt', expected, got: endedAt });
  }
  const started = buildSession(
    random,
    parent,
    endedAt - Math.round(duration * 1000),
    world.settings.idForms.session,
  );
  const session = { ...started, endedAt, duration };
  return recordingStatus === undefined ? session : withStatus(session, recordingStatus);
}

function withStatus(session: SessionRecord, recordingStatus: RecordingStatus): SessionRecord {
  if (session.record) return { ...session, recordingStatus };
  const expected = `none, as stream ${session.parentId} was not recorded`;
  const got = describeValue(recordingStatus);
  throw new Problem('not-allowed', { path: 'recordingStatus', expected, got });
}
