import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import {
  get,
  patch,
  post,
  recordPath,
  setRecord,
  streamPath,
} from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { RefusalBehaviours } from '../../../interface/silent-refusals.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { nobodysField, otherScheme, unknownPath } from '../questions/inputs.ts';
import { severalSessions } from '../questions/known-sessions.ts';
import { liveStream } from '../questions/make-session.ts';
import { type ProbesFor, type Question, readRefusal, readWord } from '../questions/probe.ts';
import {
  changedStream,
  deletionOf,
  newStream,
  plainInput,
  plainStream,
  profile,
  recordedList,
} from '../questions/streams.ts';
import { idRefusalProbes } from './id-refusals.ts';
import { termination } from './playback.ts';

/** A probe that sends one request, which the target should refuse. */
function refused(request: Call | Question<Call>): Question<Refusal> {
  return async (context) =>
    readRefusal(
      await context.send(typeof request === 'function' ? await request(context) : request),
    );
}

const toCreate = (body: unknown): Question<Refusal> => refused(post('/stream', body));
const toUpdate = (body?: unknown): Question<Refusal> =>
  refused(async (context) => patch(streamPath((await context.ask(changedStream)).id), body));
const toSwitch = (body?: unknown): Question<Refusal> =>
  refused(async (context) => patch(recordPath((await context.ask(plainStream)).id), body));
const toRead = (more: Omit<Call, 'method' | 'path'>): Question<Refusal> =>
  refused(async (context) => ({ ...get(await context.ask(recordedList)), ...more }));

const { width: _, ...withoutWidth } = profile;

/** The id of a live stream that is not recorded. It is switched, as not every stream shows its record. */
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
  return context.send(deletionOf(stream.id));
};

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
  ...idRefusalProbes,
  'refusal.unknown-route': refused(get(unknownPath)),
  'refusal.method': refused({ method: 'PUT', path: '/stream', body: {} }),
  'refusal.no-key': toRead({ credential: 'none' }),
  'refusal.wrong-key': toRead({ credential: 'wrong' }),
  'refusal.other-scheme': toRead({ headers: otherScheme }),
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
