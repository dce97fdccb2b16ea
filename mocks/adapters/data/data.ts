import type { NewStream, Session, Stream } from '../../../interface/types.ts';
import { testerOfHandle, type World } from '../../service/testers/world-handle.ts';
import { sessionWrites, streamWrites } from '../../service/testers/writes.ts';
import { plainSession, plainStream } from '../../service/views.ts';
import { ownRecords } from '../../service/whole-world.ts';
import { findParent, findSession, refuseAlways } from '../../state/find.ts';
import type { Ordered } from '../../state/ordered.ts';
import type { NewSession } from '../../state/record-schemas.ts';
import { createCollection, type LiveCollection } from './live-collection.ts';

export type { NewSession } from '../../state/record-schemas.ts';

/** A stream as the interface shows it. `sessions`, oldest first, is read on each access. */
export type LiveStream = Stream & { readonly sessions: LiveSession[] };

/** A session as the interface shows it. `stream` is read on each access. */
export type LiveSession = Session & { readonly stream: LiveStream };

/** A world as two collections. */
export interface Collections {
  /** An update can set the `record` of a stream. */
  readonly streams: LiveCollection<LiveStream, NewStream, 'record'>;
  /** An update can set the `recordingStatus` of a session that has ended. Only its stream can be deleted. */
  readonly sessions: LiveCollection<LiveSession, NewSession, 'recordingStatus'>;
}

/**
 * Shows a world as two live collections, with the methods and queries of `@msw/data`.
 *
 * @throws TypeError for anything but the handle of a world.
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
export async function collections(handle: World): Promise<Collections> {
  const { world } = testerOfHandle(handle);
  const records = () => world.state.records;
  const idsOf = <Item extends { id: string }>(ordered: Ordered<Item>) =>
    ownRecords(world, ordered).map(({ id }) => id);
  // Relations are not enumerable, so that comparing or copying a record ignores them. A session that was read from a
  // stream leads back to the same stream, so that whoever follows all relations comes to an end.
  const readStream = (id: string): LiveStream => {
    const stream = plainStream(world, findParent(records(), id, refuseAlways)) as LiveStream;
    const ids = () => idsOf(records().sessionsOf(findParent(records(), id, refuseAlways).id));
    const get = () => ids().map((sessionId) => readSession(sessionId, stream));
    return Object.defineProperty(stream, 'sessions', { get });
  };
  const readSession = (id: string, stream?: LiveStream): LiveSession => {
    const session = plainSession(
      testerOfHandle(handle),
      findSession(records(), id, refuseAlways),
    ) as LiveSession;
    const get = () => stream ?? readStream(session.parentId);
    return Object.defineProperty(session, 'stream', { get });
  };

  return {
    streams: createCollection(world, streamWrites, {
      ids: () => idsOf(records().streams),
      read: readStream,
      key: 'record',
    }),
    sessions: createCollection(world, sessionWrites, {
      ids: () => idsOf(records().sessions),
      read: (id) => readSession(id),
      key: 'recordingStatus',
    }),
  };
}
