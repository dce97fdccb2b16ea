/** Pairs values of two sides: each has one partner on the other, throughout a sequence. */
export interface Bijection {
  /** Pairs two values; `false` if one of them has another partner. */
  pair(one: string, other: string): boolean;
  /**
   * Whether the values that stand in two addresses are partners. An address with further ones, or with
   * none, is as good.
   */
  arePartnersIn(one: string, other: string): boolean;
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
    arePartnersIn(one, other) {
      const expected = [...partners[0]].flatMap(([value, partner]) =>
        standsIn(one, value) ? partner : [],
      );
      const found = [...partners[1].keys()].filter((value) => standsIn(other, value));
      const [fewer, more] = expected.length < found.length ? [expected, found] : [found, expected];
      return fewer.every((value) => more.includes(value));
    },
  };
}

/** Whether a value stands in an address, and not as a part of a longer word. */
function standsIn(address: string, value: string): boolean {
  const encoded = encodeURIComponent(value.toWellFormed());
  if (encoded === '') return false;
  for (let at = address.indexOf(encoded); at !== -1; at = address.indexOf(encoded, at + 1)) {
    const around = [address.charAt(at - 1), address.charAt(at + encoded.length)];
    if (!around.some((character) => /[a-z0-9]/i.test(character))) return true;
  }
  return false;
}
