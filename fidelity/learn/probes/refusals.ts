import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, readObject, readObjects } from '../../../conformance/target/expectations.ts';
import {
  createStream,
  get,
  patch,
  post,
  recordedSessionsPath,
  recordPath,
  setRecord,
  streamPath,
} from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { RefusalBehaviours } from '../../../interface/silent-refusals.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { nobodysField } from './fields.ts';
import { playbackPath, termination } from './playback.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  type Question,
  readRefusal,
  readWord,
} from './probe.ts';
import { liveStream, makeSession, sessionPath, severalSessions, spareSession } from './sessions.ts';
import {
  anyStream,
  changedStream,
  deletedStream,
  neverGiven,
  newStream,
  otherStream,
  plainInput,
  plainStream,
  profile,
  recordedList,
} from './streams.ts';
import { acceptedUpdate } from './updates.ts';

/** A probe that sends one request, which the target should refuse. */
function refused(request: Call | Question<Call>): Question<Refusal> {
  return async (context) =>
    readRefusal(
      await context.send(typeof request === 'function' ? await request(context) : request),
    );
}

/** A request to an operation with an id in its path that is genuine, but not of what is meant. */
const callsById = {
  retrieveStream: (_, id) => get(streamPath(id)),
  updateStream: async (context, id) => patch(streamPath(id), await context.ask(acceptedUpdate)),
  deleteStream: (_, id) => ({ method: 'DELETE', path: streamPath(id) }),
  setRecord: (_, id) => patch(recordPath(id), { record: true }),
  listSessionsOfStream: (_, id) => get(recordedSessionsPath(id)),
  retrieveSession: (_, id) => get(sessionPath(id)),
  terminateStream: (_, id) => ({ method: 'DELETE', path: `${streamPath(id)}/terminate` }),
  retrievePlayback: (_, id) => get(playbackPath(id)),
} as const satisfies Record<string, (context: ProbeContext, id: string) => Call | Promise<Call>>;

type OperationById = keyof typeof callsById;

async function sendById(
  context: ProbeContext,
  operation: OperationById,
  ofId: Question<string>,
): Promise<TargetResponse> {
  const id = await context.ask(ofId);
  return context.send(await callsById[operation](context, id));
}

function refusedId(operation: OperationById, ofId: Question<string>): Question<Refusal> {
  return async (context) => readRefusal(await sendById(context, operation, ofId));
}

/** An empty list, or a refusal. */
function emptyOrRefused(ofId: Question<string>): Question<'empty' | Refusal> {
  return async (context) => {
    const response = await sendById(context, 'listSessionsOfStream', ofId);
    if (isSuccess(response) && readObjects(response).length > 0) {
      throw new Inexpressible('expected an empty list or a refusal, got a list of sessions');
    }
    return readWord(response, 'empty');
  };
}

const spareId: Question<string> = async (context) => (await context.ask(spareSession)).id;
const plainId: Question<string> = async (context) => String((await context.ask(anyStream))['id']);

const otherSession: Question<string> = async (context) => {
  const { creations, provider } = context.other();
  const own = { ...context, send: context.sendAsOther, creations, provider };
  return String((await makeSession(own, await newStream(own)))['id']);
};

const otherPlayback: Question<string> = async (context) =>
  String((await createStream(context.sendAsOther, plainInput)).shown['playbackId']);

const toCreate = (body: unknown): Question<Refusal> => refused(post('/stream', body));
const toUpdate = (body?: unknown): Question<Refusal> =>
  refused(async (context) => patch(streamPath((await context.ask(changedStream)).id), body));
const toSwitch = (body?: unknown): Question<Refusal> =>
  refused(async (context) => patch(recordPath((await context.ask(plainStream)).id), body));
const toRead = (more: Omit<Call, 'method' | 'path'>): Question<Refusal> =>
  refused(async (context) => ({ ...get(await context.ask(recordedList)), ...more }));

const { width: _, ...withoutWidth } = profile;

/** The id of a live stream that is not recorded: what it shows need not say whether it is. */
const liveUnrecorded: Question<string> = async (context) => {
  const stream = await newStream(context);
  await setRecord(context.send, stream.id, false, 0);
  await liveStream(context, stream);
  return stream.id;
};

/** The response to a request for a value of record, while the stream is live and not recorded. */
function requestLive(record: boolean): Question<TargetResponse> {
  return async (context) =>
    context.send(patch(recordPath(await liveUnrecorded(context)), { record }));
}

/** The response to a switch of recording while the stream is live. */
export const liveSwitch: Question<TargetResponse> = requestLive(true);

const liveDelete: Question<TargetResponse> = async (context) => {
  const stream = await newStream(context);
  await liveStream(context, stream);
  return context.send({ method: 'DELETE', path: streamPath(stream.id) });
};

/** What a client sends as an id that has none. */
const malformedId: Question<string> = async () => 'undefined';

const malformed = '{"name":';

