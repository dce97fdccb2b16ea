import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import type { Finding } from '../equal/finding.ts';
import { noteVarying } from '../equal/refusal-forms.ts';
import type { RequestMove } from '../moves/move.ts';
import { compareBoth } from './compare-both.ts';
import type { Run } from './run.ts';
import { sendBoth } from './send-both.ts';
import type { Two } from './services.ts';

/**
 * How two responses differ. Where the forms of refusals do, it asks for each form once more: a text that
 * is another then, such as the id of the request, is no code that clients read.
 */
export async function compareSteady(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
): Promise<Finding[]> {
  const found = compareBoth(run, move, responses);
  const differ = found.some(({ where }) => where === 'refusal');
  // What was recorded is the same when it is asked for again.
  if (!differ || run.patience === 0 || !addToAsked(run, found)) return found;
  const again = await sendBoth(run, move, [[], []]);
  run.onAskAgain?.();
  for (const side of [0, 1] as const) {
    noteVarying([responses[side], again[side]], run.services[side].refusals);
  }
  return compareBoth(run, move, responses);
}

/** Notes that the forms of two refusals were asked for again; `false` if both were before. */
function addToAsked({ services }: Run, found: readonly Finding[]): boolean {
  const kinds = found.find(({ where }) => where === 'refusal')?.kinds ?? [];
  const areNew = kinds.map((form, side) => {
    const asked = services[side]?.refusals.asked;
    const isNew = asked?.has(form) === false;
    asked?.add(form);
    return isNew;
  });
  return areNew.includes(true);
}
