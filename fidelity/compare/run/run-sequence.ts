import type { Exchange } from '../../../conformance/model/report.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isOfTarget } from '../../../conformance/target/failure.ts';
import type { Finding } from '../equal/finding.ts';
import type { Move } from '../moves/move.ts';
import { type DescribedRequest, describeRequest } from './describe-request.ts';
import { perform } from './go-live.ts';
import { requestBoth } from './request.ts';
import type { Run } from './run.ts';
import type { Two } from './services.ts';

/** A move with what was sent and what came. */
interface Step {
  readonly move: Move;
  readonly described: DescribedRequest | undefined;
  readonly exchanges: Two<readonly Exchange[]>;
  /** Whether both sides were asked for something: a request, going live or stopping. */
  readonly isOperation: boolean;
  /** Absent where the move sent no request to the interface. */
  readonly responses?: Two<TargetResponse>;
}

/** A difference with where it was seen. */
export interface Difference {
  readonly described: DescribedRequest;
  readonly finding: Finding;
}

/** How a sequence went. */
export interface Outcome {
  readonly steps: readonly Step[];
  /** The first difference that counts; the sequence ended with it. */
  readonly difference: Difference | undefined;
  /** Why nothing more is known, if a side did not respond. */
  readonly unknown: string | undefined;
}

/** Whether a difference, in the last step or before it, does not end the sequence: it is known already. */
export type IsMasked = (difference: Difference, isLast: boolean) => boolean;

/** Runs the moves on both sides until they differ. */
export async function runSequence(
  run: Run,
  moves: readonly Move[],
  isMasked: IsMasked,
  shouldStop: () => boolean,
): Promise<Outcome> {
  const steps: Step[] = [];
  const end = (difference?: Difference, unknown?: string): Outcome => ({
    steps,
    difference,
    unknown,
  });
  for (const move of moves) {
    if (shouldStop()) break;
    const described = describeRequest(move, run.made);
    const exchanges: Two<Exchange[]> = [[], []];
    try {
      const taken = await takeStep(run, { move, described, exchanges });
      if (taken === undefined) continue;
      steps.push(taken.step);
      const difference = taken.differences.find((one) => !isMasked(one, move === moves.at(-1)));
      if (difference !== undefined) return end(difference);
      if (taken.onlyOneChanged) break;
    } catch (error) {
      if (!isOfTarget(error)) throw error;
      steps.push({ move, described, exchanges, isOperation: true });
      return end(undefined, error.message);
    }
  }
  return end();
}

/** What a step showed. */
interface Taken {
  readonly step: Step;
  readonly differences: readonly Difference[];
  readonly onlyOneChanged: boolean;
}

/** Takes a step on both sides; `undefined` where nothing is sent. */
async function takeStep(
  run: Run,
  step: Pick<Step, 'move' | 'described'> & { readonly exchanges: Two<Exchange[]> },
): Promise<Taken | undefined> {
  const { move, described, exchanges } = step;
  if (described === undefined) {
    const isOperation = await perform(run, move);
    return { step: { ...step, isOperation }, differences: [], onlyOneChanged: false };
  }
  if (run.leaveOut?.(described)) return undefined;
  const result = await requestBoth(run, described.request, exchanges);
  if (result === undefined) return undefined;
  const { responses, findings, onlyOneChanged } = result;
  return {
    step: { ...step, isOperation: true, responses },
    differences: findings.map((finding) => ({ described, finding: run.withoutKeys(finding) })),
    onlyOneChanged,
  };
}
