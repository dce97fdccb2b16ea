import type { Ended } from './json-scan.ts';
import { mayBeUnsafe, refuseUnsafeJson } from './unsafe-json.ts';

/** The value of a JSON text that is parsed part by part. */
export interface JsonParts {
  /**
   * Adds a part: the text up to a comma after a member or an item, or up to the end. Returns false, and
   * adds nothing, for a part that is not JSON.
   */
  add(text: string, ended?: Ended): boolean;
  /** The brackets that are open at the beginning of the next part. */
  open(): readonly ('{' | '[')[];
  /**
   * The value, once the last part has been added.
   * @throws Problem 400 for unsafe JSON.
   */
  value(): unknown;
}

/** What is added before and after a part to make it JSON of its own, by what the comma there ends. */
const around = {
  member: { before: '{', after: '}', open: ['{'] },
  item: { before: '{"":[', after: ']}', open: ['{', '['] },
} as const satisfies Record<Ended, object>;

/** Collects the parts. A part with a piece of an array has no other member. */
export function createJsonParts(): JsonParts {
  const members: [key: string, value: unknown][] = [];
  let whole: unknown;
  /** What the comma before the next part ended. */
  let last: Ended | undefined;
  let isSuspect = false;

  /** An empty part is an error: JSON has a member or an item on each side of a comma. */
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
      isSuspect ||= mayBeUnsafe(text);
      last = ended;
      return true;
    },
    open: () => (last === undefined ? [] : around[last].open),
    value() {
      // `fromEntries` treats `__proto__` like any other key; an assignment would not.
      const value = whole === undefined ? Object.fromEntries(members) : whole;
      if (isSuspect) refuseUnsafeJson(value);
      return value;
    },
  };
}

/** The value of a JSON text; `undefined` for any other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
