import type { Exchange } from '../model/report.ts';
import { exchangesOf, rememberExchanges } from '../target/evidence.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { expectStatus, type JsonObject, readObjects } from '../target/expectations.ts';
import { Blocked, CheckFailure } from '../target/failure.ts';
import { nextLink } from '../target/next-page.ts';
import {
  type Caller,
  get,
  operations,
  recordedSessionsPath,
  streamPath,
} from '../target/operations.ts';
import { until } from '../target/until.ts';

const mostPages = 50;
/** Bytes of all pages together, after which no further page is read. */
const mostBytes = 2 * 1024 * 1024;
/** Bounded, as checks compare every session with every other. */
const mostSessions = 1_000;

/** Expects a list of sessions (interface 4.3). */
export function readList(response: TargetResponse): JsonObject[] {
  expectStatus(response, 200, operations.list);
  return readObjects(response);
}

/** Ends a check that needs a list. Its cause is the failure of those that judge lists. */
class UnreadableList extends Blocked {}

function readOrBlock(response: TargetResponse): JsonObject[] {
  try {
    return readList(response);
  } catch (cause) {
    if (!(cause instanceof CheckFailure)) throw cause;
    const message = `listing recorded sessions: ${cause.message}; see LIST-1, LIST-16 and LIST-17`;
    throw new UnreadableList(message, { cause });
  }
}

/** Waits for what is read from lists. @throws CheckFailure for a list that blocks other checks */
export async function expectReadable<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof UnreadableList ? error.cause : error;
  }
}

/**
 * Reads the recorded sessions of a stream, page by page, up to the first 1,000.
 * @throws UnreadableList if the target sends no list
 */
export async function listRecorded(call: Caller, id: string): Promise<readonly JsonObject[]> {
  const sessions: JsonObject[] = [];
  const exchanges: Exchange[] = [];
  let path: string | undefined = recordedSessionsPath(id);
  let bytes = 0;
  for (let page = 0; path !== undefined && page < mostPages; page++) {
    if (sessions.length >= mostSessions || bytes > mostBytes) break;
    const response: TargetResponse = await call(get(path));
    const listed = readOrBlock(response);
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

/** Of a `Link` only the query is used: the key goes along, and must not leave its path. */
function nextPage({ headers }: TargetResponse, id: string): string | undefined {
  const link = nextLink(headers.get('link'));
  if (link === undefined) return undefined;
  const query = link.includes('?') ? link.slice(link.indexOf('?')) : '';
  return query === '' ? undefined : `${streamPath(id)}/sessions${query}`;
}

/**
 * A header that says that the list goes on in a way the suite cannot follow, as the interface leaves
 * paging open (8).
 */
export function unfollowedPaging(listed: readonly JsonObject[]): string | undefined {
  const headers = exchangesOf([listed]).at(-1)?.headers ?? {};
  const meaningless = ['', '0', 'false', 'null', String(listed.length)];
  const header = Object.entries(headers).find(([name, value]) =>
    name === 'link'
      ? nextLink(value) !== undefined
      : furtherPages.test(name) && !meaningless.includes(value),
  );
  return header?.join(': ');
}

const furtherPages = /(^|-)(next|cursor|continuation|more|total|count|pages?|range)(-|$)/;

/** Lists a stream until `isEnough` or the time is over; resolves to the last list. */
export async function listUntil(
  call: Caller,
  id: string,
  patience: number,
  isEnough: (listed: readonly JsonObject[]) => boolean,
): Promise<readonly JsonObject[]> {
  let listed: readonly JsonObject[] = [];
  await until(patience, async () => {
    listed = await listRecorded(call, id);
    return isEnough(listed) || undefined;
  });
  return listed;
}

/** Whether a session says that its recording is available (interface 3). */
export function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}
