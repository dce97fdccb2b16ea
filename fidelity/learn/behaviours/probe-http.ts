import { definitionOf, type NamedBehaviour } from '../../../interface/dialect/behaviours.ts';
import type { TargetCall } from '../../../target/requests/call.ts';
import type { TargetResponse } from '../../../target/requests/exchange.ts';
import { isSuccess } from '../../../target/requests/read-response.ts';
import { unknownPath } from '../../../target/requests/well-known.ts';
import { get, recordedSessionsPath, streamPath } from '../../../target/streams/stream-requests.ts';
import { namesIn } from '../../headers.ts';
import { textOf } from '../../json-shapes.ts';
import { requireRefusal } from '../cells/observed-refusals.ts';
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
    if (response.status === 200) return listsMethods.test(response.text) ? 'methods' : 'ok';
    return response.status === 204 ? 'no-content' : requireRefusal(response);
  };
}

/** A whole number of seconds in a header. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new Inexpressible('expected a whole number of seconds, got something else');
}

/** The headers that a list, a refusal and another success have in common: every response has these. */
const commonHeaders: Probe<Record<string, string>> = async (context) => {
  const responses = [await context.ask(recordedList), await context.send(get(unknownPath))];
  if (!context.readOnly) responses.push((await acceptedOf('createStream')(context)).response);
  const { values } = definitionOf('http.headers');
  const [first, ...laterResponses] = responses;
  const shared = [...(first?.headers ?? [])].filter(
    ([name]) =>
      laterResponses.every((response) => response.headers.has(name)) &&
      values.safeParse({ [name]: '' }).success,
  );
  return Object.fromEntries(
    shared.map(([name, value]) => {
      const isSame = laterResponses.every(({ headers }) => headers.get(name) === value);
      return [name, isSame && isPlain(value) ? value : 'text'];
    }),
  );
};

/** Whether a header's value is harmless: no id, address, date or version. */
function isPlain(value: string): boolean {
  return /^[a-z][\w ,;=-]{0,100}$/i.test(value) && !/\d{3}|\d[a-f]\d/i.test(value);
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
  async 'http.etag'(context) {
    const tag = (await readRecorded(context)).headers.get('etag');
    if (tag === null) return 'absent';
    const { status } = await readRecorded(context, { headers: { 'if-none-match': tag } });
    return status === 304 ? 'conditional' : 'present';
  },
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
  'cors.exposed-headers': corsHeader('requests', 'expose-headers', lowerNames),
  'cors.allowed-headers': corsHeader('preflights', 'allow-headers', (header) => {
    const names = lowerNames(header);
    return requestedHeaders.every((name) => names.includes(name)) ? 'asked' : names;
  }),
  'cors.allowed-methods': allowedMethods,
  'cors.max-age': corsHeader('preflights', 'max-age', secondsIn),
} satisfies Partial<Probes>;
