import * as fc from 'fast-check';
import { ladders } from '../../../interface/limit-ladders.ts';
import type { Json } from '../../../interface/silent-row.ts';
import type { NumberField } from './edits.ts';

/** A whole number whose logarithm is even: every magnitude is as likely as any other. */
export function magnitude(bits: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: bits * 64 }).map((step) => Math.floor(2 ** (step / 64)));
}

/** Values of every type; each field refuses some of them. */
export const anyType: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    0.5,
    '',
    'text',
    '1',
    'true',
    [],
    ['text'],
    [null],
    {},
    { a: 1 },
  ],
);

const text = fc.oneof(
  { weight: 5, arbitrary: fc.constant('a') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

const lengths = fc.oneof(fc.constantFrom(...ladders.name, 70_000), magnitude(17));
/** Names by length, by characters, and what is no name. */
export const oddName: fc.Arbitrary<Json | undefined> = fc.oneof(
  { weight: 7, arbitrary: lengths.map((length) => 'n'.repeat(length)) },
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom('Hafen – Süd', '港', '🚢', 'a\u0000b', '<b>&amp;</b>') },
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: fc.constant(' two  words ') },
  { weight: 4, arbitrary: anyType },
  { weight: 2, arbitrary: fc.constant(undefined) },
);

/** Values of a field, and now and then null, which some services take for a missing field. */
export function orNull(values: fc.Arbitrary<Json | undefined>): fc.Arbitrary<Json | undefined> {
  return fc.oneof({ weight: 8, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
}

export function oddNumber(field: NumberField): fc.Arbitrary<Json | undefined> {
  const { smallest, largest } = ladders[field];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.constantFrom(0.5, 29.97, 1_000.25) },
    { weight: 1, arbitrary: fc.constantFrom(-1, -30) },
    { weight: 5, arbitrary: fc.constantFrom(...smallest, ...smallest.slice(0, 3)) },
    { weight: 4, arbitrary: fc.constantFrom<number[]>(...largest) },
    { weight: 4, arbitrary: magnitude(52) },
    { weight: 2, arbitrary: anyType },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}
