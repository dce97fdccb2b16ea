import type { NewSession, NewStream, Session, Stream } from '../../../interface/types.ts';
import { arrangeSessions, arrangeStreams } from '../../service/arrange.ts';
import { findParent, findSession } from '../../service/queries.ts';
import { viewSession } from '../../service/sessions.ts';
import { viewStream } from '../../service/streams.ts';
import { steeredBy, type World } from '../../service/world-handle.ts';
import { factsOf, type Ordered } from '../../state/ordered.ts';
import { createCollection, type LiveCollection } from './collection.ts';

export type { NewSession } from '../../../interface/types.ts';

/** A stream as the interface shows it; its sessions, oldest first, are read when they are asked for. */
export type LiveStream = Stream & { readonly sessions: LiveSession[] };

/** A session as the interface shows it; its stream is read when it is asked for. */
export type LiveSession = Session & { readonly stream: LiveStream };

/** A world as two collections. */
export interface Collections {
  /** Of a stream, `record` can be updated. */
  readonly streams: LiveCollection<LiveStream, NewStream, 'record'>;
  /** Of a session that has ended, `recordingStatus` can be updated; it is deleted with its stream alone. */
  readonly sessions: LiveCollection<LiveSession, NewSession, 'recordingStatus'>;
}

/**
 * Shows a world as two live collections, with the methods and queries of `@msw/data`.
 *
 * @throws TypeError when it is given something else.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 * import { collections } from 'livestream-mock/data';
 *
 * const { streams, sessions } = await collections(await createMock().world());
 * const { id } = await streams.create({ name: 'Harbour camera', record: true });
 * await sessions.create({ parentId: id, duration: 60, recordingStatus: 'ready' });
 * const stream = streams.findFirst((q) => q.where({ name: 'Harbour camera' }));
 * console.log(stream?.sessions[0]?.sourceSegmentsDuration); // 60
 * ```
 */
export async function collections(world: World): Promise<Collections> {
  const { steered, origin } = steeredBy(world);
  const records = () => steered.state.records;
  const idsOf = (ordered: Ordered<{ id: string }>) => factsOf(ordered).map(({ id }) => id);
  // Relations are not enumerable, so that who compares or copies a record passes them over; and they lead
  // back to where they were read, so that who follows all of them comes to an end.
  const readStream = (id: string): LiveStream => {
    const stream = viewStream(steered, findParent(steered, id)) as LiveStream;
    const ids = () => idsOf(records().sessionsOf(findParent(steered, id).id));
    const get = () => ids().map((sessionId) => readSession(sessionId, stream));
    return Object.defineProperty(stream, 'sessions', { get });
  };
  const readSession = (id: string, stream?: LiveStream): LiveSession => {
    const session = viewSession(steered, findSession(steered, id), origin()) as LiveSession;
    const get = () => stream ?? readStream(session.parentId);
    return Object.defineProperty(session, 'stream', { get });
  };

  return {
    streams: createCollection(steered, arrangeStreams, {
      ids: () => idsOf(records().streams),
      read: readStream,
      key: 'record',
    }),
    sessions: createCollection(steered, arrangeSessions, {
      ids: () => idsOf(records().sessions),
      read: (id) => readSession(id),
      key: 'recordingStatus',
    }),
  };
}
