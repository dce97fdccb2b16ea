import { isObject, type Json } from '../json.ts';
import { recommendedProfiles } from '../recommended-profiles.ts';
import { sampleValues } from '../sample-values.ts';
import { h264Profiles, type SdkField, sdkFields } from '../types.ts';
import {
  type AcceptanceKind,
  accepted,
  type Cell,
  type ErrorRule,
  refused,
  refusedCell,
} from './cells.ts';

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
  /** Of the name of a profile. */
  rendition: [12, 20, 32, 50, 64, 100, 128, 255, 1_000, 4_000],
  body: [1_024, 4_096, 16_384, 65_536, 102_400, 262_144, 524_288, 1_048_576, 2_621_440],
  limit: [5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000],
  /** How many profiles a stream may have. */
  profiles: [3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 256],
  bitrate: {
    smallest: [1, 1_000, 10_000, 50_000, 64_000, 100_000, 250_000, 500_000],
    largest: [2e6, 4e6, 8e6, 1e7, 2e7, 5e7, 1e8, 1e9],
  },
  fps: { smallest: [1, 5, 15, 24, 30], largest: [30, 50, 60, 120, 240, 1_000] },
  // The sizes that cameras and screens have, upright as well.
  width: {
    smallest: [1, 16, 128, 320, 640],
    largest: [1_280, 1_920, 2_560, 3_840, 4_096, 7_680, 8_192, 16_384, 65_536],
  },
  height: {
    smallest: [1, 16, 128, 240, 360],
    largest: [720, 1_080, 1_280, 1_440, 1_920, 2_160, 2_304, 3_840, 4_096, 4_320, 8_192, 65_536],
  },
  fpsDen: { smallest: [1, 2], largest: [3, 10, 100, 1_000, 10_000] },
  // Encoders measure quality up to 44, 51, 63 or 100.
  quality: { smallest: [1, 10, 20], largest: [30, 44, 51, 63, 100, 1_000] },
  gop: [3, 5, 10, 20, 50, 255],
} as const;

/** The largest whole number that JSON carries exactly lies between these. */
const exactNumbers = { above: Number.MAX_SAFE_INTEGER, below: 2 ** 53 } as const;

const keptCell: Cell = { as: 'kept' };
const invalidCell: Cell = refusedCell('invalid');

/**
 * How a value of any field can be wrong: one or two wrong values, how such a value is recognized, and what happens to it
 * without a dialect.
 */
