import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '../../../interface/dialect/cells.ts';
import {
  type ByEndpoint,
  byEndpoint,
  type Endpoint,
  type Flaw,
  type RequestError,
} from '../../../interface/dialect/errors.ts';
import { isObject } from '../../../interface/json.ts';
import { broadcastSeconds, encoderOf } from '../../../target/providers/provider.ts';
import { pathSegment, type TargetCall } from '../../../target/requests/call.ts';
import type { TargetResponse } from '../../../target/requests/exchange.ts';
import { unlessPrevented } from '../../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../../target/requests/read-response.ts';
import { withMarkedName } from '../../../target/requests/run-names.ts';
import { isSafeMethod, unknownId } from '../../../target/requests/well-known.ts';
import { type CreatedStream, setOwnRecord } from '../../../target/streams/stream-requests.ts';
import { textOf } from '../../json-shapes.ts';
import { makeWrong, routeOf, twoProfiles } from '../../operation-calls.ts';
import { childOf, isList, knownLists } from '../probing/known-lists.ts';
import { findById } from '../probing/pages.ts';
import { waitFor } from '../probing/poll.ts';
import { beginLive, endLive, makeSession, readySession } from '../probing/probed-sessions.ts';
import {
  anyStream,
  deletedStream,
  newStream,
  plainInput,
  unchangedStream,
} from '../probing/probed-streams.ts';
import { need, type Probe, type ProbeContext } from '../probing/prober.ts';
import { spelling } from '../probing/spelling.ts';
import { refusalIn, requireRefusal } from './observed-refusals.ts';

/** The endpoint and the error that a cell is about. */
export interface CellKey {
  readonly endpoint: Endpoint;
  readonly error: RequestError;
}

/** A cell to ask about, and what to ask with. */
export interface CellQuestion extends CellKey {
  readonly context: ProbeContext;
}

/** A good request for an operation. */
interface GoodRequest {
  /** With `{id}` in place of the id. */
  readonly call: TargetCall;
  readonly id: string;
  /** The stream that the request is about, if it was created for this request. */
  readonly stream?: CreatedStream;
}

/** A request that was made wrong and sent, and its response. */
export interface SentRequest extends GoodRequest {
  readonly response: TargetResponse;
  /** What its id named before, as the owner of that saw it, if it was looked at. */
  readonly before?: JsonObject | undefined;
  /** What its id names now, as the owner of that sees it. */
  readonly lookAgain: () => Promise<JsonObject | undefined>;
}

/** A way in which a service may accept an operation: with some body, or for a live stream. */
interface Attempt {
  readonly body?: JsonObject;
  readonly isLive?: true;
}

/** Ways to ask for an operation, the plainest first; a service should accept one. */
const attempts: Readonly<Partial<Record<Endpoint, readonly Attempt[]>>> = {
  // A wrong field of a profile is in the first of two.
  createStream: [{ body: { ...plainInput, profiles: twoProfiles } }],
  setRecord: [{ body: { record: true } }],
  updateStream: [
    { body: { name: 'learned' } },
    { body: { profiles: twoProfiles } },
    { body: { suspended: false } },
    { body: {} },
  ],
  // A service may refuse to end a stream that is not live.
  terminateStream: [{}, { isLive: true }],
};

/** A good request that was accepted, and how those before it were refused. */
interface AcceptedAttempt {
  readonly attempt: Attempt;
  /** `undefined` if all were refused. */
  readonly sent: SentRequest | undefined;
  readonly refusals: readonly Refusal[];
}

/**
 * The first good request of an operation that the service accepts and carries out as far as that is shown, or else one that it
 * accepts, or else the plainest one.
 */
export const acceptedAttempts: ByEndpoint<Probe<AcceptedAttempt>> = byEndpoint(
  (endpoint) => async (context) => {
    const ways = attempts[endpoint] ?? [{}];
    const refusals: Refusal[] = [];
    let accepted: AcceptedAttempt | undefined;
    for (const attempt of ways) {
      // The answer is kept until the end, and what the stream shows may be large.
      const { stream: _, ...sent } = await sendWrong(context, endpoint, [], { attempt });
      if (isSuccess(sent.response)) {
        accepted ??= { attempt, sent, refusals: [...refusals] };
        if (await isCarriedOut(endpoint, attempt, sent)) return { attempt, sent, refusals };
      } else {
        refusals.push(requireRefusal(sent.response));
      }
    }
    return accepted ?? { attempt: ways[0] ?? {}, sent: undefined, refusals };
  },
);

