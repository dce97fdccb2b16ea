import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import { isOfTarget, NoResponse } from '../target/failure.ts';
import { unknownId } from '../target/gate.ts';
import { pagesOf } from '../target/next-page.ts';
import { type Caller, get, patchRecord, post, recordedSessionsPath } from '../target/operations.ts';
import { until } from '../target/pacing.ts';
import type { TargetCall } from '../target/target.ts';

/** What the first requests of a run need. */
interface PreflightOptions {
  readonly baseUrl: string;
  readonly call: Caller;
  /** Sends requests with another key of the same service. */
  readonly callAsOther?: Caller | undefined;
  readonly readOnly: boolean;
  readonly givenStream: string | undefined;
  /** Milliseconds that the target may take to start. */
  readonly waitFor: number;
  /** Aborted if the run is to end early. */
  readonly stop: AbortSignal;
}

/**
 * Why the target cannot be judged at all, and what to do, in a sentence; `undefined` if it can be
 * judged. Without `readOnly`, the first requests list what the gate is to know before anything is created.
 * The next creates a stream or, with `readOnly`, lists sessions. The other stated operations are tried
 * only if its response cannot come from the operation.
 */
export async function preflight(options: PreflightOptions): Promise<string | undefined> {
  const { baseUrl, call, readOnly, givenStream } = options;
  // The list of an unknown stream may be 404.
  const mayBeUnknown = readOnly && givenStream === undefined;
  try {
    const list: TargetCall = get(recordedSessionsPath(givenStream ?? unknownId));
    const [begin, ...others] = readOnly
      ? [list]
      : [post('/stream', { name: 'conformance' }), patchRecord(unknownId, { record: false }), list];
    if (!readOnly) await showExisting(options);
    const first = await waitForResponse(begin, readOnly ? options : { ...options, waitFor: 0 });
    if (first instanceof NoResponse) return describeNoResponse(first, baseUrl);
    const responses = [first];
    for (const other of others) {
      if (!responses.every(isUseless)) break;
      responses.push(await call(other));
    }
    if (!responses.every(isUseless) || (mayBeUnknown && first.status === 404 && !isPage(first)))
      return undefined;
    return describeUseless(responses, baseUrl, givenStream);
  } catch (error) {
    // A response began, or the given id fits into no path: the checks say what is wrong with it.
    if (isOfTarget(error)) return undefined;
    throw error;
  }
}

/** Milliseconds and bytes that reading a list may take: a target may have any number of pages. */
const longestReading = 30_000;
const maxBytes = 8 * 1024 * 1024;

/** Lists all streams and sessions, where a target does that: what the gate sees now is not of this run. */
async function showExisting(options: PreflightOptions): Promise<void> {
  const { call, callAsOther, waitFor, stop } = options;
  if (waitFor > 0) await waitForResponse(get('/stream'), options).catch(ignoreFailure);
  for (const caller of callAsOther === undefined ? [call] : [call, callAsOther]) {
    for (const path of ['/stream', '/session']) {
      const failure = await readPages(caller, path, stop).catch(ignoreFailure);
      // One that does not respond at all is not asked for more.
      if (failure instanceof NoResponse) return;
    }
  }
}

/** What is wrong with the lists is found out and said elsewhere. */
function ignoreFailure(error: unknown): Error {
  if (isOfTarget(error)) return error;
  throw error;
}

async function readPages(call: Caller, path: string, stop: AbortSignal): Promise<void> {
  const end = performance.now() + longestReading;
  let bytes = 0;
  const isEnough = (): boolean => stop.aborted || bytes > maxBytes || performance.now() > end;
  for await (const page of pagesOf(call, path, isEnough)) bytes += page.bytes.length;
}

/** The first response of a target, or why there was none. */
async function waitForResponse(
  request: TargetCall,
  { call, waitFor, stop }: PreflightOptions,
): Promise<TargetResponse | NoResponse> {
  let last: TargetResponse | NoResponse | undefined;
  await until(waitFor, async () => {
    last = await call(request).catch(asNoResponse);
    const isStarting = last instanceof NoResponse || [502, 503, 504].includes(last.status);
    return isStarting && !stop.aborted ? undefined : last;
  });
  if (last === undefined) throw new Error('no request was sent');
  return last;
}

function asNoResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse && error.code !== undefined) return error;
  throw error;
}

/** Whether a response says that the request found no operation, or was refused for its key. */
function isUseless(response: TargetResponse): boolean {
  return isKeyRefused(response) || isElsewhere(response);
}

function isKeyRefused({ status }: TargetResponse): boolean {
  return status === 401 || status === 403;
}

function isElsewhere(response: TargetResponse): boolean {
  const { status } = response;
  return status === 404 || status === 405 || (status >= 300 && status <= 399) || isPage(response);
}

/** The content type does not tell: some services declare everything as HTML. */
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
  const got = responses.map(describeStatus).join(', ');
  const key = responses.some(isKeyRefused) ? ', and the API key' : '';
  const id = givenStream === undefined ? '' : ', and the id in --recorded-stream';
  return responses.length === 1
    ? `GET ${baseUrl}/stream/{parentId}/sessions got ${got}: check the path of --base-url${key}${id}.`
    : `No operation of the interface was found at ${baseUrl}: POST /stream, PATCH /stream/{id}/record and GET /stream/{parentId}/sessions got ${got}. Check the path of --base-url${key}.`;
}

function describeStatus(response: TargetResponse): string {
  const { status, headers } = response;
  const location = status >= 300 && status <= 399 ? headers.get('location') : null;
  if (location !== null) return `${status} to ${show(location)}`;
  return isPage(response) ? `${status} and a page of HTML` : String(status);
}

/** Why no response came, by the code of the cause, and what to do. */
const causes: readonly (readonly [code: RegExp, why: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there: start it, check --base-url or add --wait-for 30s'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name is not known: check --base-url and the network'],
  [
    /SELF_SIGNED|^UNABLE_TO/,
    'its certificate is not trusted: name a file with its certificate authority in NODE_EXTRA_CA_CERTS',
  ],
  [
    /CERT|TLS|SSL|^EPROTO$/,
    'no TLS connection could be made: check its certificate and --base-url',
  ],
  [/^TIMEOUT$/, 'it did not respond in time: raise --timeout or add --wait-for 30s'],
  [/^429$/, 'it refused every request because of its rate limit: wait, or raise its limit'],
  [/^/, 'the connection failed: check --base-url and what listens there'],
];

function describeNoResponse({ code = '' }: NoResponse, baseUrl: string): string {
  const [, why] = causes.find(([pattern]) => pattern.test(code)) ?? [];
  return `The target at ${baseUrl} cannot be judged: ${why} (${code}).`;
}
