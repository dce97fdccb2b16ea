import { type SampleKind, sampleValues } from '../../interface/sample-values.ts';

/** The samples of every kind of JSON value but these. */
export function samplesExcept(...stated: readonly SampleKind[]): unknown[] {
  return Object.entries(sampleValues).flatMap(([kind, values]) =>
    stated.some((statedKind) => statedKind === kind) ? [] : [...values],
  );
}

/** The samples of kinds that hold text. A field whose type is string may have any of them. */
export const kindsOfText = ['number-text', 'boolean-text', 'text', 'empty'] as const;

/** The values that a lenient service may read as a boolean, and which one they look like. */
export const booleanLookAlikes = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);
