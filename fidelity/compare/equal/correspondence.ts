/** What identifies a stream or a session. */
export type IdKind = 'stream id' | 'session id' | 'streamKey' | 'playbackId';

/** What a whole sequence knows of the two sides. */
export interface Correspondence {
  readonly ids: Readonly<Record<IdKind, Bijection>>;
  /** Each with the key of a record that has the address: a service may have several. */
  readonly hosts: Bijection;
  /** Whole addresses. */
  readonly addresses: Bijection;
  readonly times: TimeOrder;
}

/** Pairs values of two sides: each has one partner on the other, throughout a sequence. */
interface Bijection {
  /** Pairs two values; `false` if one of them has another partner. */
  pair(one: string, other: string): boolean;
  /**
   * Which pairs stand in two texts, each named by its value of the first side: those whose value stands in
   * the first text, and those whose partner stands in the second.
   */
  standingIn(one: string, other: string): { readonly one: string[]; readonly other: string[] };
}

/** Times of two sides, which have the same order on both. */
interface TimeOrder {
  /**
   * Notes the time of a record on each side; `false` if they come in another order than noted ones do,
   * or if only one side has shown another time of the same record.
   */
  agree(id: string, one: number, other: number): boolean;
}

/** Nothing is known yet. */
export function createCorrespondence(): Correspondence {
  return {
    ids: {
      'stream id': createBijection(),
      'session id': createBijection(),
      streamKey: createBijection(),
      playbackId: createBijection(),
    },
    hosts: createBijection(),
    addresses: createBijection(),
    times: createTimeOrder(),
  };
}

function createBijection(): Bijection {
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

/** Milliseconds within which the order of two times says nothing. */
const tolerance = 200;

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= tolerance;
}

function createTimeOrder(): TimeOrder {
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
