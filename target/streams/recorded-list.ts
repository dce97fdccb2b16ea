import { show } from '../../text/phrases.ts';
import type { Evidence } from '../requests/evidence.ts';
import type { TargetResponse } from '../requests/exchange.ts';
import { expectStatus } from '../requests/expectations.ts';
import { Blocked, exchangesOf, rememberExchanges } from '../requests/failure.ts';
import { type JsonObject, readObjects } from '../requests/read-response.ts';
import { nextLink, pagesOf } from './next-page.ts';
import { type Caller, recordedSessionsPath, statedOperations } from './stream-requests.ts';

/** Maximum number of sessions to read, as checks compare every session with every other. */
const maxSessionsRead = 1_000;

/** Expects a list of sessions (interface 4.3). */
export function readList(response: TargetResponse): JsonObject[] {
  expectStatus(response, 200, statedOperations.list);
  return readObjects(response);
}

/**
 * Reads the recorded sessions of a stream, page by page, up to the first 1,000.
 * @throws CheckFailure if the target does not send a list.
 */
export async function listRecorded(call: Caller, id: string): Promise<readonly JsonObject[]> {
  const sessions: JsonObject[] = [];
  const exchanges: Evidence[] = [];
  const isEnough = (): boolean => sessions.length >= maxSessionsRead;
  for await (const page of pagesOf(call, recordedSessionsPath(id), isEnough)) {
    const pageSessions = readList(page);
    const origin = exchangesOf([page]);
    exchanges.push(...origin);
    for (const session of pageSessions.slice(0, maxSessionsRead - sessions.length)) {
      sessions.push(rememberExchanges(session, origin));
    }
  }
  return rememberExchanges(sessions, exchanges);
}

/** A header that says that the list continues in a way that the suite cannot follow: the interface leaves paging open (8). */
export function unfollowedPaging(sessions: readonly JsonObject[]): string | undefined {
  const headers = exchangesOf([sessions]).at(-1)?.headers ?? {};
  const meaningless = ['', '0', 'false', 'null', String(sessions.length)];
  const header = Object.entries(headers).find(([name, value]) =>
    name === 'link'
      ? nextLink(value) !== undefined
      : furtherPages.test(name) && !meaningless.includes(value),
  );
  return header?.join(': ');
}

const furtherPages = /(^|-)(next|cursor|continuation|more|total|count|pages?|range)(-|$)/;

/** Whether a session says that its recording is available (interface 3). */
export function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}

/** The first session that is ready. @throws Blocked if there is none. */
export function pickReady(sessions: readonly JsonObject[]): JsonObject {
  return sessions.find(isReady) ?? blockUnready(sessions);
}

/** Blocks a check that needs a recording, as none became ready in time. @throws Blocked always. */
export function blockUnready(sessions: readonly JsonObject[]): never {
  expectListed(sessions);
  const values = new Set(sessions.map((session) => show(session['recordingStatus'])));
  throw new Blocked(
    `needs a recorded session: none became ready in time; recordingStatus was ${[...values].join(', ')}; it is "ready" once the recording is available; if the target needs longer, raise --patience; see LIST-8 and LIST-18`,
  );
}

/** Expects that sessions were listed. @throws Blocked if none was. */
export function expectListed(sessions: readonly JsonObject[]): void {
  if (sessions.length > 0) return;
  throw new Blocked(
    'needs a recorded session: none was listed in time; if the target needs longer, raise --patience; see RECORD-5',
  );
}

/** Whether a list has a session with the same id. */
export function isIn(session: JsonObject, sessions: readonly JsonObject[]): boolean {
  return sessions.some(({ id }) => id === session['id']);
}
