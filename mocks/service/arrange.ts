import { type Random, resumeRandom } from '../../fixtures/random.ts';
import {
  newSessionSchema,
  newStreamSchema,
  recordingSchema,
  recordSwitchSchema,
} from '../../interface/schemas.ts';
import type {
  NewSession,
  NewStream,
  RecordingStatus,
  SessionRecord,
} from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { validate } from '../problems/validate.ts';
import { refuseRecords } from '../state/limits.ts';
import { arrangeCreated } from './archived-world.ts';
import { readNewStream } from './new-stream.ts';
import { findChangeable, findSession, refuseLive } from './queries.ts';
import { buildSession, withRecordingFault } from './sessions.ts';
import { createStreams, switchedStream } from './streams.ts';
import { commit, type WorldState } from './world.ts';

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
    const checked = inputs.map((input) => validate(newStreamSchema, input));
    const streams = structuredClone(checked).map(readNewStream);
    const created = createStreams(world, streams);
    arrangeCreated(world, created);
    return created;
  },
  set(world, values) {
    const streams = [...values].map(([id, value]) => {
      const { record } = validate(recordSwitchSchema, { record: value });
      return switchedStream(world, id, record);
    });
    commit(world, { streams });
    for (const { id, record } of streams) {
      world.journal.arrange({ kind: 'switched', streamId: id, record });
    }
  },
  delete(world, ids) {
    for (const id of ids) {
      findChangeable(world, id, 'it cannot be deleted');
      refuseLive(world, id, 'delete');
    }
    commit(world, { deleted: ids });
    for (const streamId of ids) world.journal.arrange({ kind: 'deleted', streamId });
  },
};

/** Creates sessions that have ended, and sets their `recordingStatus`. */
export const arrangeSessions: Arrangement<NewSession> = {
  create(world, inputs) {
    const checked = inputs.map((input) => validate(newSessionSchema, input));
    refuseRecords(world.settings.recordCount, inputs.length);
    const random = resumeRandom(world.state.random);
    const ended = checked.map((input) => endedSession(world, input, random));
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
      const session = findSession(world, id);
      if (session.endedAt === undefined) {
        throw new Problem('refused', {
          path: 'recordingStatus',
          expected: 'a session that has ended',
          got: `live session ${id} of stream ${session.parentId}`,
        });
      }
      return settle(session, recordingStatus);
    });
    commit(world, { sessions });
  },
  delete(_, [id]) {
    throw new Problem('refused', {
      path: 'delete',
      expected: 'a stream',
      got: `session ${id}`,
      advice: 'a session is deleted with its stream',
    });
  },
};

function endedSession(
  world: WorldState,
  { parentId, duration, endedAt = world.clock.now(), recordingStatus }: NewSession,
  random: Random,
): SessionRecord {
  const parent = findChangeable(world, parentId, 'it has no sessions');
  refuseLive(world, parentId, 'parentId');
  const now = world.clock.now();
  if (endedAt > now) {
    throw new Problem('refused', {
      path: 'endedAt',
      expected: `a moment up to ${now}, now`,
      got: endedAt,
    });
  }
  const begun = buildSession(random, parent, endedAt - Math.round(duration * 1000));
  const session = { ...begun, endedAt, duration };
  return recordingStatus === undefined ? session : settle(session, recordingStatus);
}

function settle(session: SessionRecord, recordingStatus: RecordingStatus): SessionRecord {
  if (session.record) return { ...session, recordingStatus };
  throw new Problem('refused', {
    path: 'recordingStatus',
    expected: `none, as stream ${session.parentId} was not recorded`,
    got: describeValue(recordingStatus),
  });
}
