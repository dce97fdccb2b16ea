import type { PlainResponse } from '../messages/response.ts';
import { parseDuration } from '../state/duration.ts';
import { brokenConnection } from './bodies.ts';
import { effectOf, type MatchedRequest } from './effects.ts';
import type { Delay, Fault } from './fault.ts';
import type { Faults } from './faults.ts';

/** A request that a fault has matched, and what it takes to answer it. */
interface FaultyRequest extends MatchedRequest {
  readonly faults: Faults;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

/** Answers a request as the fault that has matched it says. */
export async function answerFaulty(
  fault: Fault,
  { faults, clock, signal, carryOut }: FaultyRequest,
): Promise<PlainResponse> {
  if (fault.delay !== undefined) {
    await clock.waitUntil(clock.now() + drawDelay(faults, fault.delay), signal);
    // The client has gone away, so the request must do nothing.
    if (signal.aborted) return brokenConnection;
  }
  return effectOf(fault).respond?.(fault, { clock, carryOut }) ?? carryOut();
}

function drawDelay(faults: Faults, delay: Delay): number {
  if (typeof delay !== 'object') return parseDuration(delay);
  return faults.draw(parseDuration(delay.from), parseDuration(delay.to));
}
