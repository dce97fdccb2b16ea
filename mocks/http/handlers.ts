import type * as z from 'zod';
import type { Behaviours } from '../../interface/silent.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { filterExchanges } from '../journal/filter.ts';
import {
  jsonResponse,
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
  streamedJsonResponse,
} from '../messages/response.ts';
import { breaksFor, withDefaultProfiles } from '../service/breaks.ts';
import type { ListRequest } from '../service/chosen-records.ts';
import { addFault, removeFault, removeFaults, start, stop } from '../service/commands.ts';
import { exportState, importState } from '../service/export-import.ts';
import {
  listSessions,
  listStreams,
  listStreamsAndSessions,
  type SessionFilter,
} from '../service/lists.ts';
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from '../service/named-snapshots.ts';
import { readNewStream } from '../service/new-stream.ts';
import { playbackInfo } from '../service/playback.ts';
import {
  findParent,
  findSession,
  findStream,
  isDeleted,
  refuseSession,
} from '../service/queries.ts';
import { listedSessions } from '../service/recording.ts';
import { resetWorld } from '../service/replace.ts';
import { terminateStream } from '../service/sessions.ts';
import { validateState } from '../service/snapshot.ts';
import { createStream, deleteStream, setRecord, updateStream } from '../service/streams.ts';
import { setClock, type WorldState } from '../service/world.ts';
import type { Page } from '../state/ordered.ts';
import { stateText } from './bodies/state-text.ts';
import { eventStream } from './events.ts';
import {
  pageResponse,
  readPaging,
  readParentId,
  readRecordFilter,
  readRecordOfAll,
} from './lists.ts';
import { sessionText, streamText } from './record-text.ts';
import type { operations } from './routes.ts';

/** A request whose API key is known and whose body fits its operation's schema. */
export interface Call<Body = unknown> {
  readonly world: WorldState;
  /** What the caller meets where the interface is silent: testers meet the usual behaviours. */
  readonly behaviours: Behaviours;
  /** Scheme, host and port with which media addresses begin. */
  readonly origin: string;
  readonly url: URL;
  /** The parameter in the path; empty where there is none. */
  readonly id: string;
  readonly body: Body;
}

type BodyOf<Row> = Row extends { readonly body: z.ZodType<infer Body> } ? Body : undefined;

type Handlers<Rows> = {
  readonly [Name in keyof Rows]: (
    call: Call<BodyOf<Rows[Name]>>,
  ) => PlainResponse | Promise<PlainResponse>;
};

const noContent = plainResponse(204, null);

