import type * as z from 'zod';
import type { StreamRecord } from '../../fixtures/world-records.ts';
import type { ChangeResponse } from '../../interface/dialect/behaviours.ts';
import type { ListOperation } from '../../interface/dialect/errors.ts';
import {
  type InterfaceOperationName,
  isInterfaceOperation,
} from '../../interface/operation-names.ts';
import type { Operation } from '../../interface/operations.ts';
import { filterExchanges } from '../journal/filter.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import {
  jsonResponse,
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
} from '../messages/response.ts';
import { acceptOrRefuse } from '../service/accept-or-refuse.ts';
import { archiveExchanges } from '../service/archive-exchanges.ts';
import { stateLines, stateType } from '../service/exported-state.ts';
import {
  listSessions,
  listStreams,
  type SessionList,
  type SessionsRequest,
} from '../service/list-records.ts';
import { playbackInfo } from '../service/playback.ts';
import type { ReadFields } from '../service/read-fields.ts';
import { startSession, stopSession, terminateStream } from '../service/sessions.ts';
import { createStreams, deleteStream, setRecords, updateStream } from '../service/streams.ts';
import {
  addFault,
  deleteSnapshot,
  removeFaults,
  restoreSnapshot,
  saveSnapshot,
  setClock,
} from '../service/tester-controls.ts';
import { showAmongStreams } from '../service/views.ts';
import { exportState, importState, resetWorld } from '../service/whole-world.ts';
import type { OpenWorld, Requester } from '../service/world.ts';
import { findChangeable, findParent, findSession, findStream, notAParent } from '../state/find.ts';
import { childId } from '../state/ids.ts';
import type { IngestReport } from '../state/ingest.ts';
import type { Page } from '../state/pages.ts';
import { type ControlOperationName, controlOperations } from './control-operations.ts';
import { eventStream } from './events.ts';
import { readListQuery } from './list-query.ts';
import { type RecordTexts, wrapResult } from './record-texts.ts';
import { fixedResponse } from './refusal.ts';
import type { OperationName } from './routes.ts';

/** A request whose API key is known and whose body was checked. */
interface Call<Body = unknown> extends Requester {
  readonly url: URL;
  /** The parameter in the path; empty if there is none. */
  readonly id: string;
  readonly body: Body;
  readonly texts: RecordTexts;
}

type BodyOf<Row> = Row extends { readonly body: z.ZodType<infer Body> } ? Body : undefined;

const noContent = plainResponse(204, null);

type InterfaceHandler = (call: Call<ReadFields>) => PlainResponse;

/** What each operation of the interface does. Only operations whose body has fields get a body. */
const interfaceHandlers: Readonly<Record<InterfaceOperationName, InterfaceHandler>> = {
  createStream(call) {
    const { dialect, url } = call;
    const [stream] = createStreams(call, [call.body]) as [StreamRecord];
    const path = url.pathname.replace(/\/$/, '');
    const location = `${url.origin}${path}/${stream.id}`;
    const headers = dialect.behaviours['create.location'] === 'absent' ? {} : { location };
    return jsonTextResponse(201, [call.texts.ofStream(call, stream)], headers);
  },
  listStreams(call) {
    const { page, streamsOnly } = readListQuery(call, 'listStreams');
    const streams = listStreams(call, page, streamsOnly);
    return pageResponse(call, 'listStreams', streams, (record) =>
      'parentId' in record
        ? JSON.stringify(showAmongStreams(call, record))
        : call.texts.ofStream(call, record),
    );
  },
  retrieveStream(call) {
    const { world, dialect, id, texts } = call;
    const { records } = world.state;
    const isChild = dialect.behaviours['list.sessions-among-streams'] === 'children';
    const child = isChild ? records.session(childId(id)) : undefined;
    const respond = (text: string) => recordResponse(call, 'retrieveStream', text);
    if (child !== undefined) return respond(JSON.stringify(showAmongStreams(call, child)));
    const record = findStream(records, id);
    if (!('parentId' in record)) return respond(texts.ofStream(call, record));
    acceptOrRefuse({ dialect, endpoint: 'retrieveStream' }, notAParent(record));
    return respond(texts.ofSession(call, record, 'sessionAmongStreams'));
  },
  updateStream: (call) =>
    changeResponse(call, 'updateStream', updateStream(call, call.id, call.body)),
  deleteStream(call) {
    const stream = findChangeable(call.world.state.records, call.id, 'it cannot be deleted');
    // The deletion takes away the sessions that the response may count.
    const response = changeResponse(call, 'deleteStream', stream);
    deleteStream(call, call.id);
    return response;
  },
  setRecord(call) {
    const { world, id, body } = call;
    const { record } = body.fields;
    if (typeof record === 'boolean') {
      setRecords(call, new Map([[id, record]]), body.shown);
    } else {
      // If a dialect reads no value from the body, nothing is switched.
      findChangeable(world.state.records, id, 'its record value cannot change');
    }
    return noContent;
  },
  listSessionsOfStream(call) {
    const query = readListQuery(call, 'listSessionsOfStream');
    const parentId = findParent(call.world.state.records, call.id).id;
    return sessionsResponse(call, 'listSessionsOfStream', { ...query, parentId });
  },
  listSessions: (call) =>
    sessionsResponse(call, 'listSessions', readListQuery(call, 'listSessions')),
  retrieveSession(call) {
    const session = findSession(call.world.state.records, call.id);
    const text = call.texts.ofSession(call, session, 'retrieveSession');
    return recordResponse(call, 'retrieveSession', text);
  },
  terminateStream(call) {
    terminateStream(call, call.id);
    return changeResponse(call, 'terminateStream', findParent(call.world.state.records, call.id));
  },
  retrievePlayback: (call) => jsonResponse(200, playbackInfo(call, call.id)),
};

