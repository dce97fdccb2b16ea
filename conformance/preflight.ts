import type { Answer } from './exchange.ts';
import { Blocked, CheckFailure, NoAnswer } from './failure.ts';
import { type Caller, post, recordCall, recordedPath, unknownId } from './operations.ts';
import { until } from './patience.ts';
import type { Call } from './target.ts';

/** What the first requests of a run are sent with. */
interface PreflightOptions {
  readonly baseUrl: string;
  readonly call: Caller;
  readonly readOnly: boolean;
  readonly givenStream: string | undefined;
  /** Milliseconds in which a target that is starting may begin to answer. */
  readonly waitFor: number;
}

/**
 * Why the target cannot be judged at all, and what to do, in a sentence; `undefined` where it can.
 * The first request creates a stream; with `readOnly` it lists sessions. Only where its answer cannot
 * be the operation's own are the other stated operations tried.
 */
export async function preflight(options: PreflightOptions): Promise<string | undefined> {
  const { baseUrl, call, readOnly, givenStream, waitFor } = options;
  // A stream that nobody knows may well be answered with 404.
  const mayBeUnknown = readOnly && givenStream === undefined;
  try {
    const list: Call = { method: 'GET', path: recordedPath(givenStream ?? unknownId) };
    const [begin, ...others] = readOnly
      ? [list]
      : [post({ name: 'conformance' }), recordCall(unknownId, { record: false }), list];
    const first = await waitForAnswer(call, begin, waitFor);
    if (first instanceof NoAnswer) return describeNoAnswer(first, baseUrl);
    const answers = [first];
    for (const other of others) {
      if (!answers.every(isUseless)) break;
      answers.push(await call(other));
    }
    if (!answers.every(isUseless) || (mayBeUnknown && isPlainly404(first))) return undefined;
    return describeUseless(answers, baseUrl, givenStream);
  } catch (error) {
    // An answer began, or the given id fits into no path: the checks say what is wrong with it.
    if ([NoAnswer, CheckFailure, Blocked].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** The first answer of a target, or why there was none. */
async function waitForAnswer(
  call: Caller,
  request: Call,
  patience: number,
): Promise<Answer | NoAnswer> {
  let last: Answer | NoAnswer | undefined;
  await until(patience, async () => {
    last = await call(request).catch(asNoAnswer);
    return last instanceof NoAnswer || [502, 503, 504].includes(last.status) ? undefined : last;
  });
  if (last === undefined) throw new Error('no request was sent');
  return last;
}

function asNoAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer && error.code !== undefined) return error;
  throw error;
}

/** Whether an answer is one for a request that found no operation, or that was let nowhere. */
function isUseless(answer: Answer): boolean {
  return isRefused(answer) || isElsewhere(answer);
}

function isRefused({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

function isElsewhere(answer: Answer): boolean {
  const { status } = answer;
  return status === 404 || status === 405 || (status >= 300 && status <= 399) || isPage(answer);
}

function isPlainly404(answer: Answer): boolean {
  return answer.status === 404 && !isPage(answer);
}

function isPage({ headers, text }: Answer): boolean {
  return (headers.get('content-type') ?? '').includes('html') || /^\s*<(!doctype|html)/i.test(text);
}

function describeUseless(
  answers: readonly Answer[],
  baseUrl: string,
  givenStream: string | undefined,
): string {
  const refused = answers.find(isRefused);
  if (refused !== undefined) {
    return `The target refused the API key in every request, with status ${refused.status}: check the key, and that it may be used at ${baseUrl}.`;
  }
  const got = answers.map(
    (answer) => `${answer.status}${isPage(answer) ? ' and a page of HTML' : ''}`,
  );
  const list = `GET ${baseUrl}/stream/{parentId}/sessions`;
  return answers.length === 1
    ? `${list} got ${got}: check the path of --base-url${givenStream === undefined ? '' : ', and the id in --recorded-stream'}.`
    : `No operation of the interface was found at ${baseUrl}: POST /stream, PATCH /stream/{id}/record and GET /stream/{parentId}/sessions got ${got.join(', ')}. Check the path of --base-url.`;
}

const causes: readonly [code: RegExp, cause: string, advice: string][] = [
  [/^ECONNREFUSED$/, 'nothing listens there', 'start it, or check --base-url'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name is not known', 'check --base-url and the network'],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_UNTRUSTED)$/,
    'its certificate is not trusted',
    'name a file with the certificate of its authority in the environment variable NODE_EXTRA_CA_CERTS',
  ],
  [
    /CERT|TLS|SSL|^EPROTO$/,
    'no TLS connection could be made',
    'check its certificate, and whether --base-url begins with the right one of http and https',
  ],
  [/^TIMEOUT$/, 'it did not answer in time', 'check --base-url, or raise --timeout'],
];

function describeNoAnswer({ code = '' }: NoAnswer, baseUrl: string): string {
  const [, cause, advice] = causes.find(([pattern]) => pattern.test(code)) ?? [
    undefined,
    'the connection failed',
    'check --base-url and what listens there',
  ];
  return `The target at ${baseUrl} cannot be reached: ${cause} (${code}). To go on, ${advice}; --wait-for 30s waits for one that is starting.`;
}
