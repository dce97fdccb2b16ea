import type * as z from 'zod';
import { type Manners, usualManners } from '../../interface/dialect.ts';
import type { Shown } from '../../interface/silent.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { filterExchanges } from '../journal/filter.ts';
import {
  jsonResponse,
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
  streamedResponse,
} from '../messages/response.ts';
import { archivedWorld } from '../service/archived-world.ts';
import type { ListRequest } from '../service/chosen-records.ts';
import { addFault, removeFault, removeFaults, start, stop } from '../service/commands.ts';
import { exportState, importState } from '../service/export-import.ts';
import { childId } from '../service/ids.ts';
import {
  listSessions,
  listStreams,
  listStreamsAndSessions,
  type SessionFilter,
} from '../service/lists.ts';
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from '../service/named-snapshots.ts';
import { readNewStream, takeNewStream } from '../service/new-stream.ts';
import { playbackInfo } from '../service/playback.ts';
import {
  findChangeable,
  findParent,
  findSession,
  findStream,
  meetSession,
} from '../service/queries.ts';
import type { ReadFields } from '../service/read-fields.ts';
import { listedSessions } from '../service/recording.ts';
import { resetWorld } from '../service/replace.ts';
import { terminateStream } from '../service/sessions.ts';
import { stateLines, stateType } from '../service/state-lines.ts';
import { readUpdate } from '../service/stream-update.ts';
import { createStream, deleteStream, setRecord, updateStream } from '../service/streams.ts';
import { showSession } from '../service/views.ts';
import { setClock, type WorldState } from '../service/world.ts';
import type { Page } from '../state/ordered.ts';
import { eventStream } from './events.ts';
import { pageResponse, readPaging, readParentId, readRecordFilter } from './lists.ts';
import { sessionText, streamText } from './record-text.ts';
import { shownResponse } from './refusal.ts';
import type { operations } from './routes.ts';

