import { streamPath, unknownId } from '../../../conformance/target/operations.ts';
import { callTarget, type Target } from '../../../conformance/target/target.ts';
import type { Unfinished } from '../model/comparison.ts';
import { covers, type Signature, signatureOf } from '../model/signature.ts';
import type { Move } from '../moves/move.ts';
import { type IsMasked, type Outcome, unansweredStep } from '../run/run-sequence.ts';
import { type Explanation, explain, type Knowledge } from './explain.ts';
import { runOnce } from './run-once.ts';
import { runRecorded } from './run-recorded.ts';
import type { Search } from './search.ts';
import { shrink } from './shrink.ts';
import type { Side } from './sides.ts';

/** A difference that was confirmed and shrunk. */
export interface Investigated {
  readonly signature: Signature;
  /** Where its moves were in the sequence that showed it first. */
  readonly indexes: readonly number[];
  readonly outcome: Outcome;
  readonly explanation: Explanation | undefined;
  /** What there was no time for. */
  readonly unfinished: readonly Unfinished[];
}

/** Runs of the shortest sequence that must all show the difference. */
const confirmingRuns = 4;

/** Why a difference does not count: it is not steady, a target did not respond when asked again, or the time was over. */
type Unconfirmed = 'unsteady' | 'unknown' | 'no time';

function whyNot({ shouldStop }: Search, outcome: Outcome): Unconfirmed {
  if (shouldStop()) return 'no time';
  const hadAllResponses = outcome.unknown === undefined && unansweredStep(outcome) === undefined;
  return hadAllResponses ? 'unsteady' : 'unknown';
}

/** Whether a sequence shows the difference; with `records`, what the targets respond is kept. */
type Shows = (moves: readonly Move[], records?: boolean) => Promise<boolean>;

/**
 * Confirms that a sequence shows a difference each time, and finds the shortest that does and, if the
 * search explains differences, the row.
 * @param isKnown what was found before: the line of the row may make no other difference appear
 */
export async function investigate(
  search: Search,
  moves: readonly Move[],
  found: Signature,
  knowledge: Knowledge,
  isKnown: IsMasked,
): Promise<Investigated | Unconfirmed> {
  let unconfirmed: Unconfirmed = 'unsteady';
  const shows: Shows = async (candidate, records = false) => {
    const outcome = await runOnce(search, candidate, { ...knowledge, records });
    const { difference, steps } = outcome;
    unconfirmed = whyNot(search, outcome);
    const isAtEnd = steps.at(-1)?.move === candidate.at(-1);
    return isAtEnd && difference !== undefined && covers(signatureOf(difference), found);
  };
  if (!(await isSteady(search, moves, shows, knowledge))) return unconfirmed;
  const unfinished = new Set<Unfinished>();
  const { moves: shortest, indexes } = await shrink(moves, async (candidate) => {
    if (search.isOver()) unfinished.add('shortened');
    return !unfinished.has('shortened') && shows(candidate);
  });
  // The shortest sequence is sent quickly, so a service that is unsteady at random is found out here.
  for (let run = 0; run < confirmingRuns; run++) {
    if (!(await shows(shortest))) return unconfirmed;
  }
  const outcome = await runOnce(search, shortest, { ...knowledge, records: true });
  const replay = search.target.recorder.end();
  if (outcome.difference === undefined) return whyNot(search, outcome);
  const signature = signatureOf(outcome.difference);
  const explanation = search.explains
    ? await explain(
        search,
        { moves: shortest, rows: knowledge.rows, outcome, replay },
        { ...knowledge, isMasked: isKnown },
      )
    : undefined;
  if (explanation === undefined && search.explains && search.shouldStop()) {
    unfinished.add('explained');
  }
  return { signature, indexes, outcome, explanation, unfinished: [...unfinished] };
}

/**
 * Whether the difference appears in two more runs, in which each target responds alike. A different
 * number of requests precedes each run: a target that is unsteady in a rhythm, such as in every third
 * response, would otherwise show the difference each time.
 */
async function isSteady(
  search: Search,
  moves: readonly Move[],
  shows: Shows,
  knowledge: Knowledge,
): Promise<boolean> {
  const sides = [search.target, ...(search.second ? [search.second] : [])];
  const recorded: ReturnType<Side['recorder']['end']>[][] = [];
  for (const requests of [1, 2]) {
    for (const { service } of sides) await sendBefore(service.target, requests);
    const appears = await shows(moves, true);
    recorded.push(sides.map(({ recorder }) => recorder.end()));
    if (!appears) return false;
  }
  const [first = [], second = []] = recorded;
  for (const [index, side] of sides.entries()) {
    const [one, other] = [first[index], second[index]];
    if (one === undefined || other === undefined) return false;
    const services = () => [side.replay(one()), side.replay(other())] as const;
    const { difference } = await runRecorded(search, moves, services, knowledge);
    if (difference !== undefined) return false;
  }
  return true;
}

async function sendBefore(target: Target, requests: number): Promise<void> {
  const call = { method: 'GET', path: streamPath(unknownId) };
  for (let sent = 0; sent < requests; sent++) {
    await callTarget(target, call, () => {}).catch(() => undefined);
  }
}