const wrongKinds = {
  missing: {
    meaning: 'The field is missing.',
    values: [undefined],
    is: (value) => value === undefined,
    defaultCell: invalidCell,
    acceptances: ['kept', 'constant'],
  },
  null: {
    meaning: 'The value is null.',
    values: sampleValues.null,
    is: (value) => value === null,
    defaultCell: invalidCell,
  },
  'number-text': {
    meaning: 'The value is a number as a string.',
    values: sampleValues['number-text'],
    is: (value) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value),
    defaultCell: invalidCell,
  },
  'boolean-text': {
    meaning: 'The value is "true" or "false" as a string.',
    values: sampleValues['boolean-text'],
    is: (value) => value === 'true' || value === 'false',
    defaultCell: invalidCell,
  },
  text: {
    meaning: 'The value is a string.',
    values: sampleValues.text,
    is: (value) => typeof value === 'string',
    defaultCell: invalidCell,
  },
  'boolean-number': {
    meaning: 'The value is 1 or 0.',
    values: sampleValues['boolean-number'],
    is: (value) => value === 1 || value === 0,
    defaultCell: invalidCell,
  },
  number: {
    meaning: 'The value is a number.',
    values: sampleValues.number,
    is: (value) => typeof value === 'number',
    defaultCell: invalidCell,
  },
  boolean: {
    meaning: 'The value is true or false.',
    values: sampleValues.boolean,
    is: (value) => typeof value === 'boolean',
    defaultCell: invalidCell,
  },
  array: {
    meaning: 'The value is an array.',
    values: sampleValues.array,
    is: Array.isArray,
    defaultCell: invalidCell,
  },
  object: {
    meaning: 'The value is an object.',
    values: sampleValues.object,
    is: isObject,
    defaultCell: invalidCell,
  },
  empty: {
    meaning: 'The string is empty.',
    values: sampleValues.empty,
    is: (value) => value === '',
    defaultCell: keptCell,
  },
  none: {
    meaning: 'The array is empty.',
    values: [[]],
    is: (value) => Array.isArray(value) && value.length === 0,
    defaultCell: keptCell,
    acceptances: ['kept'],
  },
  nul: {
    meaning: 'The string contains the character NUL.',
    values: ['a\0b'],
    is: (value) => typeof value === 'string' && value.includes('\0'),
    defaultCell: keptCell,
  },
  control: {
    meaning: 'The string has a line break or another control character.',
    values: ['a\nb', 'a\tb'],
    is: (value) => typeof value === 'string' && /[\p{Cc}]/u.test(value.trim()),
    defaultCell: keptCell,
  },
  blank: {
    meaning: 'The string is nothing but spaces.',
    values: [' ', '   '],
    is: (value) => typeof value === 'string' && value !== '' && value.trim() === '',
    defaultCell: keptCell,
  },
  padded: {
    meaning: 'The string begins or ends with spaces.',
    values: ['  padded  ', 'padded '],
    is: (value) => typeof value === 'string' && value !== value.trim(),
    defaultCell: keptCell,
  },
  surrogate: {
    meaning: 'The string has half of a surrogate pair, which UTF-8 cannot carry.',
    values: ['a\ud800', '\udc00b'],
    is: (value) => typeof value === 'string' && /\p{Cs}/u.test(value),
    defaultCell: keptCell,
  },
  characters: {
    meaning: 'The string has characters outside ASCII.',
    values: ['Ünïcödé', '港の配信'],
    is: (value) => typeof value === 'string' && !/^\p{ASCII}*$/u.test(value),
    defaultCell: keptCell,
  },
  reserved: {
    meaning: 'The name is source, which some services use themselves.',
    values: ['source'],
    is: (value) => value === 'source',
    defaultCell: keptCell,
  },
  unusual: {
    meaning: 'The name is none of the recommended ones.',
    values: ['540p', 'my rendition'],
    is: (value) => isTextBut(recommendedNames, value),
    defaultCell: keptCell,
  },
  other: {
    meaning: 'The string is none of those that are expected.',
    values: ['Other', 'none'],
    is: (value) => isTextBut(enumWords, value),
    defaultCell: invalidCell,
  },
  zero: {
    meaning: 'The number is 0.',
    values: [0],
    is: (value) => value === 0,
    defaultCell: invalidCell,
  },
  negative: {
    meaning: 'The number is below 0.',
    values: sampleValues.negative,
    is: (value) => typeof value === 'number' && value < 0,
    defaultCell: invalidCell,
  },
  fraction: {
    meaning: 'The number is not whole.',
    is: (value, isWhole) => typeof value === 'number' && !isWhole(value),
    defaultCell: invalidCell,
  },
  equal: {
    meaning: 'Two profiles have the same name.',
    is: (value) => Array.isArray(value) && findEqualNames(value)[0] >= 0,
    defaultCell: refusedCell('not-allowed'),
  },
} as const satisfies Record<string, WrongValue>;

interface WrongValue {
  /** What is wrong with the value, in a sentence. */
  readonly meaning: string;
  /** Left out if they depend on the field. */
  readonly values?: readonly (Json | undefined)[];
  /** Whether a value is of this kind, provided that no earlier kind in {@link Field.errors} matches. */
  readonly is: (value: unknown, isWhole: (value: unknown) => boolean) => boolean;
  /** What the mock does about it without a dialect. */
  readonly defaultCell: Cell;
  /** How it can be accepted; left out if that depends on the type of the field. */
  readonly acceptances?: readonly AcceptanceKind[];
}

/** Kinds that exist only beyond a limit, and what the mock does there without a dialect. */
const limitKinds = {
  small: { meaning: 'The number is smaller than a limit.', defaultCell: keptCell },
  large: {
    meaning:
      'The number is larger, or the string, the array or the longest string in the object is longer, than a limit.',
    defaultCell: refusedCell('invalid', exactNumbers),
  },
} as const;

const givenMeaning = 'The field is there, with a value of the right type.';

/** What can be wrong with a field. With `given`, the field itself is unexpected, whatever its value. */
export type WrongKind = keyof typeof wrongKinds | keyof typeof limitKinds | 'given';

/** What is wrong with a value that is not text. */
const notText = ['null', 'number', 'boolean', 'array', 'object'] as const;
/** What is wrong with a value that is not a number. */
const notNumber = ['null', 'number-text', 'text', 'boolean', 'array', 'object'] as const;

