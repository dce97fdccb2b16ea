import * as z from 'zod';
import { oneOf } from './silent-row.ts';

/** The stated rules that a service breaks, as services in the field do; without a key, it keeps the rule. */
export interface Breaks {
  /** Documented keys that are spelled otherwise: the new spelling by the stated one. */
  readonly 'key-spelling'?: Readonly<Partial<Record<DocumentedKey, string>>>;
  /** A stream that is created without profiles has the recommended ones, and uses them. */
  readonly 'default-profiles'?: true;
  /** `PATCH /stream/{id}` switches recording. */
  readonly 'update-switches-record'?: true;
}

/** A stated rule that a dialect can break. */
interface Break<Value> {
  /** What the service does, in a sentence. */
  readonly statement: string;
  /** Requirements of the suite that then can fail. */
  readonly requirements: readonly string[];
  readonly values: z.ZodType<Value>;
  readonly samples: readonly Value[];
}

/** Keys whose spelling a dialect can change. */
export const respelledKeys = [
  'mp4URL',
  'recordingUrl',
  'playbackId',
  'streamKey',
  'createdAt',
  'parentId',
] as const;

export type DocumentedKey = (typeof respelledKeys)[number];

/** Every stated rule that a dialect can break. */
export const breaks: { readonly [Id in keyof Breaks]-?: Break<NonNullable<Breaks[Id]>> } = {
  'key-spelling': {
    statement: 'A documented key is spelled otherwise.',
    requirements: ['CREATE-7', 'CREATE-9', 'CREATE-10', 'LIST-2', 'LIST-9', 'LIST-12', 'LIST-13'],
    values: z.partialRecord(
      oneOf(...respelledKeys) as unknown as z.ZodEnum<Record<DocumentedKey, DocumentedKey>>,
      z.string().regex(/^[A-Za-z_]\w{0,60}$/, 'a key of letters, digits and _'),
    ),
    samples: [{ mp4URL: 'mp4Address' }],
  },
  'default-profiles': {
    statement: 'A stream that is created without profiles has the recommended ones.',
    requirements: ['MEDIA-4'],
    values: z.literal(true),
    samples: [true],
  },
  'update-switches-record': {
    statement: 'PATCH /stream/{id} switches recording.',
    requirements: ['RECORD-16'],
    values: z.literal(true),
    samples: [true],
  },
};

export type BreakId = keyof Breaks;
