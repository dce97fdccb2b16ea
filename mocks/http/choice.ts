import * as z from 'zod';
import type { Manners } from '../../interface/dialect.ts';
import type { ListOperation } from '../../interface/errors.ts';
import { type Choice, choosableFields } from '../service/chosen-records.ts';
import { takeQuery } from './take-query.ts';

const field = z.enum(choosableFields);
const number = z.number();
const bounds = z.strictObject({
  gt: number.exactOptional(),
  gte: number.exactOptional(),
  lt: number.exactOptional(),
  lte: number.exactOptional(),
});
const filters = z.array(
  z.strictObject({ id: field, value: z.union([z.string(), number, z.boolean(), bounds]) }),
);

const order = z.array(z.strictObject({ field, largestFirst: z.boolean() }));

const fields = choosableFields.join(', ');

/** How each query parameter chooses records; a text that says nothing is `undefined`. */
const readers = {
  active: {
    expected: 'true or false',
    read: (text): Partial<Choice> | undefined => {
      if (text === 'false') return {};
      return text === 'true' ? { filters: [{ id: 'isActive', value: true }] } : undefined;
    },
  },
  order: {
    expected: `fields such as createdAt-true, each one of ${fields} with -true or -false`,
    read: (text) => {
      const parts = text.split(',').map((part) => /^(\w+)-(true|false)$/.exec(part) ?? []);
      const keys = parts.map(([, name, largest]) => ({
        field: name,
        largestFirst: largest === 'true',
      }));
      const found = order.safeParse(keys);
      return found.success ? { order: found.data } : undefined;
    },
  },
  filters: {
    expected: `JSON such as [{"id":"record","value":true}], each id one of ${fields}`,
    read: (text) => {
      const found = filters.safeParse(readJson(text));
      return found.success ? { filters: found.data } : undefined;
    },
  },
} as const satisfies Record<string, Reader>;

interface Reader {
  readonly expected: string;
  readonly read: (text: string) => Partial<Choice> | undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Which records of a list a request chooses, and in which order; `undefined` where it says nothing.
 * @throws Problem 422 for a value that says nothing the mock knows, or a parameter that is refused.
 */
export function readChoice(
  { searchParams }: URL,
  list: ListOperation,
  manners: Manners,
): Choice | undefined {
  if (searchParams.size === 0) return undefined;
  const given = Object.entries(readers).flatMap(([name, { expected, read }]: [string, Reader]) => {
    const text = takeQuery(manners, list, { name, text: searchParams.get(name), expected });
    if (text === undefined) return [];
    const choice = read(text);
    if (choice !== undefined) return [choice];
    const kind = text === '' ? 'empty' : 'other';
    takeQuery(manners, list, { name, text, expected, kind });
    return [];
  });
  if (given.length === 0) return undefined;
  return {
    filters: given.flatMap((choice) => choice.filters ?? []),
    order: given.flatMap((choice) => choice.order ?? []),
  };
}
