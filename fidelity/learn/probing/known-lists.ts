import type { Endpoint, ListOperation } from '../../../interface/dialect/errors.ts';
import { get, recordedSessionsPath } from '../../../target/streams/stream-requests.ts';
import { itemsIn } from '../../response-items.ts';
import { severalSessions } from './probed-sessions.ts';
import { severalStreams } from './probed-streams.ts';
import type { Probe } from './prober.ts';

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