/** Probes of how requests are refused. `refusal.body` follows from all of them. */
export const refusalProbes: ProbesFor<Omit<RefusalBehaviours, 'refusal.body'>> = {
  'refusal.malformed-json.createStream': toCreate(malformed),
  'refusal.malformed-json.setRecord': toSwitch('{"record":'),
  'refusal.malformed-json.updateStream': toUpdate(malformed),
  'refusal.no-body.createStream': toCreate(undefined),
  'refusal.no-body.setRecord': toSwitch(),
  'refusal.no-body.updateStream': toUpdate(),
  'refusal.not-object.createStream': toCreate([]),
  'refusal.not-object.setRecord': toSwitch([]),
  'refusal.not-object.updateStream': toUpdate([]),
  'refusal.missing-name': toCreate({}),
  'refusal.missing-record': toSwitch({}),
  'refusal.missing-profile-field': toCreate({ ...plainInput, profiles: [withoutWidth] }),
  'refusal.wrong-name': toCreate({ name: 42 }),
  'refusal.wrong-profiles': toCreate({ ...plainInput, profiles: 'text' }),
  'refusal.wrong-profile-field': toCreate({
    ...plainInput,
    profiles: [{ ...profile, width: 'wide' }],
  }),
  'refusal.wrong-record': toSwitch({ record: 'yes' }),
  'refusal.null-name': toCreate({ name: null }),
  'refusal.null-profile-field': toCreate({
    ...plainInput,
    profiles: [{ ...profile, width: null }],
  }),
  'refusal.negative-profile-field': toCreate({
    ...plainInput,
    profiles: [{ ...profile, width: -1 }],
  }),
  'refusal.null-record': toSwitch({ record: null }),
  async 'refusal.unknown-switch-field'(context) {
    const { id } = await newStream(context);
    const body = { record: true, ...nobodysField };
    return readWord(await context.send(patch(recordPath(id), body)), 'dropped');
  },
  'refusal.wrong-updated-name': toUpdate({ name: 42 }),
  'refusal.unknown-id.retrieveStream': refusedId('retrieveStream', neverGiven),
  'refusal.unknown-id.updateStream': refusedId('updateStream', neverGiven),
  'refusal.unknown-id.deleteStream': refusedId('deleteStream', neverGiven),
  'refusal.unknown-id.setRecord': refusedId('setRecord', neverGiven),
  'refusal.unknown-id.retrieveSession': refusedId('retrieveSession', neverGiven),
  'refusal.unknown-id.terminateStream': refusedId('terminateStream', neverGiven),
  'refusal.unknown-id.retrievePlayback': refusedId('retrievePlayback', neverGiven),
  'refusal.unknown-id.listSessionsOfStream': emptyOrRefused(neverGiven),
  'refusal.malformed-id.retrieveStream': refusedId('retrieveStream', malformedId),
  'refusal.malformed-id.updateStream': refusedId('updateStream', malformedId),
  'refusal.malformed-id.deleteStream': refusedId('deleteStream', malformedId),
  'refusal.malformed-id.setRecord': refusedId('setRecord', malformedId),
  'refusal.malformed-id.retrieveSession': refusedId('retrieveSession', malformedId),
  'refusal.malformed-id.terminateStream': refusedId('terminateStream', malformedId),
  'refusal.malformed-id.listSessionsOfStream': emptyOrRefused(malformedId),
  'refusal.deleted-id.retrieveStream': refusedId('retrieveStream', deletedStream),
  'refusal.deleted-id.updateStream': refusedId('updateStream', deletedStream),
  'refusal.deleted-id.setRecord': refusedId('setRecord', deletedStream),
  'refusal.deleted-id.terminateStream': refusedId('terminateStream', deletedStream),
  'refusal.deleted-id.retrieveSession': refusedId('retrieveSession', deletedStream),
  'refusal.deleted-id.deleteStream': async (context) =>
    readWord(await sendById(context, 'deleteStream', deletedStream), 'done'),
  'refusal.deleted-id.listSessionsOfStream': emptyOrRefused(deletedStream),
  'refusal.other-key.retrieveStream': refusedId('retrieveStream', otherStream),
  'refusal.other-key.updateStream': refusedId('updateStream', otherStream),
  'refusal.other-key.deleteStream': refusedId('deleteStream', otherStream),
  'refusal.other-key.setRecord': refusedId('setRecord', otherStream),
  'refusal.other-key.retrieveSession': refusedId('retrieveSession', otherSession),
  'refusal.other-key.terminateStream': refusedId('terminateStream', otherStream),
  'refusal.other-key.retrievePlayback': refusedId('retrievePlayback', otherPlayback),
  'refusal.other-key.listSessionsOfStream': emptyOrRefused(otherStream),
  'refusal.session-id.updateStream': refusedId('updateStream', spareId),
  'refusal.session-id.deleteStream': refusedId('deleteStream', spareId),
  'refusal.session-id.setRecord': refusedId('setRecord', spareId),
  'refusal.session-id.terminateStream': refusedId('terminateStream', spareId),
  'refusal.session-id.listSessionsOfStream': emptyOrRefused(spareId),
  async 'refusal.session-id.retrieveStream'(context) {
    const response = await sendById(context, 'retrieveStream', spareId);
    if (isSuccess(response) && readObject(response)['id'] !== (await context.ask(spareId))) {
      throw new Inexpressible('expected the session or a refusal, got something else');
    }
    return readWord(response, 'session');
  },
  'refusal.stream-id.retrieveSession': refusedId('retrieveSession', plainId),
  'refusal.unknown-route': refused(get('/no-such-path')),
  'refusal.method': refused({ method: 'PUT', path: '/stream', body: {} }),
  'refusal.no-key': toRead({ credential: 'none' }),
  'refusal.wrong-key': toRead({ credential: 'wrong' }),
  'refusal.other-scheme': toRead({ headers: { authorization: 'Basic bGVhcm46bGVhcm4=' } }),
  async 'refusal.live-switch'(context) {
    const response = await context.ask(liveSwitch);
    // It is accepted only where switching does something.
    if (isSuccess(response)) await context.ask(severalSessions);
    return readWord(response, 'accepted');
  },
  'refusal.live-repeat': async (context) => readWord(await requestLive(false)(context), 'accepted'),
  'refusal.live-delete': async (context) => readWord(await context.ask(liveDelete), 'accepted'),
  'refusal.idle-terminate': async (context) => readWord(await context.ask(termination), 'done'),
};
