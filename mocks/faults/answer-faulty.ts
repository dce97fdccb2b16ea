import type { PlainResponse } from '../messages/response.ts';
import type { AdjustableClock } from '../state/clock.ts';
import { parseDuration } from '../state/duration.ts';
import type { Delay } from './effects/effect.ts';
import { effectOf } from './effects/effects.ts';
import { brokenConnection } from './effects/reset.ts';
import type { Faults, FaultTarget, MatchedFault } from './faults.ts';

/** A request, and what it takes to answer it with or without a fault. */
export interface AnswerParts {
  readonly faults: Faults;
  /** The world's clock, on which delays wait. */
  readonly clock: AdjustableClock;
  readonly request: Request;
  /** Does what the request asks for; `afresh` ignores its range and what its client has cached. */
  readonly carryOut: (afresh?: boolean) => Promise<PlainResponse>;
  /** Called with the id of the fault that matches the request. */
  readonly onFault: (id: number) => void;
}

/** Answers a request with the first fault that matches it, or as usual where none does. */
export function answerFaulty(parts: AnswerParts, target: FaultTarget): Promise<PlainResponse> {
  const matched = parts.faults.take(target);
  return matched === undefined ? parts.carryOut() : answerMatched(matched, parts);
}

async function answerMatched(
  { id, fault }: MatchedFault,
  { faults, clock, request, carryOut, onFault }: AnswerParts,
): Promise<PlainResponse> {
  onFault(id);
  if (fault.delay !== undefined) {
    await clock.waitUntil(clock.now() + drawDelay(faults, fault.delay), request.signal);
    // The client has gone away, so the request must do nothing.
    if (request.signal.aborted) return brokenConnection;
  }
  return effectOf(fault).respond?.(fault, { clock, carryOut }) ?? carryOut();
}

function drawDelay(faults: Faults, delay: Delay): number {
  if (typeof delay !== 'object') return parseDuration(delay);
  return faults.draw(parseDuration(delay.from), parseDuration(delay.to));
}
