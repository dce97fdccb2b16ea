import { show } from '../text/phrases.ts';
import type { Connection } from './connection.ts';
import type { TargetCall } from './requests/call.ts';
import type { TargetResponse } from './requests/exchange.ts';
import { isOfTarget, NoResponse } from './requests/failure.ts';
import { explainProxy } from './requests/proxy.ts';
import { until } from './requests/scheduling.ts';
import { unknownId } from './requests/well-known.ts';
import { createCaller } from './streams/creations.ts';
import { pagesOf } from './streams/next-page.ts';
import {
  type Caller,
  get,
  patchRecord,
  post,
  recordedSessionsPath,
  statedOperations,
  streamPath,
} from './streams/stream-requests.ts';

/**
 * Why the target cannot be judged at all, and what to do, in a sentence; `undefined` if it can be
 * judged. Unless the run is read-only, it first lists what exists, so that the gate knows it, and then
 * tries the stated operations until one responds as an operation. A read-only run only lists sessions.
 * @param other a connection to the same service with another key
 */
export async function whyUnjudgeable(
  connection: Connection,
  other?: Connection,
): Promise<string | undefined> {
  const { readOnly } = connection;
  const { baseUrl } = connection.target;
  const givenStreamId = givenStreamOf(connection);
  const call = callerOf(connection);
  const responses: TargetResponse[] = [];
  try {
    const requests = firstRequests(connection);
    await waitForStart(connection);
    if (!readOnly) await showExisting(connection, ...(other ? [other] : []));
    for (const request of requests) {
      const response = await call(request);
      if (isUseful(response, readOnly && givenStreamId === undefined)) return undefined;
      responses.push(response);
    }
    return describeUseless(responses, baseUrl, givenStreamId);
  } catch (exception) {
    if (isSilence(exception) && responses.length === 0)
      return describeSilence(exception, connection);
    // A response began, or the given id does not fit into a path: the checks report what is wrong.
    if (isOfTarget(exception)) return undefined;
    throw exception;
  }
}

function callerOf({ target, creations }: Connection): Caller {
  return createCaller(target, creations);
}

function givenStreamOf({ provider }: Connection): string | undefined {
  return provider.name === 'given' ? provider.streamId : undefined;
}

/** The stated operations that may be tried. @throws Blocked if the given id does not fit into a path. */
function firstRequests(connection: Connection): TargetCall[] {
  const list = get(recordedSessionsPath(givenStreamOf(connection) ?? unknownId));
  if (connection.readOnly) return [list];
  const creation = post('/stream', { name: 'check' });
  return [creation, patchRecord(unknownId, { record: false }), list];
}

/** Whether a response may come from an operation. A 404 may, if the target need not know the stream in the request. */
function isUseful(response: TargetResponse, mayBeUnknown: boolean): boolean {
  const { status } = response;
  if (isPage(response)) return false;
  if (status === 404) return mayBeUnknown;
  return !isKeyRefused(response) && status !== 405 && (status < 300 || status > 399);
}

/** Whether no response began. */
function isSilence(exception: unknown): exception is NoResponse {
  return exception instanceof NoResponse && exception.code !== undefined;
}

/** Repeats a request that only reads, until the target has started or the time is over. */
async function waitForStart(connection: Connection): Promise<void> {
  const { waitFor, stopSignal, readOnly } = connection;
  const call = callerOf(connection);
  const [list = get('/stream')] = readOnly ? firstRequests(connection) : [];
  const probe = async (): Promise<true | undefined> => {
    const response = await call(list).catch(ignoreFailure);
    const isStarting =
      response instanceof Error ? isSilence(response) : [502, 503, 504].includes(response.status);
    return !isStarting || stopSignal.aborted || undefined;
  };
  if (waitFor > 0) await until(waitFor, probe);
}

/** An exception about the target is reported elsewhere. */
function ignoreFailure(exception: unknown): Error {
  if (isOfTarget(exception)) return exception;
  throw exception;
}

