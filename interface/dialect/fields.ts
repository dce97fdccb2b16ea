import { isObject, type Json } from '../json.ts';
import { recommendedProfiles } from '../recommended-profiles.ts';
import { h264Profiles, type SdkField, sdkFields } from '../types.ts';

/** Operations whose requests have a JSON body. */
export const bodyOperations = ['createStream', 'updateStream', 'setRecord'] as const;
export type BodyOperation = (typeof bodyOperations)[number];

/** The numbers of a profile. */
export const profileNumbers = ['bitrate', 'fps', 'width', 'height'] as const;

/**
 * The values that `learn` tries to find a limit, which lies between two of them. The first one, or the last one
 * of a minimum, is valid everywhere, because `check`, `learn` and `compare` send such values. After the
 * last maximum of a number, it tries the largest whole number that JSON carries exactly.
 */
export const limitSteps = {
  name: [32, 50, 64, 100, 128, 255, 1_000, 4_000, 16_000, 64_000],
  body: [1_024, 4_096, 16_384, 65_536, 102_400, 262_144, 524_288, 1_048_576, 2_621_440],
  limit: [5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000],
  bitrate: { smallest: [1, 1_000, 64_000, 250_000, 500_000], largest: [2e6, 4e6, 2e7, 1e8, 1e9] },
  fps: { smallest: [1, 5, 15, 24, 30], largest: [30, 60, 120, 240, 1_000] },
  width: { smallest: [1, 16, 128, 320, 640], largest: [1_280, 1_920, 4_096, 8_192, 65_536] },
  height: { smallest: [1, 16, 128, 240, 360], largest: [720, 1_080, 4_096, 8_192, 65_536] },
} as const;

/** How a value of any field can be wrong: one or two wrong values, and how such a value is recognized. */
const wrongKinds = {
  missing: { values: [undefined], is: (value) => value === undefined },
  null: { values: [null], is: (value) => value === null },
  'number-text': {
    values: ['640', '481'],
    is: (value) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value),
  },
  'boolean-text': {
    values: ['true', 'false'],
    is: (value) => value === 'true' || value === 'false',
  },
  text: { values: ['wide', 'a b'], is: (value) => typeof value === 'string' },
  'boolean-number': { values: [1, 0], is: (value) => value === 1 || value === 0 },
  number: { values: [5, 0.5], is: (value) => typeof value === 'number' },
  boolean: { values: [true, false], is: (value) => typeof value === 'boolean' },
  array: { values: [[], [1]], is: Array.isArray },
  object: { values: [{}, { a: 1 }], is: isObject },
  empty: { values: [''], is: (value) => value === '' },
  none: { values: [[]], is: (value) => Array.isArray(value) && value.length === 0 },
  nul: { values: ['a\0b'], is: (value) => typeof value === 'string' && value.includes('\0') },
  characters: {
    values: ['Ünïcödé', '港の配信'],
    is: (value) => typeof value === 'string' && !/^\p{ASCII}*$/u.test(value),
  },
  reserved: { values: ['source'], is: (value) => value === 'source' },
  unusual: { values: ['540p', 'my rendition'], is: (value) => isTextBut(recommendedNames, value) },
  other: { values: ['Other', 'none'], is: (value) => isTextBut(enumWords, value) },
  zero: { values: [0], is: (value) => value === 0 },
  negative: { values: [-1, -640], is: (value) => typeof value === 'number' && value < 0 },
  fraction: { is: (value, isWhole) => typeof value === 'number' && !isWhole(value) },
  equal: { is: (value) => Array.isArray(value) && findEqualNames(value)[0] >= 0 },
} as const satisfies Record<string, WrongValue>;

interface WrongValue {
  /** Left out if they depend on the field. */
  readonly values?: readonly (Json | undefined)[];
  /** Whether a value is of this kind, provided that no earlier kind in {@link Field.errors} matches. */
  readonly is: (value: unknown, isWhole: (value: unknown) => boolean) => boolean;
}

/** What can be wrong with a field. With `given`, the field itself is unexpected, whatever its value. */
export type WrongKind = keyof typeof wrongKinds | 'given' | 'small' | 'large';

/** What is wrong with a value that is not text. */
const notText = ['null', 'number', 'boolean', 'array', 'object'] as const;
/** What is wrong with a value that is not a number. */
const notNumber = ['null', 'number-text', 'text', 'boolean', 'array', 'object'] as const;

