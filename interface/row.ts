import * as z from 'zod';
import type { Refusal } from './cells.ts';
import { refusalSchema } from './refusals.ts';

/** A stated rule that a service breaks, in a sentence, and the requirements that it then fails. */
export interface BrokenRule {
  readonly statement: string;
  readonly requirements: readonly string[];
}

/** A question that the interface leaves open. */
export interface OpenQuestion<Value> {
  readonly question: string;
  /** What the mock does without a dialect. */
  readonly default: Value;
  /** Whether the value has several names, of which a dialect gives those that differ. */
  readonly each?: true;
  /** The stated rule that a value breaks. Most questions have none. */
  readonly breaks?: ((value: Value) => BrokenRule | undefined) | undefined;
}

/** A question with its possible answers. */
export interface SilentRow<Value = unknown> extends OpenQuestion<Value> {
  /** Schema of the values; of a row with several names, of a value for some of them. */
  readonly values: z.ZodType;
}

/** A row of the table. Its schema is left out of its type, as the types of the package would hold all of zod's. */
export function row<Value>(
  question: string,
  values: z.ZodType<Value>,
  usual: NoInfer<Value>,
  breaks?: OpenQuestion<NoInfer<Value>>['breaks'],
): OpenQuestion<Value> {
  const whole: SilentRow<Value> = { question, values, default: usual, breaks };
  return whole;
}

/** A row whose value is one of some words, of which the first is the mock's own. */
export function words<const Word extends string>(
  question: string,
  ...possible: readonly [Word, ...Word[]]
): OpenQuestion<Word> {
  return row(question, oneWord(...possible), possible[0]);
}

/** A row with a value for each of several names. */
export function each<Name extends string, Value>(
  question: string,
  value: z.ZodType<Value>,
  usual: Readonly<Record<Name, NoInfer<Value>>>,
  breaks?: OpenQuestion<NoInfer<typeof usual>>['breaks'],
): OpenQuestion<Readonly<Record<Name, Value>>> & { readonly each: true } {
  const values = someOf(Object.keys(usual) as Name[], value) as z.ZodType<typeof usual>;
  return { ...row(question, values, usual, breaks), each: true };
}

/** Schema of one of some words. */
export function oneWord<const Word extends string>(...words: readonly Word[]): z.ZodType<Word> {
  return z.enum(words, `one of ${words.join(', ')}`) as unknown as z.ZodType<Word>;
}

/** Schema of one of some words, or a refusal. */
export function wordOrRefusal<const Word extends string>(
  ...words: readonly Word[]
): z.ZodType<Word | Refusal> {
  const expected = `one of ${words.join(', ')}, or {"status"} of a refusal`;
  return z.union([oneWord(...words), refusalSchema], expected);
}

/** Schema of a value for some of several names. */
export function someOf<const Name extends string, Value>(
  names: readonly Name[],
  value: z.ZodType<Value>,
): z.ZodType<Readonly<Partial<Record<Name, Value>>>> {
  const shape = Object.fromEntries(names.map((name) => [name, value.exactOptional()]));
  const expected = `an object with some of ${names.join(', ')}`;
  return z.strictObject(shape, expected) as unknown as ReturnType<typeof someOf<Name, Value>>;
}
