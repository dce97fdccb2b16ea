import type { TargetResponse } from '../../../../conformance/target/exchange.ts';
import {
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import { get, recordedSessionsPath } from '../../../../conformance/target/operations.ts';
import { textOf } from '../../../json.ts';
import { nextToldBy } from '../../../next-page.ts';
import { severalSessions } from '../../questions/known-sessions.ts';
import {
  Inexpressible,
  type ProbeContext,
  type Question,
  showsJson,
} from '../../questions/probe.ts';
import { severalStreams } from '../../questions/streams.ts';

/** A list of several records, oldest first, and where it is. */
export interface KnownList {
  /** With its query, so that a further parameter can follow. */
  readonly path: string;
  readonly ids: readonly string[];
}

/** Whether a page lacks one of the records of a list. */
export function isShort({ ids }: KnownList, listed: readonly JsonObject[]): boolean {
  const shown = new Set(listed.map(({ id }) => id));
  return ids.some((id) => !shown.has(id));
}

export const streamList: Question<KnownList> = async (context) => ({
  path: '/stream?',
  ids: context.readOnly ? await shownStreams(context) : await context.ask(severalStreams),
});

/** The streams on the first page, where none may be made. */
async function shownStreams(context: ProbeContext): Promise<string[]> {
  const { listed } = await firstPage(context, { path: '/stream', ids: [] });
  return listed.map(({ id }) => textOf(id));
}

/** The recorded sessions of a stream, which are all on the first page or on pages after it. */
export const sessionList: Question<KnownList> = async (context) => {
  const { streamId, recorded } = await context.ask(severalSessions);
  const list = { path: recordedSessionsPath(streamId), ids: recorded };
  const { response, listed } = await firstPage(context, list);
  if (listed.length >= recorded.length || nextToldBy(response) !== 'not') return list;
  throw new Inexpressible('expected every recorded session, or a next page, got neither');
};

/** The list of streams, or that of sessions where the service has no other. */
export const anyList: Question<KnownList> = async (context) => {
  const streams = await context.send(get('/stream'));
  return context.ask(showsJson(streams) ? streamList : sessionList);
};

/** The first page of a list. @throws Blocked where it is refused */
export async function firstPage(
  context: ProbeContext,
  { path }: KnownList,
  query = '',
): Promise<{ response: TargetResponse; listed: JsonObject[] }> {
  const response = await context.send(get(`${path}${query}`));
  if (!isSuccess(response)) throw new Blocked(`a list: it got status ${response.status}`);
  return { response, listed: readObjects(response) };
}