/** Ways to accept a value that mean something only for some kinds. */
const kindsOfWays: Partial<Record<AcceptanceKind, readonly WrongKind[]>> = {
  trimmed: ['blank', 'padded'],
  rounded: ['fraction'],
  // One profile.
  'in-array': ['object'],
};

/**
 * For each type of field, what messages expect, what can be wrong with a value, the most specific first, and how a wrong
 * value can be accepted, if that means something for its kind.
 */
const fieldTypes = {
  text: {
    expected: 'a string',
    kinds: [...notText, 'large'],
    acceptances: ['kept', 'dropped', 'text', 'trimmed', 'constant'],
  },
  rendition: {
    expected: 'a string',
    kinds: [...notText, 'empty', 'reserved', 'unusual', 'large'],
    acceptances: ['kept', 'dropped', 'text', 'constant'],
  },
  positive: {
    expected: 'a whole number above 0',
    kinds: [...notNumber, 'negative', 'zero', 'fraction', 'small', 'large'],
    acceptances: ['kept', 'dropped', 'number', 'rounded', 'constant'],
  },
  nonNegative: {
    expected: 'a whole number, 0 or above',
    kinds: [...notNumber, 'negative', 'fraction', 'small', 'large'],
    acceptances: ['kept', 'dropped', 'number', 'rounded', 'constant'],
  },
  boolean: {
    expected: 'true or false',
    kinds: ['null', 'boolean-text', 'text', 'boolean-number', 'number', 'array', 'object'],
    acceptances: ['kept', 'dropped', 'boolean'],
  },
  h264Profile: {
    expected: `one of ${h264Profiles.join(', ')}`,
    kinds: [...notText, 'other'],
    acceptances: ['kept', 'dropped', 'constant'],
  },
  encoder: {
    expected: '"H.264"',
    kinds: [...notText, 'other'],
    acceptances: ['kept', 'dropped', 'constant'],
  },
  profiles: {
    expected: 'an array of profiles',
    kinds: ['null', 'text', 'number', 'boolean', 'object', 'none', 'equal', 'large'],
    acceptances: ['kept', 'dropped', 'in-array'],
  },
  profile: {
    expected: `an object with the keys name, ${profileNumbers.join(', ')}`,
    kinds: ['null', 'text', 'number', 'boolean', 'array'],
    acceptances: ['kept', 'constant'],
  },
  object: {
    expected: 'an object',
    kinds: ['null', 'number', 'boolean', 'array'],
    acceptances: ['kept', 'dropped', 'constant'],
  },
  json: { expected: 'a value', kinds: [], acceptances: [] },
} as const satisfies Record<
  string,
  {
    readonly expected: string;
    readonly kinds: readonly WrongKind[];
    readonly acceptances: readonly AcceptanceKind[];
  }
>;

type FieldType = keyof typeof fieldTypes;

/** What is wrong with values of a type. */
type KindOf<Type extends FieldType> = (typeof fieldTypes)[Type]['kinds'][number];

/** What is expected of a value instead of another one, as messages say it. */
export function expectedOf({ type }: Field, value: unknown): string {
  const isTooLarge = Number.isInteger(value) && Number(value) > Number.MAX_SAFE_INTEGER;
  return isTooLarge && (type === 'positive' || type === 'nonNegative')
    ? `a whole number up to ${Number.MAX_SAFE_INTEGER}`
    : fieldTypes[type].expected;
}

/** One thing that can be wrong with a field. */
interface FieldErrorOf<Id extends string> extends ErrorRule {
  /** Such as `field:profiles[].width:negative`. */
  readonly id: Id;
  readonly kind: WrongKind;
  /** What is wrong with the field, in a sentence. */
  readonly meaning: string;
  /** Whether a value is of its kind, provided that it is of no earlier kind of the field. */
  readonly is: WrongValue['is'];
}

/** One field of a body, with the ids of its errors. */
interface FieldOf<Id extends string> {
  /** `name`, `profiles[]` for an element, `profiles[].width`; `read-only` stands for any key that only the service sets, `unknown` for any other. */
  readonly path: string;
  readonly type: FieldType;
  /** Two valid values, neither of them a default. */
  readonly good: readonly [Json, Json];
  /** What is wrong with a request that has it, or that lacks it. */
  readonly presence: FieldErrorOf<Id> | undefined;
  /** What can be wrong with its value, the most specific first: a value has at most one of these errors. */
  readonly errors: readonly FieldErrorOf<Id>[];
  /** The errors that a value has only beyond a limit. */
  readonly limits: readonly FieldErrorOf<Id>[];
}

