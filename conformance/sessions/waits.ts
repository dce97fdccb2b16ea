import type { JsonObject } from '../../target/requests/read-response.ts';
import { isReady } from '../../target/streams/recorded-list.ts';

/** What a run waits for: that a recorded session is listed, or that its recording is ready as well. */
export type Milestone = 'listed' | 'ready';

/** How long a run waits for recordings, each time. */
export type Waits = ReturnType<typeof startWaits>;

/** What remains of the patience once it was spent in vain: enough for a recording that is only made in another way. */
const remainingShare = 0.1;

/**
 * A run spends the whole patience only once on a target that lists no recorded session, or makes none ready. Until one is
 * seen, whatever is waited for after that gets a tenth. Once sessions are listed, a missing one is always waited for as
 * long as it may take, because checks conclude from it that a session was not recorded.
 */
export function startWaits(patience: number) {
  const seen = new Set<Milestone>();
  const awaitedInVain = new Set<Milestone>();
  const isHopeless = (milestone: Milestone): boolean =>
    awaitedInVain.has(milestone) && !seen.has(milestone);
  return {
    /** Milliseconds that the next wait may take. */
    longest(milestone: Milestone): number {
      const isShort = isHopeless('listed') || isHopeless(milestone);
      return isShort ? patience * remainingShare : patience;
    },
    /** Notes what was listed when a wait ended. */
    end(milestone: Milestone, sessions: readonly JsonObject[]): void {
      if (sessions.length > 0) seen.add('listed');
      if (sessions.some(isReady)) seen.add('ready');
      if (!seen.has(milestone)) awaitedInVain.add(milestone);
    },
  };
}
