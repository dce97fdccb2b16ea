import { readDuration, readRecord, readStreamSettings } from './unlike-input.test-support.ts';
import { type Answer, Refusal, type RefusalCode } from './unlike-refusals.test-support.ts';
import type { Stream } from './unlike-store.test-support.ts';
import {
  type Call,
  json,
  pageOf,
  recordedOnly,
  refuseUnknownKeys,
  showSession,
  showStream,
} from './unlike-views.test-support.ts';

type Operation = (call: Call) => Answer | Promise<Answer>;

interface Route {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
}

/** Finds the path's stream; the caller says what becomes of a session's id. */
function streamOf({ store, id, owner }: Call, ifSession: RefusalCode): Stream {
  const found = store.find(id);
  if (found === undefined) throw new Refusal('RESOURCE_UNKNOWN');
  if (found.owner !== owner) throw new Refusal('RESOURCE_FORBIDDEN');
  if (found.kind === 'session') throw new Refusal(ifSession);
  if (found.deleted) throw new Refusal('STREAM_GONE');
  return found;
}

function idleStreamOf(call: Call): Stream {
  const stream = streamOf(call, 'SESSION_READ_ONLY');
  if (stream.live !== undefined) throw new Refusal('STREAM_LIVE');
  return stream;
}

async function createStream(call: Call): Promise<Answer> {
  const stream = call.store.createStream(call.owner, await readStreamSettings(call.request));
  return json(201, showStream(stream), { location: `${call.origin}/v2/stream/${stream.id}` });
}

function listStreams(call: Call): Answer {
  refuseUnknownKeys(call.query, ['limit', 'cursor']);
  return pageOf(call, call.store.streams(call.owner), 'stream', showStream);
}

function getStream(call: Call): Answer {
  return json(200, showStream(streamOf(call, 'NOT_A_STREAM')));
}

function deleteStream(call: Call): Answer {
  idleStreamOf(call).deleted = true;
  return { status: 204 };
}

async function switchRecord(call: Call): Promise<Answer> {
  const record = await readRecord(call.request);
  const stream = idleStreamOf(call);
  stream.record = record;
  stream.updatedAt = Date.now();
  return { status: 204 };
}

function listSessionsOfStream(call: Call): Answer {
  refuseUnknownKeys(call.query, ['record', 'limit', 'cursor']);
  const onlyRecorded = recordedOnly(call.query);
  const { id, owner } = streamOf(call, 'NOT_A_STREAM');
  const sessions = call.store
    .sessions(owner)
    .filter(({ parentId, record }) => parentId === id && (record || !onlyRecorded));
  return pageOf(call, sessions, 'session', (session) => showSession(call, session));
}

/** Takes `record` without a complaint, and without an effect. */
function listSessions(call: Call): Answer {
  refuseUnknownKeys(call.query, ['record', 'limit', 'cursor']);
  const sessions = call.store.sessions(call.owner);
  return pageOf(call, sessions, 'session', (session) => showSession(call, session));
}

function getSession(call: Call): Answer {
  const found = call.store.find(call.id);
  if (found === undefined) throw new Refusal('RESOURCE_UNKNOWN');
  if (found.owner !== call.owner) throw new Refusal('RESOURCE_FORBIDDEN');
  if (found.kind === 'stream') throw new Refusal('NOT_A_SESSION');
  if (found.ended === undefined) throw new Refusal('RESOURCE_UNKNOWN');
  return json(200, showSession(call, found));
}

async function startSession(call: Call): Promise<Answer> {
  const seconds = await readDuration(call.request);
  const stream = idleStreamOf(call);
  const session = call.store.beginSession(stream);
  if (seconds !== undefined) call.store.endSession(stream, session, seconds);
  return json(201, showSession(call, session));
}

function stopSession(call: Call): Answer {
  const stream = streamOf(call, 'SESSION_READ_ONLY');
  const session = stream.live;
  if (session === undefined) throw new Refusal('STREAM_IDLE');
  call.store.endSession(stream, session);
  return json(200, showSession(call, session));
}

/** The letter case of a path does not matter; a slash at its end does. */
export const routes: readonly Route[] = [
  { path: /^\/v2\/stream$/i, methods: { GET: listStreams, POST: createStream } },
  { path: /^\/v2\/stream\/([^/]+)$/i, methods: { GET: getStream, DELETE: deleteStream } },
  { path: /^\/v2\/stream\/([^/]+)\/record$/i, methods: { PATCH: switchRecord } },
  { path: /^\/v2\/stream\/([^/]+)\/sessions$/i, methods: { GET: listSessionsOfStream } },
  { path: /^\/v2\/session$/i, methods: { GET: listSessions } },
  { path: /^\/v2\/session\/([^/]+)$/i, methods: { GET: getSession } },
  { path: /^\/backdoor\/streams\/([^/]+)\/start$/i, methods: { POST: startSession } },
  { path: /^\/backdoor\/streams\/([^/]+)\/stop$/i, methods: { POST: stopSession } },
];
