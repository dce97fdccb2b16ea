import type { LowerLimit, Refusal, UpperLimit } from '../../../interface/silent-row.ts';

/** Tries a value. */
type Try = (value: number) => Promise<'accepted' | Refusal>;

/** The values that are tried, and one that is surely accepted. */
interface Search<Limit> {
  readonly ladder: readonly number[];
  readonly usual: number;
  /** A limit that is tried first. */
  readonly expected: Limit;
}

/** The largest value on a ladder that is accepted. */
export async function upperLimit(
  { ladder, usual, expected }: Search<UpperLimit>,
  attempt: Try,
): Promise<UpperLimit> {
  const { atLeast, below } = expected;
  const up = withSteps(ladder, [atLeast, below]);
  const { accepted, refused, refusal } = await search(up, up.indexOf(atLeast), attempt);
  if (refusal === undefined) return { atLeast: accepted ?? usual };
  return { atLeast: accepted ?? usual, ...(refused !== undefined && { below: refused }), refusal };
}

/** The smallest value on a ladder, which goes up, that is accepted. */
export async function lowerLimit(
  { ladder, usual, expected }: Search<LowerLimit>,
  attempt: Try,
): Promise<LowerLimit> {
  const { atMost, above } = expected;
  const down = withSteps(ladder, [atMost, above]).toReversed();
  const { accepted, refused, refusal } = await search(down, down.indexOf(atMost), attempt);
  if (refusal === undefined) return { atMost: accepted ?? usual };
  return { atMost: accepted ?? usual, ...(refused !== undefined && { above: refused }), refusal };
}

/** A ladder, which goes up, with the bounds of an expected limit as further steps. */
function withSteps(
  ladder: readonly number[],
  bounds: readonly (number | undefined)[],
): readonly number[] {
  const [lowest = 0, highest = 0] = [ladder[0], ladder.at(-1)];
  const isBetween = (bound = 0): bound is number => bound > lowest && bound < highest;
  return [...new Set([...ladder, ...bounds.filter(isBetween)])].sort((one, other) => one - other);
}

/** The last step that is accepted and the first that is refused, with its refusal. */
interface Boundary {
  readonly accepted: number | undefined;
  readonly refused?: number | undefined;
  readonly refusal?: Refusal;
}

/** Tries the boundary that is expected, and searches by halves where it is elsewhere. */
async function search(ladder: readonly number[], start: number, attempt: Try): Promise<Boundary> {
  let accepted = -1;
  let refused = ladder.length;
  let refusal: Refusal | undefined;
  const look = async (index: number): Promise<void> => {
    if (index <= accepted || index >= refused) return;
    const outcome = await attempt(ladder[index] ?? 0);
    if (outcome === 'accepted') accepted = index;
    else [refused, refusal] = [index, outcome];
  };
  await look(start);
  await look(start + 1);
  while (refused - accepted > 1) await look(Math.floor((accepted + refused) / 2));
  return {
    accepted: ladder[accepted],
    ...(refusal !== undefined && { refused: ladder[refused], refusal }),
  };
}
