import * as z from 'zod';
import { refusalSchema } from './cell-schemas.ts';
import type { Refusal } from './cells.ts';

/** A question that the interface leaves open. */
export interface BehaviourQuestion<Value> {
  readonly question: string;
  /** What the mock does without a dialect. */
  readonly defaultValue: Value;
  /** Whether it has a value for each of several names. A dialect gives only those that differ. */
  readonly isNamed?: true;
}

/** A question with its possible answers. */
export interface BehaviourDefinition<Value = unknown> extends BehaviourQuestion<Value> {
  /** Schema of the values; with several names, of the values of some of them. */
  readonly values: z.ZodType;
}

/** Defines a behaviour. The type hides the schema; otherwise the package's declarations would include zod's. */
export function behaviour<Value>(
  question: string,
  values: z.ZodType<Value>,
  defaultValue: NoInfer<Value>,
): BehaviourQuestion<Value> {
  const definition: BehaviourDefinition<Value> = { question, values, defaultValue };
  return definition;
}

/** Defines a behaviour with one of several words as its value. The first word is the default. */
export function choice<const Word extends string>(
  question: string,
  ...words: readonly [Word, ...Word[]]
): BehaviourQuestion<Word> {
  return behaviour(question, oneOfWords(...words), words[0]);
}

/** Defines a behaviour with a value for each of several names. */
export function behaviourByName<Name extends string, Value>(
  question: string,
  value: z.ZodType<Value>,
  defaultValue: Readonly<Record<Name, NoInfer<Value>>>,
): BehaviourQuestion<Readonly<Record<Name, Value>>> & { readonly isNamed: true } {
  const values = someOf(Object.keys(defaultValue) as Name[], value) as z.ZodType<
    typeof defaultValue
  >;
  return { ...behaviour(question, values, defaultValue), isNamed: true };
}

/** Schema of one of some words. */
export function oneOfWords<const Word extends string>(...words: readonly Word[]): z.ZodType<Word> {
  return z.enum(words, `one of ${words.join(', ')}`) as unknown as z.ZodType<Word>;
}

/** Schema of one of some words, or a refusal. */
export function oneOfWordsOrRefusal<const Word extends string>(
  ...words: readonly Word[]
): z.ZodType<Word | Refusal> {
  const expected = `one of ${words.join(', ')}, or {"status"} of a refusal`;
  return z.union([oneOfWords(...words), refusalSchema], expected);
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
