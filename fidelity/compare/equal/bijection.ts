/** Pairs values of two sides: each has one partner on the other, throughout a sequence. */
export interface Bijection {
  /** Pairs two values; `false` if one of them has another partner. */
  pair(one: string, other: string): boolean;
  /**
   * Which pairs stand in two texts, each named by its value of the first side: those whose value stands in
   * the first text, and those whose partner stands in the second.
   */
  standingIn(one: string, other: string): { readonly one: string[]; readonly other: string[] };
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
    standingIn: (one, other) => ({
      one: [...partners[0].keys()].filter((value) => standsIn(one, value)),
      other: [...partners[0]].flatMap(([value, partner]) =>
        standsIn(other, partner) ? value : [],
      ),
    }),
  };
}

/** Characters of the shortest value that counts: a shorter one, such as a small number, may stand there by chance. */
const shortest = 6;

/** Whether a value stands in a text, and not as a part of a longer word. */
function standsIn(text: string, value: string): boolean {
  if (value.length < shortest || value.length > text.length) return false;
  const encoded = encodeURIComponent(value.toWellFormed());
  for (let at = text.indexOf(encoded); at !== -1; at = text.indexOf(encoded, at + 1)) {
    const around = [text.charAt(at - 1), text.charAt(at + encoded.length)];
    if (!around.some((character) => /[a-z0-9]/i.test(character))) return true;
  }
  return false;
}