/**
 * Lists all streams and sessions, if the target can, and asks for one that does not exist. What the gate sees now does
 * not belong to this run.
 */
async function showExisting(...connections: readonly Connection[]): Promise<void> {
  for (const connection of connections) {
    for (const path of ['/stream', '/session']) {
      const failure = await readPages(callerOf(connection), path).catch(ignoreFailure);
      // A target that does not respond at all gets no more requests.
      if (failure instanceof NoResponse) return;
    }
    // Some services show another stream for an id that no stream has, and would write to it.
    await callerOf(connection)(get(streamPath(unknownId))).catch(ignoreFailure);
  }
}

async function readPages(call: Caller, path: string): Promise<void> {
  for await (const _ of pagesOf(call, path));
}

function isKeyRefused({ status }: TargetResponse): boolean {
  return status === 401 || status === 403;
}

/** The content type is not reliable: some services declare everything as HTML. */
function isPage({ text }: TargetResponse): boolean {
  return /^\s*<(!doctype|html)/i.test(text);
}

function describeUseless(
  responses: readonly TargetResponse[],
  baseUrl: string,
  givenStream: string | undefined,
): string {
  const [first] = responses;
  if (first !== undefined && responses.every(isKeyRefused)) {
    return `The target refused the API key in every request, with status ${first.status}: check the key, and that it may be used at ${baseUrl}.`;
  }
  const { create, record, list } = statedOperations;
  const got = responses.map(describeStatus).join(', ');
  const key = responses.some(isKeyRefused) ? ', and the API key' : '';
  const id = givenStream === undefined ? '' : ', and the id in --recorded-stream';
  return responses.length === 1
    ? `${list.replace(' ', ` ${baseUrl}`)} got ${got}: check the path of --base-url${key}${id}.`
    : `No operation of the interface was found at ${baseUrl}: ${create}, ${record} and ${list} got ${got}. Check the path of --base-url${key}.`;
}

function describeStatus(response: TargetResponse): string {
  const { status, headers } = response;
  const location = status >= 300 && status <= 399 ? headers.get('location') : null;
  if (location !== null) return `${status} to ${show(location)}`;
  return isPage(response) ? `${status} and a page of HTML` : String(status);
}

/**
 * Why no response came and what to do, by the code of the exception and its message. How to wait for the target to start
 * depends on whether the run has done so.
 */
const causes: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^ECONNREFUSED /, 'nothing listens there: start it, check --base-url or {wait}'],
  [/^(ENOTFOUND|EAI_AGAIN) /, 'its host name is not known: check --base-url and the network'],
  [/wrong.version.number/i, 'the server there does not speak TLS; try {http}'],
  [
    /^\S*SELF_SIGNED|^UNABLE_TO/,
    'its certificate is not trusted: name a file with its certificate authority in NODE_EXTRA_CA_CERTS',
  ],
  [
    /^\S*(CERT|TLS|SSL)|^EPROTO /,
    'no TLS connection could be made: check its certificate and --base-url',
  ],
  [/^TIMEOUT /, 'it did not respond in time: raise --timeout or {wait}'],
  [/^STOPPED /, 'the run was interrupted'],
  [/^429 /, 'it refused every request because of its rate limit: wait, or raise its limit'],
  [/^503 /, 'it is unavailable and asked to wait each time: start it, or {wait}'],
  [/^/, 'the connection failed: check --base-url and what listens there'],
];

function describeSilence({ code = '', message }: NoResponse, connection: Connection): string {
  const { waitFor, target } = connection;
  const { baseUrl } = target;
  const [, why = ''] = causes.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? [];
  const advice = why
    .replace('{http}', baseUrl.replace(/^https/, 'http'))
    .replace('{wait}', waitFor > 0 ? 'raise --wait-for' : 'add --wait-for 30s');
  const sentence = `The target at ${baseUrl} gave no response: ${advice} (${code}).`;
  return [sentence, explainProxy(baseUrl)].flat().join(' ');
}
