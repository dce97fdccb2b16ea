import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import type { Behaviours, Origins } from '../../../interface/silent.ts';
import { namesIn } from '../../names-in-header.ts';
import { type Asking, type Question, Unsayable } from '../asking/asking.ts';
import { readRefusal } from '../cells/outcome.ts';
import { each } from './each.ts';
import { readList, secondsIn } from './http.ts';

type Rows = Pick<
  Behaviours,
  | 'cors.origins'
  | 'cors.exposed-headers'
  | 'cors.allowed-headers'
  | 'cors.allowed-methods'
  | 'cors.max-age'
>;

const askedHeaders = ['authorization', 'content-type', 'x-nobody-knows'];

const request: Question<TargetResponse> = (asking) =>
  readList(asking, { headers: { origin: asking.origin } });

const preflight: Question<TargetResponse> = (asking) =>
  readList(asking, {
    method: 'OPTIONS',
    credential: 'none',
    headers: {
      origin: asking.origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': askedHeaders.join(','),
    },
  });

function origins(question: Question<TargetResponse>): Question<Origins> {
  return async ({ ask, origin }) => {
    const response = await ask(question);
    if (!isSuccess(response)) return readRefusal(response);
    const allowed = response.headers.get('access-control-allow-origin');
    if (allowed === null) return 'none';
    if (allowed === '*') return 'any';
    if (allowed === origin) return 'echo';
    throw new Unsayable('expected no allowed origin, * or that of the request, got another');
  };
}

/** A header that only responses with CORS have. @throws Blocked where a page may read none */
async function header(
  { ask }: Asking,
  question: Question<TargetResponse>,
  name: string,
): Promise<string | null> {
  const { headers } = await ask(question);
  if (headers.has('access-control-allow-origin')) return headers.get(name);
  throw new Blocked('a response that a page of another origin may read: the service gave none');
}

/** Probes of what pages of other origins may do. */
export const corsProbes: { readonly [Id in keyof Rows]: Question<Partial<Rows[Id]> | Rows[Id]> } = {
  'cors.origins': each<Rows['cors.origins']>({
    requests: origins(request),
    preflights: origins(preflight),
  }),
  'cors.exposed-headers': async (asking) =>
    namesIn(await header(asking, request, 'access-control-expose-headers')).map((name) =>
      name.toLowerCase(),
    ),
  async 'cors.allowed-headers'(asking) {
    const names = namesIn(await header(asking, preflight, 'access-control-allow-headers')).map(
      (name) => name.toLowerCase(),
    );
    return askedHeaders.every((name) => names.includes(name)) ? 'asked' : names;
  },
  'cors.allowed-methods': async (asking) =>
    namesIn(await header(asking, preflight, 'access-control-allow-methods')),
  'cors.max-age': async (asking) =>
    secondsIn(await header(asking, preflight, 'access-control-max-age')),
};
