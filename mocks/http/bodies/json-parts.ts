import type { Ended } from './json-scan.ts';

/** The value of a JSON text that is parsed part by part. */
export interface JsonParts {
  /**
   * Adds a part: the text up to a comma that ends a member or an item, or up to the end. Where that is
   * no JSON it adds nothing and returns false.
   */
  add(text: string, ended?: Ended): boolean;
  /** The brackets that are open where the next part begins. */
  open(): readonly ('{' | '[')[];
  /** The value, once the last part has been added. */
  value(): unknown;
}

/** What makes a part a text of its own, before it and after it, by what the comma there ends. */
const around = {
  member: { before: '{', after: '}', open: ['{'] },
  item: { before: '{"":[', after: ']}', open: ['{', '['] },
} as const satisfies Record<Ended, object>;

/** Makes the value. A part that an array goes on in, or from, holds no other member. */
export function createJsonParts(): JsonParts {
  const members: [key: string, value: unknown][] = [];
  let whole: unknown;
  /** What the comma before the next part has ended. */
  let last: Ended | undefined;

  /** JSON has nothing empty beside a comma. */
  function addMembers(part: object, ended: Ended | undefined): boolean {
    const entries = Object.entries(part);
    const [first] = entries;
    if (first === undefined) return false;
    if (last === 'item' || ended === 'item') return addItems(first);
    members.push(...entries);
    return true;
  }

  function addItems([key, items]: [string, unknown[]]): boolean {
    if (items.length === 0) return false;
    if (last !== 'item') members.push([key, items]);
    else {
      const array = members.at(-1)?.[1] as unknown[];
      for (const item of items) array.push(item);
    }
    return true;
  }

  return {
    add(text, ended) {
      const before = last === undefined ? '' : around[last].before;
      const value = parse(before + text + (ended === undefined ? '' : around[ended].after));
      if (value === undefined) return false;
      if (last === undefined && ended === undefined) whole = value;
      else if (!addMembers(value as object, ended)) return false;
      last = ended;
      return true;
    },
    open: () => (last === undefined ? [] : around[last].open),
    // Made in one step, to which `__proto__` is a key as any other.
    value: () => (whole === undefined ? Object.fromEntries(members) : whole),
  };
}

/** What JSON a text holds; `undefined` where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
