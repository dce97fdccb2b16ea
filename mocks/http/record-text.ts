import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { recordingStatus } from '../service/recording.ts';
import { viewSession } from '../service/sessions.ts';
import { viewStream } from '../service/streams.ts';
import type { WorldState } from '../service/world.ts';

/*
 * Most listed sessions have ended and their recordings are ready. Their JSON cannot change any more, so
 * it is written once. The text of a record that the clock can still change is never kept.
 */

/** A JSON text, and the origin of the addresses in it. */
interface Written {
  readonly origin: string;
  readonly text: string;
}

/** Most texts that are kept; above that all are dropped and written again when needed. */
const mostTexts = 10_000;
/** By session record, which is never modified, or by the version of a stream with its sessions. */
const written = new Map<SessionRecord | number, Written>();

/** A session as JSON (interface 2.3); media addresses begin with `origin`. */
export function sessionText(world: WorldState, session: SessionRecord, origin: string): string {
  const write = () => JSON.stringify(viewSession(world, session, origin));
  return isSettled(world, session) ? once(session, origin, write) : write();
}

/** A stream as JSON (interface 2.1). */
export function streamText(world: WorldState, stream: StreamRecord): string {
  const { records } = world.state;
  const write = () => JSON.stringify(viewStream(world, stream));
  const isLive = records.liveSession(stream.id) !== undefined;
  const version = records.version(stream.id);
  return isLive || version === undefined ? write() : once(version, '', write);
}

function isSettled(world: WorldState, session: SessionRecord): boolean {
  if (session.endedAt === undefined) return false;
  if (session.recordingStatus !== undefined || !session.record) return true;
  return recordingStatus(world, session, world.clock.now()) !== 'waiting';
}

function once(about: SessionRecord | number, origin: string, write: () => string): string {
  const known = written.get(about);
  if (known?.origin === origin) return known.text;
  const text = write();
  if (written.size >= mostTexts) written.clear();
  written.set(about, { origin, text });
  return text;
}
