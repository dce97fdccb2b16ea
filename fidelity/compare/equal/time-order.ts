/** Times of two sides, which have the same order on both. */
export interface TimeOrder {
  /** Notes a time of each side; `false` if they come in another order than noted ones do. */
  agree(one: number, other: number): boolean;
}

/** Milliseconds within which the order of two times says nothing. */
const tolerance = 200;

export function createTimeOrder(): TimeOrder {
  const noted = new Map<string, readonly [number, number]>();
  return {
    agree(one, other) {
      noted.set(`${one} ${other}`, [one, other]);
      return [...noted.values()].every(([first, second]) => {
        const [before, after] = [one - first, other - second];
        return before * after >= 0 || Math.min(Math.abs(before), Math.abs(after)) <= tolerance;
      });
    },
  };
}