/** What is special about a field. */
interface FieldOptions<Kind extends WrongKind, Presence extends 'missing' | 'given'> {
  /** `missing`: it is required. `given`: a service may not know it. */
  readonly presence?: Presence;
  /** What can be wrong with its values besides what its type says. */
  readonly kinds?: readonly Kind[];
  /** What can happen to some of its errors, if that is not what their kind and its type say. */
  readonly rules?: Partial<Record<WrongKind, Partial<ErrorRule>>>;
  /** Whether the mock keeps any value without a dialect. */
  readonly keepsAll?: true;
}

function defineField<
  const Path extends string,
  Type extends FieldType,
  const Kind extends WrongKind = never,
  const Presence extends 'missing' | 'given' = never,
>(
  path: Path,
  type: Type,
  good: readonly [Json, Json],
  { presence, kinds = [], rules = {}, keepsAll }: FieldOptions<Kind, Presence> = {},
): FieldOf<`field:${Path}:${KindOf<Type> | Kind | Presence}`> {
  const define = <OneKind extends WrongKind>(kind: OneKind) => ({
    id: `field:${path}:${kind}` as const,
    kind,
    is: wrongValueOf(kind)?.is ?? isNever,
    ...ruleOf(kind, type),
    ...(keepsAll && { defaultCell: keptCell }),
    ...rules[kind],
  });
  const ownKinds: readonly (KindOf<Type> | Kind)[] = [...fieldTypes[type].kinds, ...kinds];
  const isLimit = (kind: WrongKind): boolean => kind in limitKinds;
  return {
    path,
    type,
    good,
    presence: presence && define(presence),
    errors: ownKinds.filter((kind) => !isLimit(kind)).map(define),
    limits: ownKinds.filter(isLimit).map(define),
  };
}

const isNever = (): boolean => false;

/** How a value can be of a kind; `undefined` if that does not depend on the value alone. */
function wrongValueOf(kind: WrongKind): WrongValue | undefined {
  return kind === 'given' || kind === 'small' || kind === 'large' ? undefined : wrongKinds[kind];
}

/** What can happen to a kind of wrong value, in fields of a type. */
function ruleOf(kind: WrongKind, type: FieldType): ErrorRule & { readonly meaning: string } {
  if (kind === 'given') return { meaning: givenMeaning, ...accepted('kept', 'dropped') };
  const allOfType: readonly AcceptanceKind[] = fieldTypes[type].acceptances;
  const ofType = allOfType.filter((way) => kindsOfWays[way]?.includes(kind) ?? true);
  if (kind === 'small' || kind === 'large') {
    const isNumber = type === 'positive' || type === 'nonNegative';
    const { meaning, defaultCell } = limitKinds[kind];
    return { meaning, defaultCell: isNumber ? defaultCell : keptCell, acceptances: ofType };
  }
  const { meaning, defaultCell, acceptances: ofKind = ofType }: WrongValue = wrongKinds[kind];
  return { meaning, defaultCell, acceptances: ofKind.filter((way) => ofType.includes(way)) };
}

type Numbers = Record<(typeof profileNumbers)[number], number>;
const [profile720, profile480, profile360] = recommendedProfiles as readonly Numbers[] as [
  Numbers,
  Numbers,
  Numbers,
];

const elementField = defineField('profiles[]', 'profile', [profile720, profile480]);

const given = { presence: 'given' } as const;
/** A field that no service has to know. */
const unknown = {
  presence: 'given',
  rules: { given: refused('invalid', 'kept', 'dropped') },
} as const;

const profileFields = [
  defineField('profiles[].name', 'rendition', ['720p', '480p'], { presence: 'missing' }),
  ...profileNumbers.map((name) => {
    const good = [profile720[name], profile360[name]] as const;
    return defineField(`profiles[].${name}`, 'positive', good, { presence: 'missing' });
  }),
  defineField('profiles[].fpsDen', 'positive', [2, 3], given),
  defineField('profiles[].quality', 'nonNegative', [20, 30], given),
  defineField('profiles[].gop', 'text', ['1', '2.0'], given),
  defineField('profiles[].profile', 'h264Profile', ['H264Baseline', 'H264High'], given),
  defineField('profiles[].encoder', 'encoder', ['H.264', 'H.264'], given),
  defineField('profiles[].unknown', 'json', ['text', 'other'], unknown),
] as const;

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

