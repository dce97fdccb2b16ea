import type { Exchange } from '../model/report.ts';
import { exchangesOf, rememberExchanges } from '../target/evidence.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { expectStatus, type JsonObject, readObjects } from '../target/expectations.ts';
import {
  type Caller,
  operations,
  precondition,
  recordedPath,
  streamPath,
} from '../target/operations.ts';
import { until } from '../target/until.ts';

const mostPages = 50;
/** Bytes of all pages, after which no further one is read. */
const mostBytes = 2 * 1024 * 1024;
/** Checks compare every session with every other. */
const mostSessions = 1_000;

/** Expects a list of sessions (interface 4.3). */
export function readList(response: TargetResponse): JsonObject[] {
  expectStatus(response, 200, operations.list);
  return readObjects(response);
}

/**
 * Reads the recorded sessions of a stream, page by page; of very many, the first.
 * @throws Blocked when there is no list
 */
export async function listRecorded(call: Caller, id: string): Promise<readonly JsonObject[]> {
  const sessions: JsonObject[] = [];
  const exchanges: Exchange[] = [];
  let path: string | undefined = recordedPath(id);
  let bytes = 0;
  for (let page = 0; path !== undefined && page < mostPages; page++) {
    if (sessions.length >= mostSessions || bytes > mostBytes) break;
    const response: TargetResponse = await call({ method: 'GET', path });
    const listed = precondition('listing recorded sessions', 'LIST-1 and LIST-16', () =>
      readList(response),
    );
    bytes += response.bytes.length;
    const origin = exchangesOf([response]);
    exchanges.push(...origin);
    for (const session of listed.slice(0, mostSessions - sessions.length)) {
      sessions.push(rememberExchanges(session, origin));
    }
    path = nextPage(response, id);
  }
  return rememberExchanges(sessions, exchanges);
}

/** A `Link` to a further page is followed below the same path only, for the key goes with it. */
function nextPage({ headers }: TargetResponse, id: string): string | undefined {
  const link = nextIn(headers.get('link') ?? '');
  if (link === undefined) return undefined;
  const query = link.includes('?') ? link.slice(link.indexOf('?')) : '';
  return query === '' ? undefined : `${streamPath(id)}/sessions${query}`;
}

/** The address of the next page in a `Link` header (RFC 8288). */
function nextIn(header: string): string | undefined {
  const links = header.matchAll(/<([^<>]*)>((?:[^,"]|"[^"]*")*)/g);
  const [next] = [...links].filter(([, , parameters = '']) => relNext.test(parameters));
  return next?.[1];
}

const relNext = /;\s*rel\s*=\s*(next\b|"(?:[^"]*\s)?next[\s"])/i;

/**
 * A header by which a list says that it goes on in a way that the suite cannot follow: how it does is
 * left open (interface 8).
 */
export function wayOn(listed: readonly JsonObject[]): string | undefined {
  const headers = exchangesOf([listed]).at(-1)?.headers ?? {};
  const meaningless = ['', '0', 'false', 'null', String(listed.length)];
  const header = Object.entries(headers).find(([name, value]) =>
    name === 'link'
      ? nextIn(value) !== undefined
      : furtherPages.test(name) && !meaningless.includes(value),
  );
  return header?.join(': ');
}

const furtherPages = /(^|-)(next|cursor|continuation|more|total|count|pages?|range)(-|$)/;

/** Waits until the list of a stream is as it is looked for; resolves to the last list. */
export async function listUntil(
  call: Caller,
  id: string,
  patience: number,
  isSo: (listed: readonly JsonObject[]) => boolean,
): Promise<readonly JsonObject[]> {
  let listed: readonly JsonObject[] = [];
  await until(patience, async () => {
    listed = await listRecorded(call, id);
    return isSo(listed) || undefined;
  });
  return listed;
}

/** Waits until a stream lists a session that is ready; resolves to the last list. */
export function listUntilReady(
  call: Caller,
  id: string,
  patience: number,
): Promise<readonly JsonObject[]> {
  return listUntil(call, id, patience, (listed) => listed.some(isReady));
}

/** Whether a session's recording is said to be available (interface 3). */
export function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}
