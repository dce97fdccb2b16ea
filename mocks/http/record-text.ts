import type { Manners } from '../../interface/dialect.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { recordingStatus } from '../service/recording.ts';
import { showSession, showStream } from '../service/views.ts';
import type { WorldState } from '../service/world.ts';

/*
 * Most listed sessions have ended and their recordings are ready. Their JSON cannot change any more, so
 * it is written once. The text of a record that the clock can still change is never kept.
 */

/** A JSON text, the origin of the addresses in it, and the manners for those that it is for. */
interface Written {
  readonly origin: string;
  readonly manners: Manners;
  readonly text: string;
}

/** Most texts that are kept; above that all are dropped and written again when needed. */
const mostTexts = 10_000;
/** By session record, which is never modified, or by the version of a stream with its sessions. */
const written = new Map<SessionRecord | number, Written>();

/** A session as JSON (interface 2.3); media addresses begin with `origin`. */
export function sessionText(
  world: WorldState,
  session: SessionRecord,
  origin: string,
  manners: Manners,
): string {
  const write = () => JSON.stringify(showSession(world, session, origin, manners));
  return isSettled(world, session) ? once(session, origin, manners, write) : write();
}

/** A stream as JSON (interface 2.1). */
export function streamText(world: WorldState, stream: StreamRecord, manners: Manners): string {
  const { records } = world.state;
  const write = () => JSON.stringify(showStream(world, stream, manners));
  const isLive = records.liveSession(stream.id) !== undefined;
  const version = records.version(stream.id);
  return isLive || version === undefined ? write() : once(version, '', manners, write);
}

function isSettled(world: WorldState, session: SessionRecord): boolean {
  if (session.endedAt === undefined) return false;
  if (session.recordingStatus !== undefined || !session.record) return true;
  return recordingStatus(world, session, world.clock.now()) !== 'waiting';
}

function once(
  about: SessionRecord | number,
  origin: string,
  manners: Manners,
  write: () => string,
): string {
  const known = written.get(about);
  if (known?.origin === origin && known.manners === manners) return known.text;
  const text = write();
  if (written.size >= mostTexts) written.clear();
  written.set(about, { origin, manners, text });
  return text;
}
