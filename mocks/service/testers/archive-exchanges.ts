import { byAge } from '../../../fixtures/world-records.ts';
import { redact } from '../../../text/redact.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { ArchivedWorld, HttpArchive } from '../../journal/har.ts';
import { recordsOf } from '../../state/ordered.ts';
import type { OpenWorld, StreamWithSessions } from '../world.ts';
import { archivedStream } from '../world-events.ts';

/** Exchanges of a world as an HTTP archive (HAR). */
export async function archiveExchanges(
  world: OpenWorld,
  exchanges: readonly Exchange[] = world.journal.exchanges(),
): Promise<HttpArchive> {
  const { toHttpArchive } = await import('../../journal/har.ts');
  return toHttpArchive(exchanges, archivedWorld(world, exchanges));
}

/**
 * What an archive of exchanges says about their world: which streams and sessions it had before the first of
 * them, and what testers did. Streams that no exchange names are left out.
 */
function archivedWorld(world: OpenWorld, exchanges: readonly Exchange[]): ArchivedWorld {
  const { journal, settings, apiKey } = world;
  const actions = [...journal.actions()];
  const createdStreams = new Set([
    ...exchanges.flatMap((exchange) => createdBy(exchange) ?? []),
    ...actions.map((action) => (action.kind === 'created' ? action.stream.id : '')),
  ]);
  const startedSessions = new Set(
    actions.map((action) => (action.kind === 'live' ? action.sessionId : '')),
  );
  const mentionedIds: ReadonlySet<string> = new Set(JSON.stringify(exchanges).match(/[\w-]{8,}/g));
  const before = streamsBefore(world)
    .map(({ stream, sessions }) => {
      return { stream, sessions: sessions.filter(({ id }) => !startedSessions.has(id)) };
    })
    .filter(({ stream, sessions }) => {
      const ids = [stream.playbackId, ...[stream, ...sessions].map(({ id }) => id)];
      return !createdStreams.has(stream.id) && ids.some((id) => mentionedIds.has(id));
    });
  const archive: ArchivedWorld = {
    version: 1,
    world: typeof settings.world === 'string' ? settings.world : 'exported',
    streams: before.map(({ stream }) => archivedStream(stream)),
    sessions: before
      .flatMap(({ sessions }) => sessions)
      .toSorted(byAge)
      .flatMap(({ id, parentId, record, duration }) => {
        return duration === undefined ? [] : [{ id, parentId, record, duration }];
      }),
    arranged: actions,
  };
  return redact(archive, [apiKey, ...(settings.apiKeys ?? [])]);
}

/** The streams before they were changed, oldest first, and those that were deleted. */
function streamsBefore({ state, originals }: OpenWorld): StreamWithSessions[] {
  const streams = new Map(originals);
  for (const stream of recordsOf(state.records.streams)) {
    const sessions = recordsOf(state.records.sessionsOf(stream.id));
    streams.set(stream.id, { stream: originals.get(stream.id)?.stream ?? stream, sessions });
  }
  return [...streams.values()].toSorted((left, right) => byAge(left.stream, right.stream));
}

/** The id of the stream that a request created. */
function createdBy({ operation, response }: Exchange): string | undefined {
  if (operation !== 'createStream' || response.status !== 201) return undefined;
  return /"id":"([^"]+)"/.exec(response.body ?? '')?.[1];
}
