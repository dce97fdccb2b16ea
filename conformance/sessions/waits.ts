import type { JsonObject } from '../../target/requests/read-response.ts';
import { isReady } from '../../target/streams/recorded-list.ts';

/** How long a run waits for recordings, each time. */
export type Waits = ReturnType<typeof startWaits>;

/** What remains of the patience when it was spent in vain: time enough for a recording that is only made differently. */
const shareAfterAll = 0.1;

/**
 * A run spends the whole patience on a target that makes no recordings only once. Until a recording is ready, whatever
 * is waited for after that gets a tenth.
 */
export function startWaits(patience: number) {
  let hasSeenReady = false;
  let wasInVain = false;
  return {
    /** Milliseconds that the next wait may take. */
    longest: () => (wasInVain && !hasSeenReady ? patience * shareAfterAll : patience),
    /** Notes how a wait has ended, and what was listed then. */
    end(hasSucceeded: boolean, listed: readonly JsonObject[]): void {
      hasSeenReady ||= listed.some(isReady);
      wasInVain ||= !hasSucceeded;
    },
  };
}