/** What each operation does; its body has the type of its row's schema. */
export const handlers: Handlers<typeof operations> = {
  createStream({ world, behaviours, url, body }) {
    const given = withDefaultProfiles(body, breaksFor(world, behaviours));
    const stream = createStream(world, readNewStream(given, behaviours), behaviours);
    const text = [streamText(world, stream, behaviours)];
    if (behaviours['create.location'] === 'absent') return jsonTextResponse(201, text);
    const path = url.pathname.replace(/\/$/, '');
    return jsonTextResponse(201, text, { location: `${url.origin}${path}/${stream.id}` });
  },
  listStreams(call) {
    const { behaviours, url } = call;
    const paging = readPaging(url, 'listStreams', behaviours);
    return pageResponse(url, findStreams(call, paging), behaviours, (found) =>
      recordText(call, found),
    );
  },
  retrieveStream(call) {
    const { world, behaviours, id } = call;
    const found = findStream(world, id);
    if ('parentId' in found) refuseSession(found, behaviours);
    const text = recordText(call, found);
    const isWrapped = !('parentId' in found) && behaviours['retrieve.stream'] === 'wrapped';
    return jsonTextResponse(200, isWrapped ? ['{"stream":', text, '}'] : [text]);
  },
  updateStream({ world, behaviours, id, body }) {
    const stream = updateStream(world, id, body, behaviours);
    if (behaviours['update.shows'] === 'nothing') return noContent;
    return jsonTextResponse(200, [streamText(world, stream, behaviours)]);
  },
  deleteStream({ world, behaviours, id }) {
    const isDone = behaviours['refusal.deleted-id.deleteStream'] === 'done';
    if (isDone && isDeleted(world, id)) return noContent;
    const stream = deleteStream(world, id, behaviours);
    if (behaviours['delete.shows'] === 'nothing') return noContent;
    return jsonTextResponse(200, [streamText(world, stream, behaviours)]);
  },
  setRecord({ world, behaviours, id, body }) {
    setRecord(world, id, body.record, behaviours);
    return noContent;
  },
  listSessionsOfStream(call) {
    const { world, behaviours, id, url } = call;
    return sessionsResponse(call, 'listSessionsOfStream', () => {
      const record = readRecordFilter(url, behaviours);
      return { parentId: findParent(world, id).id, record };
    });
  },
  listSessions(call) {
    const { behaviours, url } = call;
    return sessionsResponse(call, 'listSessions', () => ({
      parentId: readParentId(url, behaviours),
      record: readRecordOfAll(url, behaviours),
    }));
  },
  retrieveSession({ world, behaviours, id, origin }) {
    return jsonTextResponse(200, [sessionText(world, findSession(world, id), origin, behaviours)]);
  },
  terminateStream({ world, behaviours, id }) {
    terminateStream(world, id, behaviours);
    return noContent;
  },
  retrievePlayback({ world, behaviours, id, origin }) {
    return jsonResponse(200, playbackInfo(world, id, origin, behaviours));
  },

  startSession({ world, id, body, origin }) {
    return jsonResponse(201, start(world, origin, id, body));
  },
  stopSession({ world, id, origin }) {
    return jsonResponse(200, stop(world, origin, id));
  },
  readClock({ world }) {
    return clockResponse(world);
  },
  setClock({ world, body }) {
    setClock(world, body);
    return clockResponse(world);
  },
  listMoments({ world }) {
    return jsonResponse(200, world.moments);
  },
  async resetWorld({ world }) {
    await resetWorld(world);
    return noContent;
  },
  exportState({ world, url }) {
    const state = exportState(world, url.searchParams.get('journal') === '1');
    return streamedJsonResponse(200, stateText(state));
  },
  async importState({ world, body }) {
    await importState(world, await validateState(body));
    return noContent;
  },
  listSnapshots({ world }) {
    return jsonResponse(200, [...world.snapshots.keys()]);
  },
  saveSnapshot({ world, id }) {
    saveSnapshot(world, id);
    return noContent;
  },
  async restoreSnapshot({ world, id }) {
    await restoreSnapshot(world, id);
    return noContent;
  },
  deleteSnapshot({ world, id }) {
    deleteSnapshot(world, id);
    return noContent;
  },
  listRequests({ world, url }) {
    return jsonResponse(200, filterExchanges(world.journal.exchanges(), url.searchParams));
  },
  async exportHar({ world, url }) {
    const { toHttpArchive } = await import('../journal/har.ts');
    const exchanges = filterExchanges(world.journal.exchanges(), url.searchParams);
    return jsonResponse(200, toHttpArchive(exchanges));
  },
  listFaults({ world }) {
    return jsonResponse(200, world.faults.list());
  },
  addFault({ world, body }) {
    return jsonResponse(201, addFault(world, body));
  },
  removeFault({ world, id }) {
    return jsonResponse(200, removeFault(world, id));
  },
  removeFaults({ world }) {
    return jsonResponse(200, removeFaults(world));
  },
  watchWorld({ world }) {
    return plainResponse(200, eventStream(world), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
  },
};

/** An error in the query is reported before an unknown parent, so `readFilter` comes after the paging. */
function sessionsResponse(
  call: Call,
  list: 'listSessionsOfStream' | 'listSessions',
  readFilter: () => SessionFilter,
): PlainResponse {
  const { world, behaviours, url, origin } = call;
  const paging = readPaging(url, list, behaviours);
  const page = listSessions(world, readFilter(), paging, listedSessions(world, behaviours));
  return pageResponse(url, page, behaviours, (session) =>
    sessionText(world, session, origin, behaviours),
  );
}

/** A page of the list of all streams, with the sessions where the behaviours show both. */
function findStreams(
  { world, behaviours }: Call,
  paging: ListRequest,
): Page<StreamRecord | SessionRecord> {
  if (behaviours['list.sessions-among-streams'] === 'streams') return listStreams(world, paging);
  return listStreamsAndSessions(world, paging, listedSessions(world, behaviours));
}

function recordText(
  { world, origin, behaviours }: Call,
  record: StreamRecord | SessionRecord,
): string {
  return 'parentId' in record
    ? sessionText(world, record, origin, behaviours)
    : streamText(world, record, behaviours);
}

function clockResponse({ clock }: WorldState): PlainResponse {
  return jsonResponse(200, { now: clock.now(), speed: clock.speed() });
}
