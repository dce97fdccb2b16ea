import type { LowerLimit, Refusal, UpperLimit } from '../../../interface/silent-row.ts';
import { Inexpressible } from '../questions/probe.ts';

/** Tries a value. */
type Try = (value: number) => Promise<'accepted' | Refusal>;

/** The values that are tried. */
interface Search<Limit> {
  readonly ladder: readonly number[];
  /** A limit that is tried first. */
  readonly expected: Limit;
}

/**
 * The largest value on a ladder that is accepted.
 * @throws Inexpressible where not even a usual value is
 */
export async function upperLimit(
  { ladder, expected: { atLeast, below } }: Search<UpperLimit>,
  attempt: Try,
): Promise<UpperLimit> {
  const up = withSteps(ladder, [atLeast, below]);
  const { accepted, refused, refusal } = await search(up, [atLeast, below], attempt);
  if (refused === undefined || refusal === undefined) return { atLeast: accepted };
  return { atLeast: accepted, below: refused, refusal };
}

/**
 * The smallest value on a ladder, which goes up, that is accepted.
 * @throws Inexpressible where not even a usual value is
 */
export async function lowerLimit(
  { ladder, expected: { atMost, above } }: Search<LowerLimit>,
  attempt: Try,
): Promise<LowerLimit> {
  const down = withSteps(ladder, [atMost, above]).toReversed();
  const { accepted, refused, refusal } = await search(down, [atMost, above], attempt);
  if (refused === undefined || refusal === undefined) return { atMost: accepted };
  return { atMost: accepted, above: refused, refusal };
}

/** The largest value that is tried because somebody expects it. */
const mostTried = 2 ** 24;

/** A ladder, which goes up, with the bounds of an expected limit as further steps. */
function withSteps(
  ladder: readonly number[],
  bounds: readonly (number | undefined)[],
): readonly number[] {
  const [lowest = 0, highest = 0] = [ladder[0], ladder.at(-1)];
  const most = Math.max(highest, mostTried);
  const isTried = (bound = 0): bound is number => bound >= lowest && bound <= most;
  return [...new Set([...ladder, ...bounds.filter(isTried)])].sort((one, other) => one - other);
}

/** The last step that is accepted, and the first that is refused, if any is. */
interface Boundary {
  readonly accepted: number;
  readonly refused?: number;
  readonly refusal?: Refusal;
}

/** Tries the boundary that is expected, and only where it is elsewhere searches by halves. */
async function search(
  ladder: readonly number[],
  [lastAccepted, firstRefused]: readonly [number, number | undefined],
  attempt: Try,
): Promise<Boundary> {
  let accepted = -1;
  let refused = ladder.length;
  let refusal: Refusal | undefined;
  const look = async (index: number): Promise<void> => {
    if (index <= accepted || index >= refused) return;
    const outcome = await attempt(ladder[index] ?? 0);
    if (outcome === 'accepted') accepted = index;
    else [refused, refusal] = [index, outcome];
  };
  const isAsExpected = (): boolean =>
    ladder[accepted] === lastAccepted &&
    (firstRefused === undefined || ladder[refused] === firstRefused);
  await look(ladder.indexOf(lastAccepted));
  if (firstRefused !== undefined) await look(ladder.indexOf(firstRefused));
  while (!isAsExpected() && refused - accepted > 1) {
    await look(Math.floor((accepted + refused) / 2));
  }
  const [last, first] = [ladder[accepted], ladder[refused]];
  if (last === undefined) {
    throw new Inexpressible(
      `expected ${first} to be accepted, as check and learn send such values, got a refusal with status ${refusal?.status}`,
    );
  }
  return { accepted: last, ...(refusal && first !== undefined && { refused: first, refusal }) };
}
