import { deleteStream } from '../../../conformance/run/clean-up.ts';
import type { MadeRecord } from './made-records.ts';
import { both, type Service, type Two } from './services.ts';

/** Ends what a sequence left live and deletes its streams, where they would stay. */
type Clean = (made: readonly MadeRecord[]) => Promise<void>;

/** Called before a sequence: only what is created from now on is deleted. */
export function prepareCleaning(services: Two<Service>): Clean {
  // What an earlier sequence could not delete is left for the end.
  const before = services.map(({ streams }) => streams?.length ?? 0);
  return async (made) => {
    await both(services, async ({ target, otherKey, streams }, side) => {
      if (streams === undefined) return;
      for (const { stop } of made) await stop?.[side]().catch(() => {});
      const created = new Set(streams.splice(before[side] ?? 0));
      const others = idsOf(
        made.filter(({ kind }) => kind === 'other-key'),
        side,
      );
      const deleted = idsOf(
        made.filter((record) => record.deleted),
        side,
      );
      const ids = [...created].filter((id) => !others.includes(id) && !deleted.includes(id));
      const owner = { ...target, apiKey: otherKey ?? target.apiKey };
      const [results] = await Promise.all([
        Promise.all(ids.map((id) => deleteStream(target, id))),
        ...others.map((id) => deleteStream(owner, id)),
      ]);
      streams.push(...ids.filter((_, index) => results[index] === 'failed'));
    });
  };
}

function idsOf(made: readonly MadeRecord[], side: 0 | 1): string[] {
  return made.flatMap(({ ids }) => ids[side] ?? []);
}