/** For each type of field, what messages expect, and what can be wrong with a value, the most specific first. */
const fieldTypes = {
  text: { expected: 'a string', kinds: notText },
  rendition: { expected: 'a string', kinds: [...notText, 'empty', 'reserved', 'unusual'] },
  positive: {
    expected: 'a whole number above 0',
    kinds: [...notNumber, 'negative', 'zero', 'fraction'],
  },
  nonNegative: {
    expected: 'a whole number, 0 or above',
    kinds: [...notNumber, 'negative', 'fraction'],
  },
  boolean: {
    expected: 'true or false',
    kinds: ['null', 'boolean-text', 'text', 'boolean-number', 'number', 'array', 'object'],
  },
  h264Profile: { expected: `one of ${h264Profiles.join(', ')}`, kinds: [...notText, 'other'] },
  encoder: { expected: '"H.264"', kinds: [...notText, 'other'] },
  profiles: {
    expected: 'an array of profiles',
    kinds: ['null', 'text', 'number', 'boolean', 'object', 'none', 'equal'],
  },
  profile: {
    expected: `an object with the keys name, ${profileNumbers.join(', ')}`,
    kinds: ['null', 'text', 'number', 'boolean', 'array'],
  },
  object: { expected: 'an object', kinds: ['null', 'number', 'boolean', 'array'] },
  json: { expected: 'a value', kinds: [] },
} as const satisfies Record<
  string,
  { readonly expected: string; readonly kinds: readonly WrongKind[] }
>;

export type FieldType = keyof typeof fieldTypes;

/** What is expected of a value instead of another one, as messages say it. */
export function expectedOf({ type }: Field, value: unknown): string {
  const isTooLarge = Number.isInteger(value) && Number(value) > Number.MAX_SAFE_INTEGER;
  return isTooLarge && (type === 'positive' || type === 'nonNegative')
    ? `a whole number up to ${Number.MAX_SAFE_INTEGER}`
    : fieldTypes[type].expected;
}

/** One field of a body. */
export interface Field {
  /** `name`, `profiles[]` for an element, `profiles[].width`; `read-only` stands for any key that only the service sets, `unknown` for any other. */
  readonly path: string;
  readonly type: FieldType;
  /** Two valid values, neither of them a default. */
  readonly good: readonly [Json, Json];
  /** What can be wrong with it, the most specific first, each with the id of the error: `field:profiles[].width:negative`. */
  readonly errors: ReadonlyMap<WrongKind, string>;
}

function defineField(
  path: string,
  type: FieldType,
  good: Field['good'],
  presenceKind?: 'missing' | 'given',
  ...furtherKinds: readonly WrongKind[]
): Field {
  const presenceKinds = presenceKind === undefined ? [] : [presenceKind];
  const kinds = [...presenceKinds, ...fieldTypes[type].kinds, ...furtherKinds];
  const errors = new Map(kinds.map((kind) => [kind, `field:${path}:${kind}`]));
  return { path, type, good, errors };
}

type Numbers = Record<(typeof profileNumbers)[number], number>;
const [profile720, profile480, profile360] = recommendedProfiles as readonly Numbers[] as [
  Numbers,
  Numbers,
  Numbers,
];

/** Fields by name, which is the last part of their path. */
export type Fields = ReadonlyMap<string, Field>;

function fieldsByName(...fields: readonly Field[]): Fields {
  return new Map(fields.map((field) => [field.path.slice(field.path.lastIndexOf('.') + 1), field]));
}

/** An element of `profiles`. */
export const profileElement: Field = defineField('profiles[]', 'profile', [profile720, profile480]);

/** The fields of a profile, the same in every body. */
export const fieldsOfProfile: Fields = fieldsByName(
  defineField('profiles[].name', 'rendition', ['720p', '480p'], 'missing'),
  ...profileNumbers.map((name) => {
    const good = [profile720[name], profile360[name]] as const;
    return defineField(`profiles[].${name}`, 'positive', good, 'missing', 'small', 'large');
  }),
  defineField('profiles[].fpsDen', 'positive', [2, 3], 'given'),
  defineField('profiles[].quality', 'nonNegative', [20, 30], 'given'),
  defineField('profiles[].gop', 'text', ['1', '2.0'], 'given'),
  defineField('profiles[].profile', 'h264Profile', ['H264Baseline', 'H264High'], 'given'),
  defineField('profiles[].encoder', 'encoder', ['H.264', 'H.264'], 'given'),
  defineField('profiles[].unknown', 'json', ['text', 'other'], 'given'),
);

const sdkSamples: Readonly<Record<SdkField, readonly [Json, Json]>> = {
  creatorId: [
    { type: 'unverified', value: 'creator-1' },
    { type: 'unverified', value: 'creator-2' },
  ],
  playbackPolicy: [{ type: 'jwt' }, { type: 'public' }],
  userTags: [{ team: 'one' }, { team: 'two' }],
  recordingSpec: [{ profiles: [profile720] }, { profiles: [profile480] }],
  // Empty, because a service may refuse a target that does not exist.
  multistream: [{ targets: [] }, { targets: [] }],
  pull: [{ source: 'https://example.com/one.m3u8' }, { source: 'https://example.com/two.m3u8' }],
};

