import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { isObject } from '../../json.ts';
import type { Correspondence } from './correspondence.ts';
import type { Finding } from './finding.ts';
import { compareRecords, compareValues } from './records.ts';

/** What a comparison of two lists needs to know. */
export interface ListContext {
  readonly correspondence: Correspondence;
  /** Which object of the sequence a side shows; `undefined` for what the sequence did not make. */
  readonly recognize: (side: 0 | 1, record: JsonObject) => object | undefined;
}

type Lists = readonly [readonly unknown[], readonly unknown[]];

/** How two lists differ in what the sequence made: which items, their order, and the items themselves. */
export function compareLists(lists: Lists, context: ListContext): Finding[] {
  const areObjects = [lists[0].every(isObject), lists[1].every(isObject)] as const;
  if (areObjects[0] !== areObjects[1]) return compareValues(...areObjects, 'items are objects');
  const owned = [own(lists[0], 0, context), own(lists[1], 1, context)] as const;
  const [one, other] = owned;
  const missing = countMissing(other, one);
  const further = countMissing(one, other);
  if (missing > 0 || further > 0) {
    // Where a page is full of what others made, ours is behind it.
    if (isShared(lists[0], one, missing) || isShared(lists[1], other, further)) return [];
    const kinds = [countWord(missing, further), countWord(further, missing)] as const;
    return [{ where: 'items', kinds }];
  }
  // Everything is in both, so the longer one shows something twice.
  if (one.length !== other.length) {
    const twice = one.length > other.length;
    return [{ where: 'items', kinds: twice ? ['more', 'fewer'] : ['fewer', 'more'] }];
  }
  if (one.some(({ made }, index) => other[index]?.made !== made)) {
    return [{ where: 'order of items', kinds: ['one', 'another'] }];
  }
  return one.flatMap(({ record }, index) =>
    compareRecords([record, other[index]?.record ?? {}], '[]', context.correspondence),
  );
}

function countWord(missing: number, further: number): string {
  if (missing > 0 && further > 0) return 'others';
  return missing > 0 ? 'fewer' : 'more';
}

/** How many of some items are not among others. */
function countMissing(items: readonly Owned[], others: readonly Owned[]): number {
  const among = new Set(others.map(({ made }) => made));
  return items.filter(({ made }) => !among.has(made)).length;
}

interface Owned {
  readonly made: object;
  readonly record: JsonObject;
}

function own(list: readonly unknown[], side: 0 | 1, { recognize }: ListContext): Owned[] {
  return list.filter(isObject).flatMap((record) => {
    const made = recognize(side, record);
    return made === undefined ? [] : [{ made, record }];
  });
}

function isShared(list: readonly unknown[], owned: readonly Owned[], missing: number): boolean {
  return missing > 0 && list.length > owned.length;
}
