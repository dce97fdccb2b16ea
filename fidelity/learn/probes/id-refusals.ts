import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, readObject, readObjects } from '../../../conformance/target/expectations.ts';
import {
  createStream,
  get,
  patch,
  recordedSessionsPath,
  recordPath,
  streamPath,
} from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { RefusalBehaviours } from '../../../interface/silent-refusals.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { textOf } from '../../json.ts';
import { spareSession } from '../questions/known-sessions.ts';
import { sessionPath } from '../questions/list-sessions.ts';
import { makeSession } from '../questions/make-session.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
  readWord,
} from '../questions/probe.ts';
import {
  anyStream,
  deletedStream,
  deletionOf,
  neverGiven,
  newStream,
  otherStream,
  plainInput,
} from '../questions/streams.ts';
import { playbackIdOf, playbackPath, terminationOf } from './playback.ts';
import { acceptedUpdate } from './updates.ts';

/** The request of each operation with an id in its path. */
const callsById = {
  retrieveStream: (_, id) => get(streamPath(id)),
  updateStream: async ({ ask }, id) => patch(streamPath(id), (await ask(acceptedUpdate)).body),
  deleteStream: (_, id) => deletionOf(id),
  setRecord: (_, id) => patch(recordPath(id), { record: true }),
  listSessionsOfStream: (_, id) => get(recordedSessionsPath(id)),
  retrieveSession: (_, id) => get(sessionPath(id)),
  terminateStream: (_, id) => terminationOf(id),
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

/** The same id in each of several operations. */
function refusedIds<Prefix extends string, Operation extends OperationById>(
  prefix: Prefix,
  ofId: Question<string>,
  operations: readonly Operation[],
): Record<`${Prefix}.${Operation}`, Question<Refusal>> {
  return probesFor(prefix, operations, (operation) => refusedId(operation, ofId));
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

/** The id of a session. */
export const spareId: Question<string> = async ({ ask }) => (await ask(spareSession)).id;
const streamId: Question<string> = async ({ ask }) => textOf((await ask(anyStream))['id']);

/** What a client sends by mistake where it has no id. */
export const malformedId: Question<string> = async () => 'undefined';

const otherSession: Question<string> = async (context) => {
  const { creations, provider } = context.other();
  const own = { ...context, send: context.sendAsOther, creations, provider };
  return textOf((await makeSession(own, await newStream(own)))['id']);
};

const otherPlayback: Question<string> = async (context) =>
  playbackIdOf((await createStream(context.sendAsOther, plainInput)).shown);

const withStreamId = [
  'retrieveStream',
  'updateStream',
  'deleteStream',
  'setRecord',
  'terminateStream',
] as const;

type ByIdRow = Extract<
  keyof RefusalBehaviours,
  `refusal.${'unknown-id' | 'malformed-id' | 'deleted-id' | 'other-key' | 'session-id' | 'stream-id'}.${string}`
>;

/** Probes of how operations refuse an id that is genuine, but not of what they mean, or that is none. */
export const idRefusalProbes: ProbesFor<Pick<RefusalBehaviours, ByIdRow>> = {
  ...refusedIds('refusal.unknown-id', neverGiven, [
    ...withStreamId,
    'retrieveSession',
    'retrievePlayback',
  ]),
  'refusal.unknown-id.listSessionsOfStream': emptyOrRefused(neverGiven),
  ...refusedIds('refusal.malformed-id', malformedId, [...withStreamId, 'retrieveSession']),
  'refusal.malformed-id.listSessionsOfStream': emptyOrRefused(malformedId),
  ...refusedIds('refusal.deleted-id', deletedStream, [
    'retrieveStream',
    'updateStream',
    'setRecord',
    'terminateStream',
    'retrieveSession',
  ]),
  'refusal.deleted-id.deleteStream': async (context) =>
    readWord(await sendById(context, 'deleteStream', deletedStream), 'done'),
  'refusal.deleted-id.listSessionsOfStream': emptyOrRefused(deletedStream),
  ...refusedIds('refusal.other-key', otherStream, withStreamId),
  'refusal.other-key.retrieveSession': refusedId('retrieveSession', otherSession),
  'refusal.other-key.retrievePlayback': refusedId('retrievePlayback', otherPlayback),
  'refusal.other-key.listSessionsOfStream': emptyOrRefused(otherStream),
  ...refusedIds('refusal.session-id', spareId, [
    'updateStream',
    'deleteStream',
    'setRecord',
    'terminateStream',
  ]),
  'refusal.session-id.listSessionsOfStream': emptyOrRefused(spareId),
  async 'refusal.session-id.retrieveStream'(context) {
    const response = await sendById(context, 'retrieveStream', spareId);
    if (isSuccess(response) && readObject(response)['id'] !== (await context.ask(spareId))) {
      throw new Inexpressible('expected the session or a refusal, got something else');
    }
    return readWord(response, 'session');
  },
  'refusal.stream-id.retrieveSession': refusedId('retrieveSession', streamId),
};
