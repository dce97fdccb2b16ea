import type { JsonObject } from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import type { ListBehaviours } from '../../../../interface/silent-lists.ts';
import { spareSession } from '../../questions/known-sessions.ts';
import type { Question } from '../../questions/probe.ts';
import { followPages, lookAtStreams, queriesForNew } from '../../questions/show-stream.ts';
import { newStream } from '../../questions/streams.ts';

type AmongStreams = ListBehaviours['list.sessions-among-streams'];

/** Whether the list of all streams shows sessions: only a page that would show a known one tells. */
export const sessionsAmongStreams: Question<AmongStreams> = async (context) => {
  // A new one, as a short page shows nothing older.
  const { streamId } = await spareSession(context);
  // A list may begin or end with the stream of the session: with a later stream, it does not end there.
  await newStream(context);
  const look = (listed: readonly JsonObject[]): AmongStreams | undefined => {
    if (listed.some(({ parentId }) => typeof parentId === 'string')) return 'both';
    const place = listed.findIndex(({ id }) => id === streamId);
    return place >= 0 && place < listed.length - 1 ? 'streams' : undefined;
  };
  const shown =
    (await lookAtStreams(context, queriesForNew, look)) ??
    (await followPages(context, '', look)).found;
  if (shown !== undefined) return shown;
  throw new Blocked('a page of GET /stream with a stream that had a session: none showed it');
};