/** Whether a stream that can be changed in several ways shows what was sent; also if nothing shows the stream. */
async function isCarriedOut(
  endpoint: Endpoint,
  { body = {} }: Attempt,
  { lookAgain }: SentRequest,
): Promise<boolean> {
  if (endpoint !== 'updateStream') return true;
  const shown = await lookAgain();
  return (
    shown === undefined ||
    Object.entries(body).every(([field, value]) => isDeepStrictEqual(shown[field], value))
  );
}

/** A good request that is accepted, and its response. @throws Blocked if none is */
export function acceptedOf(endpoint: Endpoint): Probe<SentRequest> {
  return async ({ ask }) => {
    const { sent, refusals } = await ask(acceptedAttempts[endpoint]);
    const got = `${endpoint} got status ${refusals.at(-1)?.status}`;
    return need(sent, `a good request that is accepted: ${got}`);
  };
}

/** How a wrong request is sent. */
interface SendOptions {
  readonly attempt?: Attempt;
  /** Recording of the stream is switched to this before. */
  readonly record?: boolean | undefined;
  /** Whether to look at what the id of the request names before. */
  readonly looksBefore?: boolean;
}

/** Makes a good request of an operation wrong, and sends it. A stream that was not changed is used again. */
export async function sendWrong(
  context: ProbeContext,
  endpoint: Endpoint,
  flaws: readonly Flaw[],
  { attempt, record, looksBefore = false }: SendOptions = {},
): Promise<SentRequest> {
  const good = await goodRequest(context, endpoint, flaws, attempt);
  const { stream } = good;
  if (stream !== undefined && record !== undefined) {
    await setOwnRecord(context.arrange, stream.id, record, 0);
  }
  let { call } = good;
  for (const flaw of flaws) {
    call =
      'state' in flaw
        ? await enterState(context, endpoint, { ...good, call }, flaw)
        : await applyFlaw(context, call, flaw);
  }
  const path = call.path.replaceAll('{id}', () => good.id);
  const isOfOther = flaws.some((flaw) => 'idOf' in flaw && flaw.idOf === 'other-key');
  const lookAgain = () => lookAt(isOfOther ? asOther(context) : context, path);
  const before = looksBefore ? await lookAgain() : undefined;
  const response = await context.send({ ...call, path });
  if (stream !== undefined) {
    // A stream that was deleted or has ended cannot be ended again.
    await unlessPrevented(endLive(context, stream.id));
    const isChanged = record !== undefined || context.creations.live.has(stream.id);
    if (!isChanged && refusalIn(response) !== undefined) context.spares.push(stream);
  }
  return { ...good, response, before, lookAgain };
}

/** The same service as the other account sees it. */
function asOther(context: ProbeContext): ProbeContext {
  return { ...context, ...context.otherAccount() };
}

/** What the id in a path names, wherever it is shown. */
function lookAt(context: ProbeContext, path: string): Promise<JsonObject | undefined> {
  const [, , segment = ''] = path.split('/');
  const paths = [`/stream/${segment}`, `/session/${segment}`, '/session', '/stream'];
  return findById(context, paths, decodeURIComponent(segment));
}

/** The id in a request that only reads. */
const readIds: Readonly<Partial<Record<Endpoint, Probe<unknown>>>> = {
  retrieveStream: async ({ ask }) => (await ask(anyStream))['id'],
  listSessionsOfStream: async ({ ask }) => (await ask(anyStream))['id'],
  retrieveSession: async ({ ask }) => (await ask(readySession)).session['id'],
  retrievePlayback: async (context) => playbackIdOf(context, await context.ask(anyStream)),
};

/** A good request. @throws Blocked without the stream or session that it is about */
async function goodRequest(
  context: ProbeContext,
  endpoint: Endpoint,
  flaws: readonly Flaw[],
  attempt?: Attempt,
): Promise<GoodRequest> {
  const { body, isLive } = attempt ?? (await context.ask(acceptedAttempts[endpoint])).attempt;
  const route = routeOf(endpoint);
  // Marked before it is made wrong, as a service may accept a body that is no JSON object any more.
  const markedBody = endpoint === 'createStream' ? withMarkedName(body) : body;
  const call: TargetCall = body === undefined ? route : { ...route, body: markedBody };
  // A request that changes a stream needs one of its own.
  if (route.path.includes('{id}') && !isSafeMethod(route.method)) {
    const stream = context.spares.pop() ?? (await newStream(context));
    if (isLive && !flaws.some((flaw) => 'state' in flaw)) await beginLive(context, stream);
    return { call, stream, id: stream.id };
  }
  // Queries are sent to a list of several items, if there are some.
  const isQuery = !context.readOnly && flaws.some((flaw) => 'query' in flaw);
  const list = isQuery && isList(endpoint) ? await context.ask(knownLists[endpoint]) : undefined;
  const id = textOf(list?.streamId ?? (await readIds[endpoint]?.(context)) ?? '');
  const query = endpoint === 'listSessionsOfStream' ? '?record=1' : '';
  return { call: { ...call, path: call.path + query }, id };
}

