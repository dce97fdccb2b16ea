import type { Endpoint, ListOperation } from '../../../interface/dialect/errors.ts';
import type { JsonObject } from '../../../target/requests/read-response.ts';
import { get, recordedSessionsPath } from '../../../target/streams/stream-requests.ts';
import { itemsIn } from '../../response-items.ts';
import { findOnPages } from './pages.ts';
import { severalSessions } from './probed-sessions.ts';
import { severalStreams } from './probed-streams.ts';
import type { Probe, ProbeContext } from './prober.ts';

/** A list in which some items are known. */
export interface KnownList {
  readonly path: string;
  /** The stream whose sessions it shows; for the list of all sessions, a stream that has some. */
  readonly streamId: string;
  /** Oldest first. */
  readonly ids: readonly string[];
}

/** Each list, with several items of this run. */
export const knownLists: Readonly<Record<ListOperation, Probe<KnownList>>> = {
  async listStreams({ ask, readOnly, creations }) {
    if (!readOnly) await ask(severalStreams);
    return { path: '/stream', streamId: '', ids: [...creations.streams] };
  },
  async listSessionsOfStream({ ask }) {
    const { streamId, recorded } = await ask(severalSessions);
    return { path: recordedSessionsPath(streamId), streamId, ids: recorded };
  },
  async listSessions({ ask, send, creations: { live, streams } }) {
    const { recorded } = await ask(severalSessions);
    const [first] = itemsIn(await send(get('/session')))?.items ?? [];
    // Without the parameter, the list would also begin with the sessions of its first stream.
    const otherStream = streams.find((id) => live.has(id) && id !== first?.['parentId']);
    return { path: '/session', streamId: otherStream ?? '', ids: recorded };
  },
};

/** Whether an endpoint is a list. */
export function isList(endpoint: Endpoint): endpoint is ListOperation {
  return endpoint in knownLists;
}

/** A session of a stream in the list of all streams, where it may be a child with an id of its own. */
export function childOf(context: ProbeContext, streamId: string): Promise<JsonObject | undefined> {
  // The key of its parent may have any name.
  const isOfStream = (item: JsonObject): boolean =>
    item['id'] !== streamId && Object.values(item).includes(streamId);
  return findOnPages(context, '/stream', isOfStream);
}
