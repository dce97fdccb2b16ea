import type { Exchange } from '../../../conformance/model/report.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import type { Finding } from '../equal/finding.ts';
import type { Move } from '../moves/move.ts';
import { act } from './act.ts';
import { requestBoth } from './request.ts';
import type { Run } from './run.ts';
import type { Two } from './side.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A move with what was sent and what came. */
interface Step {
  readonly move: Move;
  readonly subject: Subject | undefined;
  readonly exchanges: Two<readonly Exchange[]>;
  /** Absent where the move sent no request to the interface. */
  readonly responses?: Two<TargetResponse>;
}

/** A difference with where it was seen. */
export interface Difference {
  readonly subject: Subject;
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

/** Whether a difference is known already, so that it does not end the sequence. */
export type IsMasked = (difference: Difference) => boolean;

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
    const subject = subjectOf(move, run.cast);
    const exchanges: Two<Exchange[]> = [[], []];
    try {
      if (subject === undefined) {
        await act(run, move);
        steps.push({ move, subject, exchanges });
        continue;
      }
      if (run.leaveOut?.(subject)) continue;
      const result = await requestBoth(run, subject.request, exchanges);
      if (result === undefined) continue;
      steps.push({ move, subject, exchanges, responses: result.responses });
      const differences = result.findings.map((finding) => ({ subject, finding }));
      const difference = differences.find((one) => !isMasked(one));
      if (difference !== undefined) return end(difference);
      if (result.parted) break;
    } catch (error) {
      steps.push({ move, subject, exchanges });
      return end(undefined, (error as Error).message);
    }
  }
  return end();
}
