/** Times of two sides, which have the same order on both. */
export interface TimeOrder {
  /**
   * Notes the time of a record on each side; `false` if they come in another order than noted ones do,
   * or if only one side has shown another time of the same record.
   */
  agree(id: string, one: number, other: number): boolean;
}

/** Milliseconds within which the order of two times says nothing. */
const tolerance = 200;

export function createTimeOrder(): TimeOrder {
  const noted = new Map<string, readonly [number, number]>();
  const byId = new Map<string, readonly [number, number]>();
  return {
    agree(id, one, other) {
      const [first, second] = byId.get(id) ?? [one, other];
      byId.set(id, [first, second]);
      const [isSame, isSameToo] = [one - first, other - second].map(
        (moved) => Math.abs(moved) <= tolerance,
      );
      if (isSame !== isSameToo) return false;
      noted.set(`${one} ${other}`, [one, other]);
      return [...noted.values()].every(([first, second]) => {
        const [before, after] = [one - first, other - second];
        return before * after >= 0 || Math.min(Math.abs(before), Math.abs(after)) <= tolerance;
      });
    },
  };
}
