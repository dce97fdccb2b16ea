import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { unknownPath } from '../../../conformance/target/gate.ts';
import { get, recordedSessionsPath, streamPath } from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { Refusal } from '../../../interface/cells.ts';
import type { Behaviours } from '../../../interface/silent.ts';
import { textOf } from '../../json.ts';
import { type Asking, type Question, Unsayable } from '../asking/asking.ts';
import { anyStream } from '../asking/streams.ts';
import { readRefusal, refusalIn } from '../cells/outcome.ts';
import { send } from '../cells/probe.ts';
import { each } from './each.ts';

type Rows = Pick<
  Behaviours,
  'http.head' | 'http.options' | 'http.etag' | 'http.allow' | 'http.retry-after' | 'auth.challenge'
>;

/** Reads the recorded sessions of a stream, an operation that every service has. */
export async function readList(asking: Asking, more: Partial<Call> = {}): Promise<TargetResponse> {
  const { id } = await asking.ask(anyStream);
  return asking.send({ ...get(recordedSessionsPath(textOf(id))), ...more });
}

function optionsOf(response: TargetResponse): 'ok' | 'no-content' | Refusal {
  if (response.status === 200) return 'ok';
  return response.status === 204 ? 'no-content' : readRefusal(response);
}

/** A whole number of seconds in a header. */
export function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new Unsayable('expected a whole number of seconds, got something else');
}

/** Probes of HTTP beside the operations. */
export const httpProbes: { readonly [Id in keyof Rows]: Question<Partial<Rows[Id]> | Rows[Id]> } = {
  async 'http.head'(asking) {
    const response = await readList(asking, { method: 'HEAD' });
    // A response to HEAD has no body.
    return isSuccess(response) ? 'as-get' : { status: readRefusal(response).status };
  },
  'http.options': each<Rows['http.options']>({
    known: async (asking) => optionsOf(await readList(asking, { method: 'OPTIONS' })),
    unknown: async ({ send: ask }) =>
      optionsOf(await ask({ method: 'OPTIONS', path: unknownPath })),
  }),
  async 'http.etag'(asking) {
    const tag = (await readList(asking)).headers.get('etag');
    if (tag === null) return 'absent';
    const { status } = await readList(asking, { headers: { 'if-none-match': tag } });
    return status === 304 ? 'conditional' : 'present';
  },
  async 'http.allow'(asking) {
    const { id } = await asking.ask(anyStream);
    const path = `${streamPath(id)}/sessions`;
    const method = asking.readOnly ? 'OPTIONS' : 'PUT';
    const response = await asking.send({ method, path, body: { name: 'learn' } });
    if (method === 'PUT') readRefusal(response);
    return response.headers.has('allow') ? 'present' : 'absent';
  },
  async 'http.retry-after'(asking) {
    const { response } = await send(asking, 'setRecord', [{ state: 'live' }]);
    if (refusalIn(response) === undefined) {
      throw new Blocked('a refused switch of a live stream: it was accepted');
    }
    return secondsIn(response.headers.get('retry-after'));
  },
  async 'auth.challenge'(asking) {
    const { status, headers } = await readList(asking, { credential: 'none' });
    if (status === 401) return headers.has('www-authenticate') ? 'present' : 'absent';
    throw new Blocked('a refusal with status 401: the service gave none');
  },
};
