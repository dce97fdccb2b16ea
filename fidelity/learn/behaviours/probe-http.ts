import {
  type Behaviours,
  definitionOf,
  type NamedBehaviour,
  preflightAsOptions,
} from '../../../interface/dialect/behaviours.ts';
import type { TargetCall } from '../../../target/requests/call.ts';
import type { TargetResponse } from '../../../target/requests/exchange.ts';
import { unlessPrevented } from '../../../target/requests/failure.ts';
import { isSuccess } from '../../../target/requests/read-response.ts';
import { unknownId, unknownPath } from '../../../target/requests/well-known.ts';
import {
  get,
  patchRecord,
  recordedSessionsPath,
  streamPath,
} from '../../../target/streams/stream-requests.ts';
import { namesIn } from '../../headers.ts';
import { textOf } from '../../json-shapes.ts';
import { refusalIn, requireRefusal } from '../cells/observed-refusals.ts';
import { acceptedOf } from '../cells/wrong-requests.ts';
import { anyStream } from '../probing/probed-streams.ts';
import {
  Inexpressible,
  need,
  type Probe,
  type ProbeContext,
  type Probes,
} from '../probing/prober.ts';

/** Reads the recorded sessions of a stream, which every service can list. */
async function readRecorded(context: ProbeContext, changes: Partial<TargetCall> = {}) {
  return context.send({ ...get(await recordedPath(context)), ...changes });
}

const recordedPath: Probe<string> = async ({ ask }) =>
  recordedSessionsPath(textOf((await ask(anyStream))['id']));

const recordedList: Probe<TargetResponse> = (context) => readRecorded(context);

const listsMethods = /^[A-Z]+(, ?[A-Z]+)*$/;

function responseToOptions(name: 'known' | 'unknown'): Probe<NamedBehaviour<'http.options'>> {
  return async (context) => {
    const response = await (name === 'known'
      ? readRecorded(context, { method: 'OPTIONS' })
      : context.send({ method: 'OPTIONS', path: unknownPath }));
    return successOfOptions(response) ?? requireRefusal(response);
  };
}

/** What a success of OPTIONS or of a preflight is called; `undefined` for any other response. */
function successOfOptions({ status, text }: TargetResponse) {
  if (status === 204) return 'no-content';
  if (status !== 200) return undefined;
  if (text === '') return 'ok';
  return listsMethods.test(text) ? 'methods' : undefined;
}

/** How a preflight is answered, compared with any other OPTIONS. */
const responseToPreflight: Probe<Behaviours['http.preflight']> = async (context) => {
  const response = await context.ask(fromPages.preflights);
  const { status } = response;
  need(status < 300, `a preflight that is allowed: it got status ${status}`);
  const success = successOfOptions(response);
  const plain = await readRecorded(context, { method: 'OPTIONS' });
  const options = successOfOptions(plain) ?? refusalIn(plain);
  if (options !== undefined && success === preflightAsOptions(options)) return 'as-options';
  if (success === 'ok' || success === 'no-content') return success;
  throw new Inexpressible(
    `expected 204, 200 without a body, or the response to other OPTIONS, got another one (${status})`,
  );
};

/** A whole number of seconds in a header. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new Inexpressible('expected a whole number of seconds, got something else');
}

/** Operations whose successes have headers like any response: one with a body, and one without. */
const changesWithHeaders = ['createStream', 'setRecord'] as const;

/**
 * The headers that a list, a refusal, other successes and a response to a page have in common: every response has these,
 * unless another behaviour says so.
 */
