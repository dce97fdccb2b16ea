/** Pairs values of two sides: each has one partner on the other, throughout a sequence. */
export interface Bijection {
  /** Pairs two values; `false` if one of them has another partner. */
  pair(one: string, other: string): boolean;
}

export function createBijection(): Bijection {
  const partners = [new Map<string, string>(), new Map<string, string>()] as const;
  return {
    pair(one, other) {
      const known = partners[0].has(one) || partners[1].has(other);
      if (known) return partners[0].get(one) === other && partners[1].get(other) === one;
      partners[0].set(one, other);
      partners[1].set(other, one);
      return true;
    },
  };
}
