import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, post } from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import { ladders } from '../../../interface/limit-ladders.ts';
import { bodyTypes, type HttpBehaviours } from '../../../interface/silent-http.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { namesIn } from '../../names-in-header.ts';
import { otherScheme, unknownPath } from '../questions/inputs.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
  readWord,
  refuseAlike,
} from '../questions/probe.ts';
import { plainInput, recordedList } from '../questions/streams.ts';
import { upperLimit } from './limits.ts';
import { liveSwitch } from './refusals.ts';

/** Reads the recorded sessions of a stream, an operation that every service has. */
async function read(context: ProbeContext, more: Partial<Call> = {}): Promise<TargetResponse> {
  return context.send({ ...get(await context.ask(recordedList)), ...more });
}

/** Reads them at another path. */
async function readAt(
  context: ProbeContext,
  change: (path: string) => string,
): Promise<TargetResponse> {
  const [path = '', query] = (await context.ask(recordedList)).split('?');
  return context.send(get(`${change(path)}?${query}`));
}

/** Whether another path is as good as that of the list; if not, it is unknown. */
async function isSamePath(
  context: ProbeContext,
  change: (path: string) => string,
): Promise<boolean> {
  const response = await readAt(context, change);
  if (isSuccess(response)) return true;
  if (refuseAlike(response, await context.send(get(unknownPath)))) return false;
  throw new Inexpressible(
    `expected a success, or the refusal of an unknown path, got ${response.status}`,
  );
}

const tryBodySize = async (context: ProbeContext, size: number): Promise<'accepted' | Refusal> => {
  const text = JSON.stringify(plainInput).padEnd(size, ' ');
  return readWord(await context.send(post('/stream', text)), 'accepted');
};

const createAs =
  (type: string | undefined): Question<'taken' | Refusal> =>
  async ({ send }) => {
    const headers = type === undefined ? { untyped: true } : { headers: { 'content-type': type } };
    return readWord(await send({ ...post('/stream', plainInput), ...headers }), 'taken');
  };

const etag: Question<'absent' | 'present' | 'conditional'> = async (context) => {
  const tag = (await read(context)).headers.get('etag');
  if (tag === null) return 'absent';
  const { status } = await read(context, { headers: { 'if-none-match': tag } });
  return status === 304 ? 'conditional' : 'present';
};

/** The header of the first refusal with status 401 of several. */
const challenge: Question<'absent' | 'present'> = async (context) => {
  const wrong: Partial<Call>[] = [
    { credential: 'none' },
    { credential: 'wrong' },
    { headers: otherScheme },
  ];
  for (const more of wrong) {
    const { status, headers } = await read(context, more);
    if (status === 401) return headers.has('www-authenticate') ? 'present' : 'absent';
  }
  throw new Blocked('a refusal with status 401: the service gave none');
};

const crossOrigin: Question<TargetResponse> = (context) =>
  read(context, { headers: { origin: context.origin } });

const preflight: Question<TargetResponse> = async (context) =>
  read(context, {
    method: 'OPTIONS',
    credential: 'none',
    headers: {
      origin: context.origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': askedHeaders.join(','),
    },
  });

const askedHeaders = ['authorization', 'content-type', 'x-nobody-knows'];

const corsRequests: Question<HttpBehaviours['cors.requests']> = async ({ ask, origin }) => {
  const response = await ask(crossOrigin);
  if (!isSuccess(response)) return readRefusal(response);
  const allowed = response.headers.get('access-control-allow-origin');
  if (allowed === null) return 'none';
  if (allowed === '*') return 'any';
  if (allowed === origin) return 'echo';
  throw new Inexpressible('expected no allowed origin, * or that of the request, got another');
};

/** A header that only responses with CORS have. @throws Blocked where a page may read none */
function corsHeader({ headers }: TargetResponse, name: string): string | null {
  if (headers.has('access-control-allow-origin')) return headers.get(name);
  throw new Blocked('a response that a page of another origin may read: the service gave none');
}

/** A whole number of seconds in a header. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new Inexpressible('expected a whole number of seconds, got something else');
}

/** Probes of HTTP beside the operations. */
export const httpProbes: ProbesFor<HttpBehaviours> = {
  'http.body-size': (context) =>
    upperLimit({ ladder: ladders.body, expected: context.expected('http.body-size') }, (size) =>
      tryBodySize(context, size),
    ),
  ...probesFor('http.body-type', ['text', 'form', 'vendor', 'none'] as const, (name) =>
    createAs(bodyTypes[name]),
  ),
  async 'http.json-type'(context) {
    const type = (await read(context)).headers.get('content-type') ?? '';
    return type.toLowerCase();
  },
  async 'http.head'(context) {
    const response = await read(context, { method: 'HEAD' });
    // A response to HEAD has no body.
    return isSuccess(response) ? 'as-get' : { status: readRefusal(response).status };
  },
  async 'http.options'(context) {
    const response = await read(context, { method: 'OPTIONS' });
    if (response.status === 200) return 'ok';
    return response.status === 204 ? 'no-content' : readRefusal(response);
  },
  async 'http.options-unknown-route'(context) {
    const known = await read(context, { method: 'OPTIONS' });
    const response = await context.send({ method: 'OPTIONS', path: unknownPath });
    return refuseAlike(response, known) ? 'as-known' : readWord(response, 'as-known');
  },
  'http.trailing-slash': async (context) =>
    (await isSamePath(context, (path) => `${path}/`)) ? 'ignored' : 'unknown-route',
  'http.route-case': async (context) =>
    (await isSamePath(context, (path) => path.replace('/stream/', '/Stream/'))) ? 'any' : 'exact',
  'http.etag': etag,
  async 'http.allow'({ send }) {
    const response = await send({ method: 'PUT', path: '/stream', body: {} });
    readRefusal(response);
    return response.headers.has('allow') ? 'present' : 'absent';
  },
  async 'http.retry-after'({ ask }) {
    const response = await ask(liveSwitch);
    if (isSuccess(response)) {
      throw new Blocked('a refused switch of a live stream: it was accepted');
    }
    return secondsIn(response.headers.get('retry-after'));
  },
  'auth.challenge': challenge,
  async 'auth.scheme-case'(context) {
    const authorization = `bearer ${context.target.apiKey}`;
    const response = await read(context, { headers: { authorization } });
    if (isSuccess(response)) return 'any';
    readRefusal(response);
    return 'exact';
  },
  'cors.requests': corsRequests,
  'cors.exposed-headers': async ({ ask }) =>
    namesIn(corsHeader(await ask(crossOrigin), 'access-control-expose-headers')).map((name) =>
      name.toLowerCase(),
    ),
  async 'cors.allowed-headers'({ ask }) {
    const header = corsHeader(await ask(preflight), 'access-control-allow-headers');
    const names = namesIn(header).map((name) => name.toLowerCase());
    return askedHeaders.every((name) => names.includes(name)) ? 'asked' : names;
  },
  async 'cors.allowed-methods'({ ask }) {
    const header = corsHeader(await ask(preflight), 'access-control-allow-methods');
    return namesIn(header) as unknown as HttpBehaviours['cors.allowed-methods'];
  },
  'cors.max-age': async ({ ask }) =>
    secondsIn(corsHeader(await ask(preflight), 'access-control-max-age')),
};
