import type { Exchange } from '../../../conformance/model/report.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { Blocked, isOfTarget } from '../../../conformance/target/failure.ts';
import type { Finding } from '../equal/finding.ts';
import type { Move } from '../moves/move.ts';
import { type DescribedRequest, describeRequest } from './describe-request.ts';
import { perform } from './go-live.ts';
import { isDoneByOne, noteUnanswered } from './note-change.ts';
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
  /** Absent where the move sent no request to the interface, or a side did not respond. */
  readonly responses?: Two<TargetResponse>;
  /** Why a side did not respond. */
  readonly unanswered?: string;
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
  /** Why nothing more is known, if the sequence ended without a response or a session. */
  readonly unknown: string | undefined;
}

/** The step without a response, of which there is one at most in a sequence that went on. */
export function unansweredStep({ steps }: Pick<Outcome, 'steps'>): Step | undefined {
  return steps.find(({ unanswered }) => unanswered !== undefined);
}

/** Whether a difference, in the last step or before it, does not end the sequence: it is known already. */
export type IsMasked = (difference: Difference, isLast: boolean) => boolean;

/** What a sequence showed, where a missing response leaves open what it means. */
export function asUnknown(outcome: Outcome): Outcome {
  const unknown = outcome.unknown ?? unansweredStep(outcome)?.unanswered;
  return unknown === undefined ? outcome : { ...outcome, difference: undefined, unknown };
}

/**
 * Runs the moves on both sides until they differ. After a request without a response it goes on as if
 * both sides had done the same; the second one ends it.
 */
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
    const taken = await tryStep(run, move);
    if (taken === undefined) continue;
    const isSecond = unansweredStep({ steps }) !== undefined;
    const { step, differences, onlyOneChanged, endsSequence } = taken;
    steps.push(step);
    if (step.unanswered !== undefined && (endsSequence || isSecond)) {
      return end(undefined, step.unanswered);
    }
    const difference = differences.find((one) => !isMasked(one, move === moves.at(-1)));
    if (difference !== undefined) return end(difference);
    if (onlyOneChanged) break;
  }
  return end();
}

/** What a step showed. */
interface Taken {
  readonly step: Step;
  readonly differences: readonly Difference[];
  readonly onlyOneChanged: boolean;
  /** Whether nothing can be compared after it, as a side did not do it. */
  readonly endsSequence?: boolean;
}

/** A step that is to be taken. */
type Intended = Pick<Step, 'move' | 'described'> & { readonly exchanges: Two<Exchange[]> };

/** Takes a step, also one to which a side does not respond. */
async function tryStep(run: Run, move: Move): Promise<Taken | undefined> {
  const described = describeRequest(move, run.made);
  const step: Intended = { move, described, exchanges: [[], []] };
  try {
    return await takeStep(run, step);
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const isDone = run.notSent?.isDone ?? isDoneByOne(step.exchanges);
    const canGoOn =
      described !== undefined &&
      !(error instanceof Blocked) &&
      noteUnanswered(run, described.request, isDone);
    return {
      step: { ...step, isOperation: true, unanswered: error.message },
      differences: [],
      onlyOneChanged: false,
      endsSequence: !canGoOn,
    };
  }
}

/** Takes a step on both sides; `undefined` where nothing is sent. */
async function takeStep(run: Run, step: Intended): Promise<Taken | undefined> {
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
