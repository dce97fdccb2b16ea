import type { SessionRecord, StreamRecord } from '../../fixtures/types.ts';
import { recordingStatus } from '../service/recording.ts';
import { viewSession, viewStream } from '../service/views.ts';
import type { WorldState } from '../service/world.ts';

/*
 * Most that is listed has long settled: a session that has ended, its recording ready. Its text cannot
 * change any more, so it is written once. What the clock or a client can still change is never kept.
 */

/** What a text was written of, as far as it can differ for one record. */
interface Written {
  readonly about: string;
  readonly text: string;
}

/** Texts that are kept at once; when there are more, all are written anew. */
const mostTexts = 10_000;
const written = new Map<SessionRecord | StreamRecord, Written>();

/** A session as JSON (interface 2.3); media addresses begin with `origin`. */
export function sessionText(world: WorldState, session: SessionRecord, origin: string): string {
  return once(session, isSettled(world, session) ? origin : undefined, () =>
    JSON.stringify(viewSession(world, session, origin)),
  );
}

/** A stream as JSON (interface 2.1). */
export function streamText(world: WorldState, stream: StreamRecord): string {
  const { collections } = world;
  // Sessions that have ended stay as they are, so their number says what the stream's counts are.
  const isLive = collections.liveSession(stream.id) !== undefined;
  const sessions = collections.sessionsOf(stream.id).entries.length;
  return once(stream, isLive ? undefined : `${stream.record} ${sessions}`, () =>
    JSON.stringify(viewStream(world, stream)),
  );
}

function isSettled(world: WorldState, session: SessionRecord): boolean {
  if (session.endedAt === undefined) return false;
  if (session.recordingStatus !== undefined || !session.record) return true;
  return recordingStatus(world, session, world.clock.now()) !== 'waiting';
}

/** The text that is kept `about` a record, or a new one; without `about` it is not kept. */
function once(
  record: SessionRecord | StreamRecord,
  about: string | undefined,
  write: () => string,
): string {
  if (about === undefined) return write();
  const known = written.get(record);
  if (known?.about === about) return known.text;
  const text = write();
  if (written.size >= mostTexts) written.clear();
  written.set(record, { about, text });
  return text;
}