/** A request whose API key is known and whose body fits its operation's schema. */
export interface Call<Body = unknown> {
  readonly world: WorldState;
  /** What the caller meets where the interface is silent: testers meet the usual manners. */
  readonly manners: Manners;
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
  createStream({ world, manners, url, body }) {
    const read = body as unknown as ReadFields;
    const input = manners === usualManners ? readNewStream(body) : takeNewStream(read, manners);
    const stream = createStream(world, input, manners);
    const text = [streamText(world, stream, manners)];
    if (manners.rows['create.location'] === 'absent') return jsonTextResponse(201, text);
    const path = url.pathname.replace(/\/$/, '');
    return jsonTextResponse(201, text, { location: `${url.origin}${path}/${stream.id}` });
  },
  listStreams(call) {
    const { manners, url } = call;
    const page = findStreams(call, readPaging(url, 'listStreams', manners));
    return pageResponse(url, 'listStreams', page, manners, (found) =>
      recordText(call, found, hasChildren(manners)),
    );
  },
  retrieveStream(call) {
    const { world, manners, id } = call;
    const child = hasChildren(manners) ? world.state.records.session(childId(id)) : undefined;
    const found = child ?? findStream(world, id);
    if (found !== child && 'parentId' in found) meetSession(found, manners);
    return oneResponse(call, 'retrieveStream', recordText(call, found, found === child));
  },
  updateStream(call) {
    const { world, manners, id, body } = call;
    const update = manners === usualManners ? readUpdate(body) : (body as unknown as ReadFields);
    return changeResponse(call, 'updateStream', updateStream(world, id, update, manners));
  },
  deleteStream(call) {
    return changeResponse(call, 'deleteStream', deleteStream(call.world, call.id, call.manners));
  },
  setRecord({ world, manners, id, body }) {
    if (manners === usualManners) setRecord(world, id, body.record);
    else switchRecord(world, id, body as unknown as ReadFields, manners);
    return noContent;
  },
  listSessionsOfStream(call) {
    const { world, manners, id, url } = call;
    return sessionsResponse(call, 'listSessionsOfStream', () => {
      const record = readRecordFilter(url, 'listSessionsOfStream', manners);
      return { parentId: findParent(world, id).id, record };
    });
  },
  listSessions(call) {
    const { world, manners, url } = call;
    const isKnown = (id: string) => world.state.records.stream(id) !== undefined;
    return sessionsResponse(call, 'listSessions', () => ({
      parentId: readParentId(url, manners, isKnown),
      record: readRecordFilter(url, 'listSessions', manners),
    }));
  },
  retrieveSession(call) {
    const { world, manners, id, origin } = call;
    const session = findSession(world, id);
    return oneResponse(call, 'retrieveSession', sessionText(world, session, origin, manners));
  },
  terminateStream(call) {
    const { world, manners, id } = call;
    terminateStream(world, id, manners);
    return changeResponse(call, 'terminateStream', findParent(world, id));
  },
  retrievePlayback({ world, manners, id, origin }) {
    return jsonResponse(200, playbackInfo(world, id, origin, manners));
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
    return streamedResponse(200, stateType, stateLines(state));
  },
  async importState({ world, body }) {
    await importState(world, body);
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
    return jsonResponse(200, toHttpArchive(exchanges, archivedWorld(world, exchanges)));
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
  const { world, manners, url, origin } = call;
  const paging = readPaging(url, list, manners);
  const page = listSessions(world, readFilter(), paging, listedSessions(world, manners, list));
  return pageResponse(url, list, page, manners, (session) =>
    sessionText(world, session, origin, manners),
  );
}

/** A page of the list of all streams, with the sessions where the behaviours show both. */
function findStreams(
  { world, manners }: Call,
  paging: ListRequest,
): Page<StreamRecord | SessionRecord> {
  if (manners.rows['list.sessions-among-streams'] === 'none') return listStreams(world, paging);
  return listStreamsAndSessions(world, paging, listedSessions(world, manners, 'listSessions'));
}

/** One record, under a key where the behaviours wrap it. */
function oneResponse(
  { manners }: Call,
  asked: 'retrieveStream' | 'retrieveSession',
  text: string,
): PlainResponse {
  const key = manners.rows['answer.wrapped'][asked];
  return jsonTextResponse(200, key === null ? [text] : [`{${JSON.stringify(key)}:`, text, '}']);
}

/** The response to a change, which shows the stream, something else or nothing. */
function changeResponse(
  { world, manners }: Call,
  asked: 'updateStream' | 'deleteStream' | 'terminateStream',
  stream: StreamRecord,
): PlainResponse {
  const shown: Shown = manners.rows['answer.shows'][asked];
  if (shown === 'nothing') return noContent;
  if (shown !== 'stream') return shownResponse(shown);
  return jsonTextResponse(200, [streamText(world, stream, manners)]);
}

/** Switches recording as a dialect reads the body; without a value nothing is switched. */
function switchRecord(
  world: WorldState,
  id: string,
  { fields, shown }: ReadFields,
  manners: Manners,
): void {
  const { record } = fields;
  if (typeof record === 'boolean') setRecord(world, id, record, manners, shown);
  else findChangeable(world, id, 'its record value cannot change');
}

function recordText(
  { world, origin, manners }: Call,
  record: StreamRecord | SessionRecord,
  isChild = false,
): string {
  if (!('parentId' in record)) return streamText(world, record, manners);
  if (!isChild) return sessionText(world, record, origin, manners);
  const child = { ...showSession(world, record, origin, manners), id: childId(record.id) };
  return JSON.stringify(child);
}

/** Whether sessions are child streams with ids of their own. */
function hasChildren({ rows }: Manners): boolean {
  return rows['list.sessions-among-streams'] === 'children';
}

function clockResponse({ clock }: WorldState): PlainResponse {
  return jsonResponse(200, { now: clock.now(), speed: clock.speed() });
}