/**
 * What each operation of the control API does. It returns the JSON of the response, nothing if the response has
 * no body, or a response of another kind. The body has the type of the operation's schema.
 */
const controlHandlers: {
  readonly [Name in ControlOperationName]: (
    call: Call<BodyOf<(typeof controlOperations)[Name]>>,
  ) => unknown;
} = {
  startSession: (call) => startSession(call, call.id, call.body),
  stopSession: (call) => stopSession(call, call.id),
  readClock: ({ world }) => readClock(world),
  setClock({ world, body }) {
    setClock(world, body);
    return readClock(world);
  },
  listMoments: ({ world }) => world.moments,
  resetWorld: ({ world }) => resetWorld(world),
  exportState({ world, url: { searchParams } }) {
    const withJournal = searchParams.get('journal') === '1';
    if (searchParams.size > Number(withJournal)) {
      const got = describeValue(String(searchParams));
      throw new Problem('invalid', { path: 'query', expected: 'journal=1 or nothing', got });
    }
    const state = exportState(world, withJournal);
    return plainResponse(200, [...stateLines(state)], { 'content-type': stateType });
  },
  importState: ({ world, body }) => importState(world, body),
  listSnapshots: ({ world }) => [...world.snapshots.keys()],
  saveSnapshot: ({ world, id }) => saveSnapshot(world, id),
  restoreSnapshot: ({ world, id }) => restoreSnapshot(world, id),
  deleteSnapshot: ({ world, id }) => deleteSnapshot(world, id),
  listRequests: ({ world, url }) => filterExchanges(world.journal.exchanges(), url.searchParams),
  exportHar: ({ world, url }) =>
    archiveExchanges(world, filterExchanges(world.journal.exchanges(), url.searchParams)),
  listFaults: ({ world }) => world.faults.list(),
  addFault: ({ world, body }) => addFault(world, body),
  removeFault: ({ world, id }) => removeFaults(world, id)[0],
  removeFaults: ({ world }) => removeFaults(world),
  readIngest({ world }): IngestReport {
    return { ...world.settings.ingest, incoming: [...world.incoming.values()] };
  },
  watchWorld: ({ world }) =>
    plainResponse(200, eventStream(world), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    }),
};

/** Carries out an operation. */
export function handle(name: OperationName, call: Call): PlainResponse | Promise<PlainResponse> {
  if (isInterfaceOperation(name)) {
    return (interfaceHandlers[name] as (call: Call) => PlainResponse)(call);
  }
  return controlResponse(name, call);
}

async function controlResponse(name: ControlOperationName, call: Call): Promise<PlainResponse> {
  const handler = controlHandlers[name] as (call: Call) => unknown;
  const value = await handler(call);
  if (value === undefined) return noContent;
  const { status, isState }: Operation = controlOperations[name];
  return isState || name === 'watchWorld' ? (value as PlainResponse) : jsonResponse(status, value);
}

function sessionsResponse(call: Call, list: SessionList, request: SessionsRequest): PlainResponse {
  const sessions = listSessions(call, list, request);
  return pageResponse(call, list, sessions, (session) => call.texts.ofSession(call, session, list));
}

/** The response with a page of a list. If there is a next page, a header says where. */
function pageResponse<Item>(
  { url, dialect }: Call,
  list: ListOperation,
  { records, next }: Page<Item>,
  write: (record: Item) => string,
): PlainResponse {
  const items = ['['];
  for (const record of records) items.push(items.length > 1 ? ',' : '', write(record));
  items.push(']');
  const text = wrapResult(dialect, list, items);
  const place = dialect.behaviours['list.next'][list];
  if (next === undefined || place === 'not') return jsonTextResponse(200, text);
  if (place === 'x-next-cursor') return jsonTextResponse(200, text, { 'x-next-cursor': next });
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}

/** The response with one record, which is in an object if the dialect wraps it. */
function recordResponse(
  { dialect }: Call,
  endpoint: 'retrieveStream' | 'retrieveSession',
  text: string,
): PlainResponse {
  return jsonTextResponse(200, wrapResult(dialect, endpoint, [text]));
}

/** The response to a change. It shows the stream, something else or nothing. */
function changeResponse(
  call: Call,
  endpoint: 'updateStream' | 'deleteStream' | 'terminateStream',
  stream: StreamRecord,
): PlainResponse {
  const response: ChangeResponse = call.dialect.behaviours['response.shows'][endpoint];
  if (response === 'nothing') return noContent;
  return response === 'stream'
    ? jsonTextResponse(200, [call.texts.ofStream(call, stream)])
    : fixedResponse(response);
}

function readClock({ clock }: OpenWorld): { now: number; speed: number } {
  return { now: clock.now(), speed: clock.speed() };
}
