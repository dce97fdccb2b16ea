import * as z from 'zod';

/** A question that the interface leaves open: one row of the table of silent behaviours. */
export interface SilentRow<Value = unknown> {
  /** The clause of the interface that is silent about it. */
  readonly clause: string;
  readonly question: string;
  /** What some of the values mean, where their words do not say it. */
  readonly note?: string;
  /** Schema of the possible values. None of them breaks a stated rule. */
  readonly values: z.ZodType<Value>;
  /** What the mock does without a dialect. */
  readonly default: Value;
  /** Other values, at least one of each kind, with which tests try the row. */
  readonly samples: readonly Value[];
  /** Requirements of the suite that limit the possible values. */
  readonly bounds: readonly string[];
  /** Rows that no client can notice when this row has one of some values, or any but these. */
  readonly hides?: ({ readonly unless: readonly Value[] } | { readonly when: readonly Value[] }) & {
    readonly rows: readonly string[];
  };
}

/** A row for each value of `Behaviours`, by its id. */
export type RowsOf<Behaviours> = { readonly [Id in keyof Behaviours]: SilentRow<Behaviours[Id]> };

/** The same kind of row for each of several names. */
export function rowsFor<Prefix extends string, Name extends string, Value>(
  prefix: Prefix,
  names: readonly Name[],
  build: (name: Name) => SilentRow<Value>,
): Record<`${Prefix}.${Name}`, SilentRow<Value>> {
  const rows = names.map((name) => [`${prefix}.${name}`, build(name)] as const);
  return Object.fromEntries(rows) as Record<`${Prefix}.${Name}`, SilentRow<Value>>;
}

/** A value of JSON. */
export type Json = z.core.util.JSONType;

/**
 * The body of a refusal: `empty`, a text of some content type, or JSON. In JSON the text `{message}`
 * stands for a sentence about the request, and the text `{status}` for the number of the status.
 */
export type RefusalBody = 'empty' | { readonly type: string; readonly json?: Json };

/** How a request is refused; without `body` the body has the form in the row `refusal.body`. */
export interface Refusal {
  /** From 400 to 499. */
  readonly status: number;
  readonly body?: RefusalBody;
}

/**
 * The largest value that is accepted: every value up to `atLeast` is, and `below` is refused, if it is
 * given. What lies between is not known; the mock refuses it.
 */
export interface UpperLimit {
  readonly atLeast: number;
  readonly below?: number;
  readonly refusal?: Refusal;
}

/** The largest value that the mock accepts; infinity where no refusal is known. */
export function largestAccepted({ atLeast, below }: UpperLimit): number {
  return below === undefined ? Number.POSITIVE_INFINITY : atLeast;
}

/** The smallest value that is accepted: every value from `atMost` up is, and `above` is refused, if it is given. */
export interface LowerLimit {
  readonly atMost: number;
  readonly above?: number;
  readonly refusal?: Refusal;
}

const contentType = z
  .string('a content type')
  .regex(
    /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/,
    'a content type such as text/plain',
  );

/** Schema of {@link Json}. */
export const jsonSchema: z.ZodType<Json> = z.json();

/** Schema of {@link RefusalBody}. */
export const refusalBodySchema: z.ZodType<RefusalBody> = z.union(
  [z.literal('empty'), z.strictObject({ type: contentType, json: jsonSchema.exactOptional() })],
  '"empty", {"type"} for a text or {"type","json"} for JSON',
);

const status = z
  .int('a status from 400 to 499')
  .min(400, 'a status from 400 to 499')
  .max(499, 'a status from 400 to 499');

/** Schema of {@link Refusal}. */
export const refusalSchema: z.ZodType<Refusal> = z.strictObject(
  { status, body: refusalBodySchema.exactOptional() },
  '{"status"} of a refusal, from 400 to 499',
);

/** Schema of one of some words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): z.ZodType<Word> {
  return z.enum(words, `one of ${words.join(', ')}`) as unknown as z.ZodType<Word>;
}

/** Schema of one of some words, or a refusal. */
export function oneOfOrRefusal<const Word extends string>(
  ...words: readonly Word[]
): z.ZodType<Word | Refusal> {
  return z.union(
    [oneOf(...words), refusalSchema],
    `one of ${words.join(', ')}, or {"status"} of a refusal`,
  );
}

const count = z.int('a whole number, 0 or above').min(0, 'a whole number, 0 or above');

/** Schema of an {@link UpperLimit} that does not refuse a usual value. */
export function upperLimitSchema(usual: number): z.ZodType<UpperLimit> {
  const expected = `a whole number, ${usual} or above, as check and learn send such values`;
  return z
    .strictObject(
      {
        atLeast: z.int(expected).min(usual, expected),
        below: count.exactOptional(),
        refusal: refusalSchema.exactOptional(),
      },
      `{"atLeast"}, or {"atLeast","below","refusal"}; atLeast is ${usual} or above`,
    )
    .refine(({ atLeast, below = Number.POSITIVE_INFINITY }) => below > atLeast, {
      path: ['below'],
      error: 'a whole number above atLeast',
    });
}

/** Schema of a {@link LowerLimit} that does not refuse a usual value. */
export function lowerLimitSchema(usual: number): z.ZodType<LowerLimit> {
  const expected = `a whole number, ${usual} or below, as check and learn send such values`;
  return z
    .strictObject(
      {
        atMost: z.int(expected).min(0, expected).max(usual, expected),
        above: count.exactOptional(),
        refusal: refusalSchema.exactOptional(),
      },
      `{"atMost"}, or {"atMost","above","refusal"}; atMost is ${usual} or below`,
    )
    .refine(({ atMost, above = Number.NEGATIVE_INFINITY }) => above < atMost, {
      path: ['above'],
      error: 'a whole number below atMost',
    });
}

/** A row about a field that the interface does not name. */
export function furtherFieldRow(
  question: string,
  usual: 'kept' | 'dropped' | Refusal,
): SilentRow<'kept' | 'dropped' | Refusal> {
  const others = ['kept', 'dropped', { status: 406 }] as const;
  return {
    clause: '4.1',
    question,
    values: oneOfOrRefusal('kept', 'dropped'),
    default: usual,
    samples: others.filter((value) => value !== usual),
    bounds: [],
  };
}

/** A row about something that is accepted or refused. */
export function acceptedRow(
  question: string,
  usual: 'accepted' | Refusal,
  bounds: readonly string[],
): SilentRow<'accepted' | Refusal> {
  return {
    clause: '8',
    question,
    values: oneOfOrRefusal('accepted'),
    default: usual,
    samples: usual === 'accepted' ? [{ status: 422 }] : ['accepted', { status: 406 }],
    bounds,
  };
}

/** A row about something that is dropped or refused. */
export function droppedRow(
  clause: string,
  question: string,
  usual: 'dropped' | Refusal,
  bounds: readonly string[] = [],
): SilentRow<'dropped' | Refusal> {
  return {
    clause,
    question,
    values: oneOfOrRefusal('dropped'),
    default: usual,
    samples: usual === 'dropped' ? [{ status: 422 }] : ['dropped', { status: 406 }],
    bounds,
  };
}
