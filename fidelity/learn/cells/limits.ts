import type { Acceptance, Cell, Refusal } from '../../../interface/cells.ts';

/** What becomes of one value of a ladder. */
export type Tried = Refusal | Acceptance;

/** The place where a limit begins: the last value that is taken as it is, and what becomes of those after it. */
interface Boundary {
  readonly taken: number;
  readonly beyond: number;
  readonly tried: Tried;
}

/**
 * Searches a ladder, whose first value is usual, for the place from which values are not taken as they are.
 * @returns `undefined` where the last value is taken
 */
export async function findLimit(
  ladder: readonly number[],
  isTaken: (tried: Tried) => boolean,
  attempt: (index: number) => Promise<Tried>,
): Promise<Boundary | undefined> {
  let [taken, beyond] = [0, ladder.length - 1];
  let tried = await attempt(beyond);
  if (isTaken(tried)) return undefined;
  while (beyond - taken > 1) {
    const middle = Math.floor((taken + beyond) / 2);
    const found = await attempt(middle);
    if (isTaken(found)) taken = middle;
    else [beyond, tried] = [middle, found];
  }
  return { taken: ladder[taken] ?? 0, beyond: ladder[beyond] ?? 0, tried };
}

/** A limit as a cell: a largest value is taken up to `above`, a smallest one from `below` on. */
export function limitCell({ taken, beyond, tried }: Boundary): Cell {
  const [above, below] = taken < beyond ? [taken, beyond] : [beyond, taken];
  return { ...tried, above, below };
}
