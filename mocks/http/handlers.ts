import type * as z from 'zod';
import { type Behaviour, usualBehaviour } from '../../interface/dialect.ts';
import { isInterfaceOperation } from '../../interface/operation-names.ts';
import type { interfaceOperations, Operation } from '../../interface/operations.ts';
import type { Samples, Shown } from '../../interface/silent.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { filterExchanges } from '../journal/filter.ts';
import {
  jsonResponse,
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
} from '../messages/response.ts';
import { archivedWorld } from '../service/arrange.ts';
import {
  addFault,
  deleteSnapshot,
  exportState,
  importState,
  removeFaults,
  resetWorld,
  restoreSnapshot,
  saveSnapshot,
} from '../service/commands.ts';
import { listSessions, listStreams } from '../service/lists.ts';
import {
  checkSessionAsStream,
  findChangeable,
  findParent,
  findSession,
  findStream,
} from '../service/queries.ts';
import type { ReadFields } from '../service/read-fields.ts';
import { recordingStatus } from '../service/recording.ts';
import { startSession, stopSession, terminateStream } from '../service/sessions.ts';
import { stateLines, stateType } from '../service/state-lines.ts';
import { newStreamFrom, plainFields } from '../service/stream-input.ts';
import { createStream, deleteStream, setRecords, updateStream } from '../service/streams.ts';
import { playbackInfo, showChild, showSession, showStream } from '../service/views.ts';
import { setClock, type WorldState } from '../service/world.ts';
import { childId } from '../state/ids.ts';
import type { IngestReport } from '../state/ingest.ts';
import { type ControlOperationName, controlOperations } from './control-operations.ts';
import { eventStream } from './events.ts';
import { aroundResult, type ListQuery, pageResponse, readListQuery } from './lists.ts';
import { shownResponse } from './refusal.ts';
import type { OperationName } from './routes.ts';

/** A request whose API key is known and whose body fits its operation's schema. */
interface Call<Body = unknown> {
  readonly world: WorldState;
  /** What the caller sees where the interface is silent: testers see the usual behaviour. */
  readonly behaviour: Behaviour;
  /** Scheme, host and port with which media addresses begin. */
  readonly origin: string;
  readonly url: URL;
  /** The parameter in the path; empty where there is none. */
  readonly id: string;
  readonly body: Body;
}

type BodyOf<Row> = Row extends { readonly body: z.ZodType<infer Body> } ? Body : undefined;

type Handlers<Rows, Result> = {
  readonly [Name in keyof Rows]: (call: Call<BodyOf<Rows[Name]>>) => Result;
};

const noContent = plainResponse(204, null);

/** What each operation of the interface does; its body has the type of its row's schema. */
const interfaceHandlers: Handlers<typeof interfaceOperations, PlainResponse> = {
  createStream(call) {
    const { world, behaviour, url, body } = call;
    const input = newStreamFrom(readFieldsOf(body, behaviour), behaviour);
    const stream = createStream(world, input, behaviour);
    const path = url.pathname.replace(/\/$/, '');
    const location = `${url.origin}${path}/${stream.id}`;
    const isTold = behaviour.rows['create.location'] !== 'absent';
    return jsonTextResponse(201, [recordText(call, stream)], isTold ? { location } : {});
  },
  listStreams(call) {
    const { world, behaviour, url } = call;
    const { page } = readListQuery(url, 'listStreams', behaviour);
    const found = listStreams(world, page, behaviour);
    return pageResponse(url, 'listStreams', found, behaviour, (record) =>
      behaviour.rows['list.sessions-among-streams'] === 'children' && 'parentId' in record
        ? childText(call, record)
        : recordText(call, record),
    );
  },
  retrieveStream(call) {
    const { world, behaviour, id } = call;
    const child =
      behaviour.rows['list.sessions-among-streams'] === 'children'
        ? world.state.records.session(childId(id))
        : undefined;
    if (child !== undefined) return oneResponse(call, 'retrieveStream', childText(call, child));
    const found = findStream(world, id);
    if ('parentId' in found) checkSessionAsStream(found, behaviour);
    return oneResponse(call, 'retrieveStream', recordText(call, found));
  },
  updateStream(call) {
    const { world, behaviour, id, body } = call;
    const stream = updateStream(world, id, readFieldsOf(body, behaviour), behaviour);
    return changeResponse(call, 'updateStream', stream);
  },
  deleteStream(call) {
    return changeResponse(call, 'deleteStream', deleteStream(call.world, call.id, call.behaviour));
  },
  setRecord({ world, behaviour, id, body }) {
    const { fields, shown } = readFieldsOf(body, behaviour);
    const { record } = fields;
    // Where a dialect reads no value from the body, nothing is switched.
    if (typeof record === 'boolean') setRecords(world, new Map([[id, record]]), behaviour, shown);
    else findChangeable(world, id, 'its record value cannot change');
    return noContent;
  },
  listSessionsOfStream(call) {
    const { world, behaviour, id, url } = call;
    const query = readListQuery(url, 'listSessionsOfStream', behaviour);
    const parentId = findParent(world, id).id;
    return sessionsResponse(call, 'listSessionsOfStream', { ...query, parentId });
  },
  listSessions(call) {
    const { world, behaviour, url } = call;
    const isKnown = (id: string) => world.state.records.stream(id) !== undefined;
    return sessionsResponse(
      call,
      'listSessions',
      readListQuery(url, 'listSessions', behaviour, isKnown),
    );
  },
  retrieveSession(call) {
    const session = findSession(call.world, call.id);
    const text = recordText(call, session, call.behaviour.rows['keys.by-place'].retrieveSession);
    return oneResponse(call, 'retrieveSession', text);
  },
  terminateStream(call) {
    const { world, behaviour, id } = call;
    terminateStream(world, id, behaviour);
    return changeResponse(call, 'terminateStream', findParent(world, id));
  },
  retrievePlayback({ world, behaviour, id, origin }) {
    return jsonResponse(200, playbackInfo(world, id, origin, behaviour));
  },
};

