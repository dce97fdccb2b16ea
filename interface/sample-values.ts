import type { Json } from './json.ts';

/**
 * Samples of every kind of JSON value. Whatever type the interface states for a field, the samples of the other kinds are
 * wrong values of it. Some look like a value of another kind, as a lenient program would read them.
 */
export const sampleValues = {
  null: [null],
  'number-text': ['640', '481'],
  'boolean-text': ['true', 'false'],
  text: ['wide', 'a b'],
  'boolean-number': [1, 0],
  number: [5, 0.5],
  boolean: [true, false],
  array: [[], [1]],
  object: [{}, { a: 1 }],
  empty: [''],
  negative: [-1, -640],
} as const satisfies Readonly<Record<string, readonly Json[]>>;

/** What kind of value a sample is. */
export type SampleKind = keyof typeof sampleValues;