const fieldsOfSdk = sdkFields.map((name) => {
  const takesObjects = typeof sdkSamples[name][0] === 'object';
  // The id of a creator may be text.
  const kinds: readonly WrongKind[] = takesObjects && name !== 'creatorId' ? ['text'] : [];
  return defineField(name, takesObjects ? 'object' : 'json', sdkSamples[name], 'given', ...kinds);
});
const nameKinds = ['empty', 'characters', 'nul', 'large'] as const;
const nameSamples = ['Harbour camera', 'Garden camera'] as const;
const profilesSamples: Field['good'] = [[profile480], [profile360, profile480]];
const readOnlyField = defineField('read-only', 'json', [1, 2], 'given');
const unknownField = defineField('unknown', 'json', ['text', 'other'], 'given');

/** The fields of each body, in the order in which their errors are reported. */
export const fieldsOf: Readonly<Record<BodyOperation, Fields>> = {
  createStream: fieldsByName(
    defineField('name', 'text', nameSamples, 'missing', ...nameKinds),
    defineField('profiles', 'profiles', profilesSamples),
    defineField('record', 'boolean', [true, false], 'given'),
    ...fieldsOfSdk,
    readOnlyField,
    unknownField,
  ),
  updateStream: fieldsByName(
    defineField('name', 'text', nameSamples, 'given', ...nameKinds),
    defineField('profiles', 'profiles', profilesSamples, 'given'),
    defineField('suspended', 'boolean', [true, false], 'given'),
    ...fieldsOfSdk,
    defineField('record', 'boolean', [true, false], 'given'),
    readOnlyField,
    unknownField,
  ),
  setRecord: fieldsByName(defineField('record', 'boolean', [true, false], 'missing'), unknownField),
};

/** The fields of a body, each before its parts. */
export function allFieldsOf(operation: BodyOperation): readonly Field[] {
  return [...fieldsOf[operation].values()].flatMap((field) =>
    field.type === 'profiles' ? [field, profileElement, ...fieldsOfProfile.values()] : [field],
  );
}

/** The values between which a limit of a field lies, the valid one first. */
export function limitStepsOf(path: string, kind: 'small' | 'large'): readonly number[] {
  const number = profileNumbers.find((name) => path === `profiles[].${name}`);
  if (number === undefined) return limitSteps.name;
  const { smallest, largest } = limitSteps[number];
  return kind === 'large' ? [...largest, Number.MAX_SAFE_INTEGER, 2 ** 53] : smallest.toReversed();
}

/** The wrong values of a kind for a field; `undefined` means that the field is left out. */
export function wrongValuesOf(
  { path, good, type }: Field,
  kind: WrongKind,
): readonly (Json | undefined)[] {
  switch (kind) {
    case 'given':
      return good;
    case 'equal':
      return [
        [profile720, profile720],
        [profile360, profile480, profile360],
      ];
    case 'fraction':
      return good.map((value) => Number(value) + 0.5);
    case 'small':
    case 'large': {
      const values = limitStepsOf(path, kind).slice(1);
      return type === 'text' ? values.map((length) => 'x'.repeat(length)) : values;
    }
    default:
      return wrongKinds[kind].values;
  }
}

/** What is wrong with a value of a field: the id of the error, and the measure to compare with a limit. */
export interface FoundError {
  readonly error: string;
  readonly measure?: number;
}

/** What is wrong with a value of a field: at most one error without a limit, the most specific, then those with a limit. */
export function errorsIn({ errors, type }: Field, value: unknown): FoundError[] {
  const foundErrors: FoundError[] = [];
  const measure = type === 'text' ? codePointsIn(value) : value;
  // Without a limit, a number that JSON does not carry exactly counts as a fraction.
  const isWhole = errors.has('large') ? Number.isInteger : Number.isSafeInteger;
  for (const [kind, error] of errors) {
    if (kind === 'given') continue;
    if (kind === 'small' || kind === 'large') {
      if (typeof measure === 'number' && measure > 0) foundErrors.push({ error, measure });
    } else if (foundErrors.length === 0 && wrongKinds[kind].is(value, isWhole))
      foundErrors.push({ error });
  }
  return foundErrors;
}

/** The length of a text in Unicode code points: an emoji counts once. */
function codePointsIn(value: unknown): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}

/** The names of the recommended profiles. */
const recommendedNames: ReadonlySet<unknown> = new Set(recommendedProfiles.map(({ name }) => name));

/** The values of fields that accept only a few words; each word belongs to one field. */
const enumWords: ReadonlySet<unknown> = new Set([...h264Profiles, 'H.264']);

function isTextBut(excluded: ReadonlySet<unknown>, value: unknown): boolean {
  return typeof value === 'string' && !excluded.has(value);
}

/** The index of the first profile that has the name of an earlier one, and the index of that one. */
export function findEqualNames(profiles: readonly unknown[]): readonly [number, number] {
  const names = profiles.map((profile) => (profile as { name?: unknown } | null)?.name);
  const index = names.findIndex((name, at) => typeof name === 'string' && names.indexOf(name) < at);
  return [index, names.indexOf(names[index])];
}
