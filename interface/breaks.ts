import * as z from 'zod';
import { oneOf } from './silent-row.ts';

/** The stated rules that a service breaks, as services in the field do; without a key, it keeps the rule. */
export interface Breaks {
  /** Documented keys that are spelled otherwise: the new spelling by the stated one. */
  readonly 'key-spelling'?: Readonly<Partial<Record<RespellableKey, string>>>;
  /** A stream that is created without profiles has the recommended ones, and uses them. */
  readonly 'default-profiles'?: true;
  /** `PATCH /stream/{id}` switches recording. */
  readonly 'update-switches-record'?: true;
}

/** Id of a stated rule that a dialect can break. */
export type BreakId = keyof Breaks;

/** A stated rule that a dialect can break. */
interface Break<Value = unknown> {
  /** What the service does, in a sentence. */
  readonly statement: (value: Value) => string;
  /** The requirements of the suite that then fail. */
  readonly requirements: (value: Value) => readonly string[];
  readonly values: z.ZodType<Value>;
  readonly samples: readonly Value[];
}

/** Keys whose spelling a dialect can change, each with the requirements that then fail. */
const requirementsOfKeys = {
  mp4URL: ['LIST-13', 'MEDIA-6', 'MEDIA-7'],
  // biome-ignore format: one line is shorter to read
  recordingUrl: ['LIST-12', 'LIST-15', 'MEDIA-1', 'MEDIA-2', 'MEDIA-3', 'MEDIA-4', 'MEDIA-5', 'MEDIA-7', 'MEDIA-8', 'MEDIA-9'],
  playbackId: ['CREATE-10', 'CREATE-12'],
  streamKey: ['CREATE-9', 'CREATE-11'],
  createdAt: ['CREATE-7', 'CREATE-8', 'LIST-9'],
  parentId: ['LIST-2'],
} as const;

type RespellableKey = keyof typeof requirementsOfKeys;
const respellableKeys = Object.keys(requirementsOfKeys) as RespellableKey[];

/** Every stated rule that a dialect can break. */
export const breaks: { readonly [Id in BreakId]-?: Break<NonNullable<Breaks[Id]>> } = {
  'key-spelling': {
    statement: (spellings) => {
      const spelled = Object.entries(spellings).map(([key, other]) => `${key} as ${other}`);
      return `It spells ${spelled.join(', ')}.`;
    },
    requirements: (spellings) =>
      respellableKeys.filter((key) => key in spellings).flatMap((key) => requirementsOfKeys[key]),
    values: z
      .partialRecord(
        oneOf(...respellableKeys) as unknown as z.ZodEnum<Record<RespellableKey, RespellableKey>>,
        z
          .string('a key of letters, digits and _')
          .regex(/^[A-Za-z_]\w{0,60}$/, 'a key of letters, digits and _'),
        `an object whose keys are some of ${respellableKeys.join(', ')}`,
      )
      .refine((spellings) => Object.keys(spellings).length > 0, {
        error: 'at least one key',
        when: ({ issues }) => issues.length === 0,
      }),
    samples: respellableKeys.map((key) => ({ [key]: `${key}Other` })),
  },
  'default-profiles': {
    statement: () => 'A stream that is created without profiles has the recommended ones.',
    requirements: () => ['MEDIA-4'],
    values: z.literal(true, 'true'),
    samples: [true],
  },
  'update-switches-record': {
    statement: () => 'PATCH /stream/{id} switches recording.',
    requirements: () => ['RECORD-16'],
    values: z.literal(true, 'true'),
    samples: [true],
  },
};

/** The ids of all breaks. */
export const breakIds: readonly BreakId[] = Object.keys(breaks) as BreakId[];

/** A break whose value may be of any type, for code that treats all alike. */
export function breakOf(id: BreakId): Break {
  return breaks[id] as Break;
}
