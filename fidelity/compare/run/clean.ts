import { deleteStream } from '../../../conformance/run/clean-up.ts';
import { inParallel } from '../../../conformance/run/parallel.ts';
import type { MadeRecord } from './made-records.ts';
import { both, type Service } from './services.ts';

/** Ends what a sequence left live, and deletes its streams. */
type Clean = (made: readonly MadeRecord[]) => Promise<void>;

const deletedAtOnce = 8;

/** Called before a sequence: only what is created from now on is deleted. */
export function prepareCleaning(services: readonly Service[]): Clean {
  const accounts = services.flatMap((service) => [
    service,
    ...(service.other ? [service.other] : []),
  ]);
  // What an earlier sequence could not delete is left for the end.
  const before = accounts.map(({ creations }) => creations.streams.length);
  return async (made) => {
    for (const { stop } of made) {
      if (stop !== undefined) await both(stop, (end) => end().catch(() => {}));
    }
    await Promise.all(
      accounts.map(async ({ target, creations: { streams } }, index) => {
        const ids = [...new Set(streams.splice(before[index] ?? 0))];
        const results = await inParallel(ids, deletedAtOnce, (id) => deleteStream(target, id));
        streams.push(...ids.filter((_, place) => results[place] === 'failed'));
      }),
    );
  };
}