/**
 * What each operation of the control API does: it returns the JSON of the response, nothing where that has
 * no body, or a response of another kind.
 */
const controlHandlers: Handlers<typeof controlOperations, unknown> = {
  startSession: ({ world, id, body, origin }) => startSession(world, origin, id, body),
  stopSession: ({ world, id, origin }) => stopSession(world, origin, id),
  readClock: ({ world }) => readClock(world),
  setClock({ world, body }) {
    setClock(world, body);
    return readClock(world);
  },
  listMoments: ({ world }) => world.moments,
  resetWorld: ({ world }) => resetWorld(world),
  exportState({ world, url }) {
    const state = exportState(world, url.searchParams.get('journal') === '1');
    return plainResponse(200, [...stateLines(state)], { 'content-type': stateType });
  },
  importState: ({ world, body }) => importState(world, body),
  listSnapshots: ({ world }) => [...world.snapshots.keys()],
  saveSnapshot: ({ world, id }) => saveSnapshot(world, id),
  restoreSnapshot: ({ world, id }) => restoreSnapshot(world, id),
  deleteSnapshot: ({ world, id }) => deleteSnapshot(world, id),
  listRequests: ({ world, url }) => filterExchanges(world.journal.exchanges(), url.searchParams),
  async exportHar({ world, url }) {
    const { toHttpArchive } = await import('../journal/har.ts');
    const exchanges = filterExchanges(world.journal.exchanges(), url.searchParams);
    return toHttpArchive(exchanges, archivedWorld(world, exchanges));
  },
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

/** The response to a request for an operation. */
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

function sessionsResponse(
  call: Call,
  list: 'listSessionsOfStream' | 'listSessions',
  { page, ...filter }: ListQuery,
): PlainResponse {
  const { world, behaviour, url } = call;
  const found = listSessions(world, filter, page, list, behaviour);
  const ofPlace = behaviour.rows['keys.by-place'][list];
  return pageResponse(url, list, found, behaviour, (session) => recordText(call, session, ofPlace));
}

/** One record, in an object where the behaviours wrap it. */
function oneResponse(
  { behaviour }: Call,
  endpoint: 'retrieveStream' | 'retrieveSession',
  text: string,
): PlainResponse {
  const [before, after] = aroundResult(behaviour.rows['answer.wrapped'][endpoint]);
  return jsonTextResponse(200, [before, text, after]);
}

/** The response to a change, which shows the stream, something else or nothing. */
function changeResponse(
  call: Call,
  endpoint: 'updateStream' | 'deleteStream' | 'terminateStream',
  stream: StreamRecord,
): PlainResponse {
  const shown: Shown = call.behaviour.rows['answer.shows'][endpoint];
  if (shown === 'nothing') return noContent;
  return shown === 'stream'
    ? jsonTextResponse(200, [recordText(call, stream)])
    : shownResponse(shown);
}

/** The fields of a body, which a gate has read already where there is a dialect. */
function readFieldsOf(body: object, behaviour: Behaviour): ReadFields {
  return behaviour === usualBehaviour ? plainFields(body) : (body as ReadFields);
}

function readClock({ clock }: WorldState): { now: number; speed: number } {
  return { now: clock.now(), speed: clock.speed() };
}

/** A JSON text, the origin of the addresses in it, and the behaviour for those that it is for. */
interface Written {
  readonly origin: string;
  readonly behaviour: Behaviour;
  readonly ofPlace: Samples | undefined;
  readonly text: string;
}

/** Most texts that are kept; above that all are dropped and written again when needed. */
const maxTexts = 10_000;
/** By session record, which is never modified, or by the version of a stream with its sessions. */
const written = new Map<SessionRecord | number, Written>();

/**
 * A stream or session as JSON (interface 2.1 and 2.3). Most listed sessions have ended and their recordings
 * are ready: what the clock cannot change any more is written once, which halves the time of a list.
 */
function recordText(
  { world, origin, behaviour }: Call,
  record: StreamRecord | SessionRecord,
  ofPlace?: Samples,
): string {
  const settled = settledPart(world, record);
  const known = settled === undefined ? undefined : written.get(settled);
  const isSame = known?.behaviour === behaviour && known.ofPlace === ofPlace;
  if (isSame && known.origin === origin) return known.text;
  const shown =
    'parentId' in record
      ? showSession(world, record, origin, behaviour, ofPlace)
      : showStream(world, record, behaviour);
  const text = JSON.stringify(shown);
  if (settled === undefined) return text;
  if (written.size >= maxTexts) written.clear();
  written.set(settled, { origin, behaviour, ofPlace, text });
  return text;
}

/** A session as a child stream, as JSON. */
function childText({ world, origin, behaviour }: Call, session: SessionRecord): string {
  return JSON.stringify(showChild(world, session, origin, behaviour));
}

/** What the JSON of a record follows from; `undefined` where the clock can still change it. */
function settledPart(
  world: WorldState,
  record: StreamRecord | SessionRecord,
): SessionRecord | number | undefined {
  const { records } = world.state;
  if (!('parentId' in record)) {
    const isLive = records.liveSession(record.id) !== undefined;
    return isLive ? undefined : records.version(record.id);
  }
  if (record.endedAt === undefined) return undefined;
  if (record.recordingStatus !== undefined || !record.record) return record;
  return recordingStatus(world, record, world.clock.now()) === 'waiting' ? undefined : record;
}
