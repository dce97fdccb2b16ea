import type { JsonObject } from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import type { ListBehaviours } from '../../../../interface/silent-lists.ts';
import { spareSession } from '../../questions/known-sessions.ts';
import type { Question } from '../../questions/probe.ts';
import { followPages, lookAtStreams, queriesForNew } from '../../questions/search-streams.ts';
import { betweenStreams, newStream } from '../../questions/streams.ts';

type AmongStreams = ListBehaviours['list.sessions-among-streams'];

/**
 * Whether the list of all streams shows sessions. Only a page tells that would show a known one: with
 * its stream, and with a later stream.
 */
export const sessionsAmongStreams: Question<AmongStreams> = async (context) => {
  // A new one, as a short page shows nothing older.
  const { streamId } = await spareSession(context);
  await context.pause(betweenStreams);
  const later = await newStream(context);
  const look = (listed: readonly JsonObject[]): AmongStreams | undefined => {
    if (listed.some(({ parentId }) => typeof parentId === 'string')) return 'both';
    const isAround = [streamId, later.id].every((id) => listed.some((one) => one['id'] === id));
    return isAround ? 'streams' : undefined;
  };
  const shown =
    (await lookAtStreams(context, queriesForNew, look)) ??
    (await followPages(context, '', look)).found;
  if (shown !== undefined) return shown;
  throw new Blocked('a page of GET /stream that would show a known session: none was found');
};