/** The fields whose samples have a text that may have any length. Elsewhere, it is one of a few words. */
const hasFreeText: ReadonlySet<SdkField> = new Set(['creatorId', 'userTags', 'pull']);

const fieldsOfSdk = sdkFields.map((name) => {
  const good = sdkSamples[name];
  const options = { ...given, keepsAll: true } as const;
  if (typeof good[0] !== 'object') return defineField(name, 'json', good, options);
  // The id of a creator may be text.
  if (name === 'creatorId')
    return defineField(name, 'object', good, { ...options, kinds: ['large'] });
  const kinds = hasFreeText.has(name) ? (['text', 'large'] as const) : (['text'] as const);
  return defineField(name, 'object', good, { ...options, kinds });
});
const nameSamples = ['Harbour camera', 'Garden camera'] as const;
const ofName = {
  kinds: ['empty', 'nul', 'control', 'blank', 'padded', 'surrogate', 'characters'],
} as const;
const profilesSamples: readonly [Json, Json] = [[profile480], [profile360, profile480]];
const readOnlyField = defineField('read-only', 'json', [1, 2], {
  presence: 'given',
  rules: { given: refused('invalid', 'dropped') },
});
const unknownField = defineField('unknown', 'json', ['text', 'other'], unknown);

/** The fields of each body, in the order in which their errors are reported. */
const bodyFields = {
  createStream: [
    defineField('name', 'text', nameSamples, { ...ofName, presence: 'missing' }),
    defineField('profiles', 'profiles', profilesSamples, {
      rules: { null: { acceptances: ['kept'] } },
    }),
    defineField('record', 'boolean', [true, false], given),
    ...fieldsOfSdk,
    readOnlyField,
    unknownField,
  ],
  updateStream: [
    defineField('name', 'text', nameSamples, { ...ofName, presence: 'given' }),
    defineField('profiles', 'profiles', profilesSamples, given),
    defineField('suspended', 'boolean', [true, false], given),
    ...fieldsOfSdk,
    defineField('record', 'boolean', [true, false], unknown),
    readOnlyField,
    unknownField,
  ],
  setRecord: [
    defineField('record', 'boolean', [true, false], { presence: 'missing' }),
    defineField('unknown', 'json', ['text', 'other'], {
      presence: 'given',
      rules: { given: accepted('dropped') },
    }),
  ],
} as const satisfies Readonly<Record<BodyOperation, readonly FieldOf<string>[]>>;

/** The fields of an update that a service may refuse while the stream is live, besides its profiles. */
export const fieldsWhileLive = ['name', 'suspended', 'record', ...sdkFields] as const;

type IdsOf<AnyField> = AnyField extends FieldOf<infer Id> ? Id : never;

/** The id of an error of a field, such as `field:name:null`. */
export type FieldErrorId = IdsOf<
  (typeof bodyFields)[BodyOperation][number] | (typeof profileFields)[number] | typeof elementField
>;

/** One thing that can be wrong with a field. */
export type FieldError = FieldErrorOf<FieldErrorId>;

/** One field of a body. */
export type Field = FieldOf<FieldErrorId>;

/** Fields by name, which is the last part of their path. */
export type Fields = ReadonlyMap<string, Field>;

function fieldsByName(fields: readonly Field[]): Fields {
  return new Map(fields.map((field) => [field.path.slice(field.path.lastIndexOf('.') + 1), field]));
}

/** An element of `profiles`. */
export const profileElement: Field = elementField;

/** The fields of a profile, the same in every body. */
export const fieldsOfProfile: Fields = fieldsByName(profileFields);

/** The fields of each body, by name. */
export const fieldsOf: Readonly<Record<BodyOperation, Fields>> = {
  createStream: fieldsByName(bodyFields.createStream),
  updateStream: fieldsByName(bodyFields.updateStream),
  setRecord: fieldsByName(bodyFields.setRecord),
};

/** The fields of a body, each before its parts. */
export function allFieldsOf(operation: BodyOperation): readonly Field[] {
  return [...fieldsOf[operation].values()].flatMap((field) =>
    field.type === 'profiles' ? [field, profileElement, ...fieldsOfProfile.values()] : [field],
  );
}

