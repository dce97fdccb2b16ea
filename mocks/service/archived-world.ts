import { byAge } from '../../fixtures/world-records.ts';
import type { StreamRecord } from '../../interface/types.ts';
import type { Exchange } from '../journal/exchange.ts';
import { hideSecrets } from '../journal/hide-secrets.ts';
import type { ArchivedStream, ArchivedWorld } from '../journal/world-archive.ts';
import { recordsOf } from '../state/ordered.ts';
import type { WorldState } from './world.ts';

/** A stream, as an archive describes it. */
export function archivedStream(stream: StreamRecord): ArchivedStream {
  const { id, playbackId, name, profiles, record } = stream;
  return { id, playbackId, name, profiles, record };
}

/**
 * What an archive of exchanges says about their world: which streams and sessions it had before the first of
 * them, and what testers did. Streams that no exchange names are left out.
 */
export function archivedWorld(world: WorldState, exchanges: readonly Exchange[]): ArchivedWorld {
  const { journal, settings, state, moments, apiKey } = world;
  const actions = [...journal.actions()];
  const created = new Set([
    ...exchanges.flatMap((exchange) => createdBy(exchange) ?? []),
    ...actions.map((action) => (action.kind === 'created' ? action.stream.id : '')),
  ]);
  const begun = new Set(actions.map((action) => (action.kind === 'live' ? action.sessionId : '')));
  const words: ReadonlySet<string> = new Set(JSON.stringify(exchanges).match(/[\w-]{8,}/g));
  const sessionsOf = ({ id }: StreamRecord) =>
    recordsOf(state.records.sessionsOf(id)).filter((session) => !begun.has(session.id));
  const idsOf = (stream: StreamRecord): string[] =>
    [stream, ...sessionsOf(stream)].map(({ id }) => id).concat(stream.playbackId);
  const before = recordsOf(state.records.streams).filter(
    (stream) => !created.has(stream.id) && idsOf(stream).some((id) => words.has(id)),
  );
  const archive: ArchivedWorld = {
    version: 1,
    world: typeof settings.world === 'string' ? settings.world : 'exported',
    streams: before.map((stream) => {
      const first = moments.find((one) => one.kind === 'recording' && one.streamId === stream.id);
      const record = first?.kind === 'recording' ? !first.record : stream.record;
      return { ...archivedStream(stream), record };
    }),
    sessions: before
      .flatMap(sessionsOf)
      .toSorted(byAge)
      .flatMap(({ id, parentId, record, duration }) => {
        return duration === undefined ? [] : [{ id, parentId, record, duration }];
      }),
    arranged: actions,
  };
  return JSON.parse(hideSecrets([apiKey, ...(settings.apiKeys ?? [])])(JSON.stringify(archive)));
}

/** The id of the stream that a request created. */
function createdBy({ operation, response }: Exchange): string | undefined {
  if (operation !== 'createStream' || response.status !== 201) return undefined;
  return /"id":"([^"]+)"/.exec(response.body ?? '')?.[1];
}
