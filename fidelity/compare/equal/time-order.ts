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

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= tolerance;
}

export function createTimeOrder(): TimeOrder {
  const noted = new Map<string, readonly [number, number]>();
  const byId = new Map<string, readonly [number, number]>();
  return {
    agree(id, one, other) {
      const shown = byId.get(id) ?? [one, other];
      byId.set(id, shown);
      if (isNear(one, shown[0]) !== isNear(other, shown[1])) return false;
      noted.set(`${one} ${other}`, [one, other]);
      return [...noted.values()].every(([first, second]) => {
        const isSameOrder = (one - first) * (other - second) >= 0;
        return isSameOrder || isNear(one, first) || isNear(other, second);
      });
    },
  };
}