/** The values between which a limit of each text or number lies, by the last part of the path of its field. */
const stepsByField: ReadonlyMap<string, readonly number[] | NumberSteps> = new Map<
  string,
  readonly number[] | NumberSteps
>(Object.entries({ ...limitSteps, 'profiles[].name': limitSteps.rendition }));

interface NumberSteps {
  readonly smallest: readonly number[];
  readonly largest: readonly number[];
}

/** The values between which a limit of a field lies, the valid one first. */
export function limitStepsOf(path: string, kind: 'small' | 'large'): readonly number[] {
  const steps = stepsByField.get(path) ?? stepsByField.get(path.replace('profiles[].', ''));
  if (steps === undefined) return limitSteps.name;
  if (!('largest' in steps)) return steps;
  const { smallest, largest } = steps;
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
      // Not a half, which programs round up or to an even number.
      return good.map((value) => Number(value) + 0.6);
    case 'small':
    case 'large': {
      const values = limitStepsOf(path, kind).slice(1);
      if (type === 'profiles') return values.map(severalProfiles);
      if (type === 'object') return values.map((length) => withLongText(good[0], length));
      if (type !== 'text' && type !== 'rendition') return values;
      // Some texts must be numbers.
      const character = Number.isNaN(Number(good[0])) ? 'x' : '1';
      return values.map((length) => character.repeat(length));
    }
    case 'number-text':
      // A number that a service may convert must not be beyond its limits.
      return type === 'positive' || type === 'nonNegative'
        ? good.map(String)
        : wrongKinds[kind].values;
    case 'object':
      // One profile that is not in an array.
      return type === 'profiles' ? [profile480, profile360] : wrongKinds[kind].values;
    default:
      return wrongKinds[kind].values;
  }
}

/** An object with its last text made longer, as the first may be one of a few words. */
function withLongText(sample: Json, length: number): Json {
  const [last, ...others] = Object.entries(Object(sample)).toReversed();
  const long = last && [last[0], String(last[1]).padEnd(length, 'x')];
  return Object.fromEntries([...others.toReversed(), ...(long ? [long] : [])]);
}

/** So many profiles that differ in their names and bitrates. */
function severalProfiles(count: number): Json {
  return Array.from({ length: count }, (_, index) => ({
    ...profile720,
    name: `720p${index}`,
    bitrate: profile720.bitrate - 1_000 * index,
  }));
}

const none: readonly FieldError[] = [];

/**
 * What is wrong with a value of a field: at most one error without a limit, the most specific, then those that it has
 * only if {@link measureOf} is beyond their limit.
 */
export function errorsIn(field: Field, value: unknown): readonly FieldError[] {
  const { errors, limits, presence, type } = field;
  if (value === undefined) return presence?.kind === 'missing' ? [presence] : none;
  // Without a limit, a number that JSON does not carry exactly counts as a fraction.
  const isWhole = limits.length > 0 ? Number.isInteger : Number.isSafeInteger;
  const wrong = errors.find(({ is }) => is(value, isWhole));
  const possible = isMeasured(type, value) ? limits : none;
  if (wrong === undefined) return possible;
  // An array is counted before its elements are compared.
  return type === 'profiles' ? [...possible, wrong] : [wrong, ...possible];
}

/** Whether a value can be beyond a limit of its type. */
function isMeasured(type: FieldType, value: unknown): boolean {
  if (type === 'profiles') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'text' || type === 'rendition') return typeof value === 'string' && value !== '';
  return isPositive(value) || (type === 'nonNegative' && value === 0);
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/**
 * What is compared with the limits of a field: a number, or the length of an array, of a text in Unicode code points, or of
 * the longest text in an object.
 */
export function measureOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) {
    return textsIn(value).reduce((longest, text) => Math.max(longest, measureOf(text)), 0);
  }
  // An emoji counts once.
  return typeof value === 'string' ? [...value].length : Number(value);
}

/** The texts in JSON that has been read, so its depth has a limit. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
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
  const firstIndexes = new Map<unknown, number>();
  for (const [index, profile] of profiles.entries()) {
    const name = (profile as { name?: unknown } | null)?.name;
    const first = firstIndexes.get(name);
    if (first === undefined) firstIndexes.set(name, index);
    else if (typeof name === 'string') return [index, first];
  }
  return [-1, -1];
}