async function playbackIdOf(context: ProbeContext, stream: JsonObject): Promise<string> {
  const { playbackId: key = 'playbackId' } = await context.ask(spelling);
  const id = stream[key];
  return need(typeof id === 'string' && id, 'a stream that shows its playbackId');
}

/** Goes live on the stream that a request is about, unless it is to be idle. */
async function enterState(
  context: ProbeContext,
  endpoint: Endpoint,
  { call, stream }: GoodRequest,
  flaw: Extract<Flaw, { state: unknown }>,
): Promise<TargetCall> {
  if (flaw.state === 'idle' || stream === undefined) return call;
  // The good body turns recording on.
  const { sets } = flaw;
  const isSwitch = endpoint === 'setRecord' || sets?.['record'] !== undefined;
  if (isSwitch) await setOwnRecord(context.arrange, stream.id, 'same' in flaw, 0);
  await beginLive(context, stream);
  if (endpoint !== 'updateStream' || !isObject(call.body)) return call;
  // Without a field of its own, the error is about the profiles.
  return { ...call, body: { ...call.body, ...(sets ?? { profiles: twoProfiles.slice(1) }) } };
}

/** Makes a request wrong in one more way. */
async function applyFlaw(
  context: ProbeContext,
  call: TargetCall,
  flaw: Exclude<Flaw, { state: unknown }>,
): Promise<TargetCall> {
  if ('idOf' in flaw) {
    const id = pathSegment(await otherIds[flaw.idOf](context, call));
    return { ...call, path: call.path.replace('{id}', () => id) };
  }
  // Requests that write are sent only ids without an encoded character.
  if ('id' in flaw) context.target.gate.addMadeUp(flaw.id);
  return makeWrong(call, flaw, context.target.apiKey);
}

type FindId = (context: ProbeContext, call: TargetCall) => Promise<unknown>;

/** The id of something that the operation does not expect; the probe writes only to its own items. */
const otherIds: Readonly<Record<Extract<Flaw, { idOf: unknown }>['idOf'], FindId>> = {
  unknown: async () => unknownId,
  deleted: ({ ask }) => ask(deletedStream),
  'other-key': idInOtherAccount,
  stream: async ({ ask }) => (await ask(unchangedStream)).id,
  async session(context, call) {
    if (call.method === 'GET') return (await context.ask(readySession)).session['id'];
    return (await sessionToWrite(context, !isSwitch(call))).id;
  },
  async child(context) {
    const { streamId } = await sessionToWrite(context);
    const id = await waitFor(context, async () => (await childOf(context, streamId))?.['id']);
    const isOwn = context.target.gate.owns(id);
    return need(isOwn && id, 'a session of this run in the list of streams: none was shown');
  },
};

/** A session that a request may change, as it has been made for it. @throws Blocked without one */
async function sessionToWrite(context: ProbeContext, record = true) {
  encoderOf(context);
  const stream = await newStream(context);
  await setOwnRecord(context.arrange, stream.id, record, 0);
  const { id } = await makeSession(context, stream);
  const isOwn = context.target.gate.owns(id);
  const expected = 'a session of this run: the service returned the id of another one';
  return { streamId: stream.id, id: need(isOwn && id, expected) };
}

/** Whether a request turns recording on, as a good one does. */
function isSwitch({ path }: TargetCall): boolean {
  return path.endsWith('/record');
}

async function idInOtherAccount(context: ProbeContext, call: TargetCall): Promise<unknown> {
  const { path } = call;
  const account = context.otherAccount();
  const isOfSession = path.startsWith('/session');
  const isKnown = !isOfSession || account.provider.name === 'control';
  need(isKnown, 'a session of another API key: add --control-url, which tells its id');
  const stream = await newStream(account);
  if (path.startsWith('/playback')) return playbackIdOf(context, stream.fields);
  // So that it can be seen whether it is turned on.
  if (isSwitch(call)) await setOwnRecord(account.arrange, stream.id, false, 0);
  if (!isOfSession) return stream.id;
  account.creations.live.add(stream.id);
  return (await encoderOf(account).broadcast(stream, broadcastSeconds))?.['id'];
}
