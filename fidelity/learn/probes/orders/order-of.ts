import type { TargetResponse } from '../../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import type { Call } from '../../../../conformance/target/target.ts';
import { usualBehaviours } from '../../../../interface/silent.ts';
import type { Check, OrderBehaviours } from '../../../../interface/silent-orders.ts';
import { type ProbeContext, type Question, refuseAlike } from '../../questions/probe.ts';
import type { Example, Examples } from './examples.ts';
import { type Pair, pairsOf, sortStably } from './sort.ts';

/** A request that has none of the errors whose order is asked for. */
type RightCall = Question<Call>;

/**
 * The order in which an operation notices errors: of each two, which response a request with both
 * gets. Where the responses to two errors look alike, other examples of the errors are tried. Two that
 * look alike in every example keep the usual order: a client cannot notice theirs.
 */
export function orderOf(
  id: keyof OrderBehaviours,
  right: RightCall,
  examples: Examples,
): Question<readonly Check[]> {
  return async (context) => {
    const sender = createSender(context, right);
    const before: Pair[] = [];
    for (const pair of pairsOf(usualBehaviours[id])) {
      const first = await noticedFirst(sender, pair, examples);
      if (first !== undefined) before.push(first);
    }
    if (before.length === 0) await expectErrors(sender, usualBehaviours[id], examples);
    return sortStably(usualBehaviours[id], before);
  };
}

/** @throws Blocked unless two kinds of errors are refused that one request can have */
async function expectErrors(
  { alone }: Sender,
  checks: readonly Check[],
  examples: Examples,
): Promise<void> {
  const refused: Check[] = [];
  for (const check of checks) {
    const responses = await Promise.all((examples[check] ?? []).map(alone));
    if (responses.some((response) => response !== undefined)) refused.push(check);
  }
  if (pairsOf(refused).length > 0) return;
  const missing = checks.filter((check) => !refused.includes(check));
  throw new Blocked(`two errors at once: none was refused of the kind ${missing.join(' and ')}`);
}

/** Sends a request with errors. */
export interface Sender {
  /** With one error: `undefined` where it is none, or cannot be made. The same one is sent once. */
  readonly alone: (example: Example) => Promise<TargetResponse | undefined>;
  readonly together: (one: Example, other: Example) => Promise<TargetResponse>;
}

export function createSender(context: ProbeContext, right: RightCall): Sender {
  const known = new Map<Example, Promise<TargetResponse | undefined>>();
  const sendAlone = async (example: Example): Promise<TargetResponse | undefined> => {
    const call = await right(context);
    const wrong = await Promise.resolve(example(call, context)).catch(nothingIfBlocked);
    if (wrong === undefined) return undefined;
    const response = await context.send(wrong);
    return isSuccess(response) ? undefined : response;
  };
  return {
    alone(example) {
      const response = known.get(example) ?? sendAlone(example);
      known.set(example, response);
      return response;
    },
    async together(one, other) {
      const call = await one(await right(context), context);
      return context.send(await other(call, context));
    },
  };
}

function nothingIfBlocked(error: unknown): undefined {
  if (!(error instanceof Blocked)) throw error;
}

/** Two errors, the one first that is noticed first; `undefined` if no example tells. */
export async function noticedFirst(
  { alone, together }: Sender,
  [one, other]: Pair,
  examples: Examples,
): Promise<Pair | undefined> {
  let tried = 0;
  for (const [oneExample, otherExample] of combined(examples[one], examples[other])) {
    const [ofOne, ofOther] = [await alone(oneExample), await alone(otherExample)];
    if (ofOne === undefined || ofOther === undefined || refuseAlike(ofOne, ofOther)) continue;
    const both = await together(oneExample, otherExample);
    if (refuseAlike(both, ofOne)) return [one, other];
    if (refuseAlike(both, ofOther)) return [other, one];
    if (++tried === mostTried) break;
  }
  return undefined;
}

/** Requests with both errors that may get a response which neither gets alone. */
const mostTried = 4;

/** Every example of one list with every one of another, the plainest together first. */
function combined<Item>(some: readonly Item[] = [], others: readonly Item[] = []): [Item, Item][] {
  const pairs = some.flatMap((one, row) =>
    others.map((other, column) => ({ place: row + column, pair: [one, other] as [Item, Item] })),
  );
  return pairs.sort((one, other) => one.place - other.place).map(({ pair }) => pair);
}
