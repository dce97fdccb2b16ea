import type { SessionRecord, StreamRecord } from '../../../fixtures/world-records.ts';
import { defaultDialect } from '../../../interface/dialect/resolve.ts';
import { isSettled } from '../../service/playback.ts';
import {
  type SessionPlace,
  type StreamPlace,
  showSession,
  showStream,
} from '../../service/views.ts';
import type { Requester } from '../../service/world.ts';

/** A JSON text, and what it was written for. */
interface Written extends Pick<Requester, 'origin' | 'dialect'> {
  /** Who owns the media to which addresses lead: worlds that imported the same state share its records. */
  readonly owner: string;
  readonly place: SessionPlace | StreamPlace;
  readonly text: string;
}

/** Maximum number of texts to keep. Before there would be more, all are dropped. */
const maxTexts = 10_000;

/** The streams and sessions of one mock as JSON (interface 2.1 and 2.3). */
export type RecordTexts = ReturnType<typeof createRecordTexts>;

/**
 * Makes the texts of one mock. In most lists nearly all sessions have ended and their recordings are ready:
 * what the clock cannot change any more is written only once, which halves the time of a list.
 */
export function createRecordTexts() {
  /** By session record, which is never modified, or by the version of a stream with its sessions. */
  const texts = new Map<SessionRecord | number, Written>();
  const write = (
    { world, origin, dialect }: Requester,
    settled: SessionRecord | number | undefined,
    place: Written['place'],
    show: () => object,
  ): string => {
    const written = settled === undefined ? undefined : texts.get(settled);
    const owner = world.mediaOwner;
    const isSame = written?.dialect === dialect && written.place === place;
    if (isSame && written.origin === origin && written.owner === owner) return written.text;
    const view = show();
    const text = JSON.stringify(view);
    // A session that has settled may show a parent stream that still changes.
    if (settled === undefined || 'parentStream' in view) return text;
    if (texts.size >= maxTexts) texts.clear();
    texts.set(settled, { origin, dialect, owner, place, text });
    return text;
  };
  return {
    ofStream(requester: Requester, stream: StreamRecord, at: StreamPlace = 'stream'): string {
      // Without a dialect, a stream is the same everywhere.
      const place = requester.dialect === defaultDialect ? 'stream' : at;
      const { records } = requester.world.state;
      const isLive = records.liveSession(stream.id) !== undefined;
      const settled = isLive ? undefined : records.version(stream.id);
      return write(requester, settled, place, () => showStream(requester, stream, place));
    },
    ofSession(requester: Requester, session: SessionRecord, place: SessionPlace): string {
      const settled = isSettled(requester.world, session) ? session : undefined;
      return write(requester, settled, place, () => showSession(requester, session, place));
    },
  };
}
