import type { StreamRecord } from '../../interface/types.ts';
import type { ArchivedStream, ArchivedWorld, Exchange } from '../journal/exchange.ts';
import { hideSecrets } from '../journal/hide-secrets.ts';
import { recordsOf } from '../state/ordered.ts';
import type { WorldState } from './world.ts';

/** Notes that a tester created streams. */
export function arrangeCreated({ journal }: WorldState, streams: readonly StreamRecord[]): void {
  for (const stream of streams) journal.arrange({ kind: 'created', stream: archived(stream) });
}

function archived({ id, playbackId, name, profiles, record }: StreamRecord): ArchivedStream {
  return { id, playbackId, name, profiles, record };
}

/** What an archive of some exchanges tells of their world: nothing of streams that they do not name. */
export function archivedWorld(world: WorldState, exchanges: readonly Exchange[]): ArchivedWorld {
  const { journal, settings, state, moments, apiKey } = world;
  const arranged = [...journal.arranged()];
  const made = new Set([
    ...exchanges.flatMap((exchange) => createdBy(exchange) ?? []),
    ...arranged.map((one) => (one.kind === 'created' ? one.stream.id : '')),
  ]);
  const lately = new Set(arranged.map((one) => (one.kind === 'live' ? one.sessionId : '')));
  const words = wordsIn(exchanges);
  const sessionsOf = ({ id }: StreamRecord) =>
    recordsOf(state.records.sessionsOf(id)).filter((session) => !lately.has(session.id));
  const isNamed = (stream: StreamRecord): boolean =>
    [stream.id, stream.playbackId, ...sessionsOf(stream).map(({ id }) => id)].some((id) =>
      words.has(id),
    );
  const before = recordsOf(state.records.streams).filter(
    (stream) => !made.has(stream.id) && isNamed(stream),
  );
  const told: ArchivedWorld = {
    version: 1,
    world: typeof settings.world === 'string' ? settings.world : 'exported',
    streams: before.map((stream) => {
      const first = moments.find((one) => one.kind === 'recording' && one.streamId === stream.id);
      const record = first?.kind === 'recording' ? !first.record : stream.record;
      return { ...archived(stream), record };
    }),
    sessions: before.flatMap(sessionsOf).flatMap(({ id, parentId, record, duration }) => {
      return duration === undefined ? [] : [{ id, parentId, record, duration }];
    }),
    arranged,
  };
  return JSON.parse(hideSecrets([apiKey, ...settings.secrets])(JSON.stringify(told)));
}

/** The id of the stream that a request created. */
function createdBy({ operation, answer }: Exchange): string | undefined {
  if (operation !== 'createStream' || answer.status !== 201) return undefined;
  return /"id":"([^"]+)"/.exec(answer.body ?? '')?.[1];
}

/** All that may be an id in some exchanges. */
function wordsIn(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { request, answer } of exchanges) {
    for (const text of [request.url, request.body, answer.body]) {
      for (const [word] of (text ?? '').matchAll(/[\w-]{8,}/g)) words.add(word);
    }
  }
  return words;
}