const commonHeaders: Probe<Record<string, string>> = async (context) => {
  const toPage = (await context.ask(fromPages.requests)).headers;
  const first = (await context.ask(recordedList)).headers;
  const others = [toPage, (await context.send(get(unknownPath))).headers];
  for (const endpoint of context.readOnly ? [] : changesWithHeaders) {
    const accepted = await unlessPrevented(acceptedOf(endpoint)(context));
    if (accepted !== undefined) others.push(accepted.response.headers);
  }
  const { values } = definitionOf('http.headers');
  const entries = [...first].flatMap(([name, value]) => {
    const isShared = others.every((headers) => headers.has(name));
    if (!isShared || !values.safeParse({ [name]: '' }).success) return [];
    const own = withoutCors(name, value, toPage);
    const isSame = others.every(
      (headers) => withoutCors(name, headers.get(name) ?? '', toPage) === own,
    );
    // These have a meaning for browsers, which a made-up value would not.
    const isMeaningful = name === 'vary' || name.startsWith('access-control-');
    if (own === '' || (isMeaningful && !isSame)) return [];
    return [[name, isSame && isPlain(name, own) ? own : madeUp(name, own)] as const];
  });
  return Object.fromEntries(entries);
};

/** The value of a header without what the behaviours of CORS say of it; empty if they say all of it. */
function withoutCors(name: string, value: string, toPage: Headers): string {
  const allowed = toPage.get('access-control-allow-origin');
  if (name.startsWith('access-control-')) return allowed === null ? value : '';
  if (name !== 'vary') return value;
  const isEcho = allowed !== null && allowed !== '*';
  const names = lowerNames(value).filter((varying) => !isEcho || varying !== 'origin');
  return names.sort().join(', ');
}

/** A value of a header that has another one in each response, or that may be data. */
function madeUp(name: string, value: string): string {
  // Clients that read how many requests are left to them must not stop.
  if (/^\d+$/.test(value)) return /limit|remaining/.test(name) ? '1000' : '0';
  return name === 'etag' ? '"text"' : 'text';
}

/** Whether a header's value is harmless: no id, address, date or version. Those of CORS are names, numbers and `*`. */
function isPlain(name: string, value: string): boolean {
  if (name.startsWith('access-control-')) return /^[\w ,*-]{0,100}$/.test(value);
  return /^[a-z][\w ,;=-]{0,100}$/i.test(value) && !/\d{3}|\d[a-f]\d/i.test(value);
}

/** Responses that have an ETag on some services, besides those to GET. */
const responsesOf: Readonly<Record<keyof Behaviours['http.etag-of'], Probe<TargetResponse>>> = {
  changes: async (context) => (await acceptedOf('createStream')(context)).response,
  async refusals(context) {
    const list = await context.send(get(recordedSessionsPath(unknownId)));
    if (list.status >= 400 && list.text !== '') return list;
    return context.send(patchRecord(unknownId, { record: true }));
  },
};

function etagOf(name: keyof typeof responsesOf): Probe<NamedBehaviour<'http.etag-of'>> {
  return async (context) => {
    const { status, text, headers } = await responsesOf[name](context);
    const isExpected = text !== '' && status >= 400 === (name === 'refusals');
    need(isExpected, `a response with a body: ${name} had none`);
    return headers.has('etag') ? 'present' : 'absent';
  };
}

/** Whether a response without an Origin has a header that one to a page has. */
function withoutOrigin(
  name: keyof Behaviours['cors.without-origin'],
): Probe<NamedBehaviour<'cors.without-origin'>> {
  return async ({ ask }) => {
    const value = (await ask(fromPages.requests)).headers.get(name);
    const isFixed = name !== 'access-control-allow-origin' || value === '*';
    need(value !== null && isFixed, `a response to a page with ${name}, whatever its Origin is`);
    return (await ask(recordedList)).headers.has(name) ? 'present' : 'absent';
  };
}

const requestedHeaders = ['authorization', 'content-type', 'x-nobody-knows'];

/** What a page of another origin sends. */
const fromPages = {
  requests: (context) => readRecorded(context, { headers: { origin: context.origin } }),
  preflights: async (context) => preflight(context, 'GET', await recordedPath(context)),
} as const satisfies Record<string, Probe<TargetResponse>>;

function preflight(context: ProbeContext, method: string, path: string): Promise<TargetResponse> {
  const headers = {
    origin: context.origin,
    'access-control-request-method': method,
    'access-control-request-headers': requestedHeaders.join(','),
  };
  return context.send({ method: 'OPTIONS', path, credential: 'none', headers });
}

