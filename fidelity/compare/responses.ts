import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { isObject } from '../../interface/json.ts';
import { formOf } from '../form.ts';
import { jsonOf, namesIn, recordsIn } from '../response.ts';
import {
  type Correspondence,
  compareRecords,
  compareValues,
  differ,
  differInSize,
  type Finding,
  type Two,
} from './records.ts';

/** Which object of the sequence a side shows; `undefined` for what the sequence did not make. */
type Recognize = (record: JsonObject) => object | undefined;

/** How two responses to the same request differ, in every respect that clients can notice. */
export function compareResponses(
  responses: Two<TargetResponse>,
  recognize: Two<Recognize>,
  correspondence: Correspondence,
): Finding[] {
  const [one, other] = responses;
  if (one.status !== other.status) {
    return differ('status', String(one.status), String(other.status));
  }
  // The content type of a refusal is compared as a header.
  const bodies =
    one.status >= 400
      ? differ('refusal', contentOf(one), contentOf(other))
      : compareBodies(responses, recognize, correspondence);
  return [...compareHeaders(responses), ...bodies];
}

/** The form of a refusal's JSON, or what it is instead. */
function contentOf(response: TargetResponse): string {
  const form = formOf(response);
  return JSON.stringify(form === 'empty' ? form : (form.json ?? 'text'));
}

function compareBodies(
  responses: Two<TargetResponse>,
  recognize: Two<Recognize>,
  correspondence: Correspondence,
): Finding[] {
  const [one, other] = responses.map(recordsIn);
  const areAlike = one?.isList === other?.isList && one?.wrapper === other?.wrapper;
  if (one !== undefined && other !== undefined && areAlike) {
    const records = [one.records, other.records] as const;
    if (one.isList) return compareLists(records, recognize, correspondence);
    return compareRecords([records[0][0] ?? {}, records[1][0] ?? {}], '', correspondence);
  }
  const [first, second] = responses.map(jsonOf);
  if (isObject(first) && isObject(second)) {
    return compareRecords([first, second], '', correspondence);
  }
  if (first === undefined && second === undefined) {
    return compareValues(responses[0].text === '', responses[1].text === '', 'body is empty');
  }
  return compareValues(first, second, 'body');
}

/** What counts of a header that is there on one side at least. */
type Read = (value: string | null) => string;

const presence: Read = (text) => (text === null ? 'absent' : 'present');
const value: Read = (text) => text?.trim().toLowerCase() ?? 'absent';
const list: Read = (text) =>
  text === null ? 'absent' : namesIn(text.toLowerCase()).sort().join(', ') || 'empty';

/** The headers that are compared. */
const headers: Readonly<Record<string, Read>> = {
  'content-type': (text) => value(text).replace(/\s*;\s*/g, '; '),
  location: presence,
  allow: list,
  etag: presence,
  'www-authenticate': (text) => value(text).split(' ')[0] ?? '',
  'retry-after': value,
  'access-control-allow-origin': value,
  'access-control-allow-credentials': value,
  'access-control-allow-methods': list,
  'access-control-allow-headers': list,
  'access-control-expose-headers': list,
  'access-control-max-age': value,
};

/** How the headers that clients read differ. */
function compareHeaders(responses: Two<TargetResponse>): Finding[] {
  // Without a body a content type says nothing.
  const isEmpty = responses.some(({ text }) => text === '');
  return Object.entries(headers).flatMap(([name, read]) => {
    if (name === 'content-type' && isEmpty) return [];
    const [one, other] = responses.map((response) => read(response.headers.get(name)));
    return differ(`header ${name}`, one ?? '', other ?? '');
  });
}

/** How two lists differ in what the sequence made: which items, their order, and the items themselves. */
function compareLists(
  lists: Two<readonly JsonObject[]>,
  recognize: Two<Recognize>,
  correspondence: Correspondence,
): Finding[] {
  const ownedIn = (side: 0 | 1) =>
    lists[side].flatMap((record) => {
      const made = recognize[side](record);
      return made === undefined ? [] : [{ made, record }];
    });
  type Owned = ReturnType<typeof ownedIn>;
  const one = ownedIn(0);
  const other = ownedIn(1);
  const countMissing = (items: Owned, others: Owned): number =>
    items.filter(({ made }) => !others.some((each) => each.made === made)).length;
  const missing = countMissing(other, one);
  const further = countMissing(one, other);
  // Where a page is full of what others made, ours is behind it.
  if (missing > 0 && lists[0].length > one.length) return [];
  if (further > 0 && lists[1].length > other.length) return [];
  if (missing > 0 && further > 0) return [{ where: 'items', kinds: ['others', 'others'] }];
  // Where everything is in both, the longer one shows something twice.
  if (one.length !== other.length) {
    return differInSize('items', one.length, other.length, ['fewer', 'more']);
  }
  if (one.some(({ made }, index) => other[index]?.made !== made)) {
    return [{ where: 'order of the list', kinds: ['one', 'another'] }];
  }
  return one.flatMap(({ record }, index) =>
    compareRecords([record, other[index]?.record ?? {}], '[]', correspondence),
  );
}
