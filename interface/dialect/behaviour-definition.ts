import * as z from 'zod';
import { refusalSchema } from './cell-schemas.ts';
import type { Refusal } from './cells.ts';

/** What values of a form that has no fixed words look like, and what they mean. */
interface OtherValues {
  readonly form: string;
  readonly meaning: string;
}

/** A question that the interface leaves open. */
export interface BehaviourQuestion<Value> {
  readonly question: string;
  /** What the mock does without a dialect. */
  readonly defaultValue: Value;
  /** What each word, `null`, `true` or `false` means. */
  readonly meanings: Readonly<Record<string, string>>;
  /** The values that are none of these, if it has any. */
  readonly other?: OtherValues;
  /** A value that is not the default; with several names, of some of them. */
  readonly example: unknown;
  /** If it has a value for each of several names, what each is about. A dialect gives only those that differ. */
  readonly names?: Readonly<Record<string, string>>;
  readonly isNamed?: true;
}

/** A question with its possible answers. */
export interface BehaviourDefinition<Value = unknown> extends BehaviourQuestion<Value> {
  /** Schema of the values; with several names, of the values of some of them. */
  readonly values: z.ZodType;
  /** Schema of a value; with several names, of the value of one of them. */
  readonly value: z.ZodType;
}

/** The words among some values; `null`, `true` and `false` count as words. */
type WordsOf<Value> = Value extends string
  ? string extends Value
    ? never
    : Value
  : Value extends boolean | null
    ? `${Value}`
    : never;

/** Values that are no words. */
type OtherThanWords<Value> = Value extends boolean | null
  ? never
  : Value extends string
    ? string extends Value
      ? Value
      : never
    : Value;

/** What all values mean: nothing may be left out. */
interface WordMeanings<Value> {
  readonly meanings: { readonly [Word in WordsOf<Value>]: string };
}
type Meanings<Value> = WordMeanings<Value> &
  ([OtherThanWords<Value>] extends [never]
    ? { readonly other?: never }
    : { readonly other: OtherValues });

/** Defines a behaviour. The type hides the schemas; otherwise the package's declarations would include zod's. */
export function behaviour<Value>(
  question: string,
  value: z.ZodType<Value>,
  details: Meanings<NoInfer<Value>> & {
    readonly defaultValue: NoInfer<Value>;
    readonly example: NoInfer<Value>;
  },
): BehaviourQuestion<Value> {
  const definition: BehaviourDefinition<Value> = { question, values: value, value, ...details };
  return definition;
}

/** Defines a behaviour with one of several words as its value. The first word is the default. */
export function choice<const Word extends string>(
  question: string,
  meanings: Readonly<Record<Word, string>>,
): BehaviourQuestion<Word> {
  const words = Object.keys(meanings) as Word[];
  const [defaultValue, example] = words as [Word, Word];
  const value = oneOfWords(...words);
  const definition: BehaviourDefinition<Word> = {
    question,
    values: value,
    value,
    meanings,
    defaultValue,
    example,
  };
  return definition;
}

/** Defines a behaviour with a value for each of several names. */
export function behaviourByName<Name extends string, Value>(
  question: string,
  names: Readonly<Record<Name, string>>,
  value: z.ZodType<Value>,
  details: Meanings<NoInfer<Value>> & {
    readonly defaultValue: Readonly<Record<NoInfer<Name>, NoInfer<Value>>>;
    readonly example: Readonly<Partial<Record<NoInfer<Name>, NoInfer<Value>>>>;
  },
): BehaviourQuestion<Readonly<Record<Name, Value>>> & { readonly isNamed: true } {
  const values = someOf(Object.keys(names) as Name[], value);
  const definition: BehaviourDefinition<Readonly<Record<Name, Value>>> = {
    question,
    names,
    values,
    value,
    ...details,
  };
  return { ...definition, isNamed: true };
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