/** The methods that preflights allow at several paths: some services allow only those of the path. */
const allowedMethods: Probe<readonly string[]> = async (context) => {
  const ofList = await corsHeader('preflights', 'allow-methods', namesIn)(context);
  const stream = streamPath((await context.ask(anyStream))['id']);
  const preflights = [
    await preflight(context, 'PATCH', `${stream}/record`),
    await preflight(context, 'DELETE', stream),
  ];
  const furtherMethods = preflights.flatMap(({ headers }) =>
    namesIn(headers.get('access-control-allow-methods')),
  );
  return [...new Set([...ofList, ...furtherMethods])];
};

function origins(name: keyof typeof fromPages): Probe<NamedBehaviour<'cors.origins'>> {
  return async ({ ask, origin }) => {
    const response = await ask(fromPages[name]);
    if (!isSuccess(response)) return requireRefusal(response);
    const allowed = response.headers.get('access-control-allow-origin');
    if (allowed === null) return 'none';
    if (allowed === '*') return 'any';
    if (allowed === origin) return 'echo';
    const expected = 'no allowed origin, * or the origin of the request';
    throw new Inexpressible(`expected ${expected}, got another one`);
  };
}

/** A header that only responses with CORS have. @throws Blocked if pages may not read any response */
function corsHeader<Value>(
  name: keyof typeof fromPages,
  header: string,
  read: (value: string | null) => Value,
): Probe<Value> {
  return async ({ ask }) => {
    const response = await ask(fromPages[name]);
    const isReadable = response.headers.has('access-control-allow-origin');
    need(isReadable, 'a response that a page of another origin may read: the service gave none');
    return read(response.headers.get(`access-control-${header}`));
  };
}

function lowerNames(header: string | null): string[] {
  return namesIn(header).map((name) => name.toLowerCase());
}

/** Probes of HTTP itself, and of what pages of other origins may do. */
export const httpProbes = {
  async 'http.json-type'({ ask }) {
    return ((await ask(recordedList)).headers.get('content-type') ?? '').toLowerCase();
  },
  'http.headers': commonHeaders,
  async 'http.head'(context) {
    const response = await readRecorded(context, { method: 'HEAD' });
    // A response to HEAD has no body.
    return isSuccess(response) ? 'as-get' : { status: requireRefusal(response).status };
  },
  'http.options': responseToOptions,
  'http.preflight': responseToPreflight,
  async 'http.etag'(context) {
    const tag = (await readRecorded(context)).headers.get('etag');
    if (tag === null) return 'absent';
    const { status } = await readRecorded(context, { headers: { 'if-none-match': tag } });
    return status === 304 ? 'conditional' : 'present';
  },
  'http.etag-of': etagOf,
  async 'http.allow'(context) {
    const { id } = await context.ask(anyStream);
    const path = `${streamPath(id)}/sessions`;
    const method = context.readOnly ? 'OPTIONS' : 'POST';
    const response = await context.send({ method, path, body: { name: 'learn' } });
    if (method === 'POST') requireRefusal(response);
    return response.headers.has('allow') ? 'present' : 'absent';
  },
  async 'auth.challenge'(context) {
    const { status, headers } = await readRecorded(context, { credential: 'none' });
    need(status === 401, 'a refusal with status 401: the service gave none');
    return headers.has('www-authenticate') ? 'present' : 'absent';
  },
  'cors.origins': origins,
  'cors.credentials': corsHeader('requests', 'allow-credentials', (value) =>
    value === 'true' ? 'allowed' : 'not-allowed',
  ),
  'cors.without-origin': withoutOrigin,
  'cors.exposed-headers': corsHeader('requests', 'expose-headers', lowerNames),
  'cors.allowed-headers': corsHeader('preflights', 'allow-headers', (header) => {
    const names = lowerNames(header);
    return requestedHeaders.every((name) => names.includes(name)) ? 'asked' : names;
  }),
  'cors.allowed-methods': allowedMethods,
  'cors.max-age': corsHeader('preflights', 'max-age', secondsIn),
} satisfies Partial<Probes>;
