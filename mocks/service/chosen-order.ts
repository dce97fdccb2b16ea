import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { Entry } from '../state/ordered.ts';
import type { PageOrder } from '../state/pages.ts';
import { plainSession, plainStream } from './views.ts';
import type { Requester } from './world.ts';

/** Which records a client wants, and in which order. */
export interface Choice {
  /** All of them must match. A text for `name` may be any part of the name, in any letter case. */
  readonly filters: readonly { readonly id: string; readonly value: string | number | boolean }[];
  /** The first field in which two records differ decides. Without fields, the list has its default order. */
  readonly order: readonly { readonly field: string; readonly largestFirst: boolean }[];
}

type Listed = StreamRecord | SessionRecord;

/** A value by which records are chosen and sorted. `null` stands for one that is absent, or that has parts. */
type FieldValue = string | number | boolean | null;

/** Whether a record passes all filters. */
export function passesFilters(
  requester: Requester,
  filters: Choice['filters'],
  record: Listed,
): boolean {
  if (filters.length === 0) return true;
  const read = fieldReader(requester, record);
  return filters.every(({ id, value }) => passesFilter(id, read(id), value));
}

function passesFilter(field: string, value: FieldValue, wanted: NonNullable<FieldValue>): boolean {
  if (field !== 'name') return value === wanted;
  return String(value).toLowerCase().includes(String(wanted).toLowerCase());
}

/**
 * The order of some fields. A cursor holds the values of the last record on its page, so the next page goes on after them,
 * whatever was added, changed or deleted in between. Records that are equal in all fields are sorted by time, in the
 * direction of the last field.
 */
export function chosenOrder<Item extends Listed>(
  requester: Requester,
  entries: readonly Entry<Item>[],
  order: Choice['order'],
): PageOrder<Item> {
  const lastDirection = order.at(-1)?.largestFirst ?? true;
  const directions = [
    ...order.map(({ largestFirst }) => largestFirst),
    lastDirection,
    lastDirection,
  ];
  const keyOf = ({ record, sequence }: Entry<Item>): FieldValue[] => {
    const read = fieldReader(requester, record);
    return [...order.map(({ field }) => shorten(read(field))), record.createdAt, sequence];
  };
  const compare = (left: readonly FieldValue[], right: readonly FieldValue[]): number => {
    for (const [index, largestFirst] of directions.entries()) {
      const difference = compareValues(left[index] ?? null, right[index] ?? null);
      if (difference !== 0) return largestFirst ? -difference : difference;
    }
    return 0;
  };
  const keyed = entries
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .sort((left, right) => compare(left.key, right.key));
  return {
    entries: keyed.map(({ entry }) => entry),
    step: 1,
    cursorOf: (entry) => writeKey(keyOf(entry)),
    indexAfter(cursor) {
      const place = readKey(cursor, directions.length);
      if (place === undefined) return undefined;
      const index = keyed.findIndex(({ key }) => compare(key, place) > 0);
      return index === -1 ? keyed.length : index;
    },
  };
}

/** Reads the value of a field, or that within it if it is an object with a key `value`. */
function fieldReader(requester: Requester, record: Listed): (field: string) => FieldValue {
  const view: Readonly<Record<string, unknown>> = {
    ...('parentId' in record
      ? plainSession(requester, record)
      : plainStream(requester.world, record)),
  };
  return (field) => {
    const value = Object.hasOwn(view, field) ? view[field] : undefined;
    const isWrapped = typeof value === 'object' && value !== null && 'value' in value;
    const plain = isWrapped ? value.value : value;
    return isFieldValue(plain) ? plain : null;
  };
}

function isFieldValue(value: unknown): value is FieldValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** How many characters of a text count, so that a cursor fits into the header of a response. */
const sortedLength = 100;

function shorten(value: FieldValue): FieldValue {
  return typeof value === 'string' ? value.slice(0, sortedLength) : value;
}

/** An absent value is the smallest. */
function compareValues(left: FieldValue, right: FieldValue): number {
  if (left === right) return 0;
  return right !== null && (left === null || left < right) ? -1 : 1;
}

/** Writes a key as a cursor. As base64url, it needs no escape in a header or an address. */
function writeKey(key: readonly FieldValue[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(key));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `k${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The key of some length that a cursor holds, if {@link writeKey} could have written it. */
function readKey(cursor: string, length: number): FieldValue[] | undefined {
  if (!/^k[\w-]+$/.test(cursor)) return undefined;
  try {
    const base64 = cursor.slice(1).replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const key: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const isKey = Array.isArray(key) && key.length === length && key.every(isFieldValue);
    return isKey ? key : undefined;
  } catch {
    return undefined;
  }
}
