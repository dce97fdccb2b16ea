import type { Json } from './json.ts';
import { recommendedProfiles } from './ladder.ts';
import { ladders, profileFields } from './limit-ladders.ts';
import { type KnownField, knownFields } from './types.ts';

/** Operations whose requests have a JSON body. */
export const bodyOperations = ['createStream', 'updateStream', 'setRecord'] as const;
export type BodyOperation = (typeof bodyOperations)[number];

export type FieldType =
  | 'text'
  | 'rendition'
  | 'whole'
  | 'count'
  | 'boolean'
  | 'word'
  | 'profiles'
  | 'profile'
  | 'json';

/** A kind whose wrong values do not depend on the field. */
type ValueKind =
  | 'null'
  | 'digits'
  | 'truth'
  | 'text'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'empty'
  | 'none'
  | 'characters'
  | 'reserved'
  | 'unusual'
  | 'other'
  | 'zero'
  | 'negative';

/** What can be wrong with a field. */
export type WrongKind = 'missing' | 'given' | ValueKind | 'equal' | 'fraction' | 'small' | 'large';

/** One field of a body. */
export interface Field {
  /** `name`, `profiles[]` for an element, `profiles[].width`; `unknown` stands for any other key. */
  readonly path: string;
  readonly type: FieldType;
  /** Two right values, neither of which is a default. */
  readonly good: readonly [Json, Json];
  /** What can be wrong with it, the most specific first. */
  readonly kinds: readonly WrongKind[];
  /** What a client sends instead of `unknown`. */
  readonly key?: string;
}

/** Wrong values of each kind that do not depend on the field: two different ones where there are two. */
const wrongValues: Readonly<Record<ValueKind, readonly Json[]>> = {
  null: [null],
  digits: ['640', '481'],
  truth: ['true', 'false'],
  text: ['wide', 'a b'],
  number: [5, 0.5],
  boolean: [true, false],
  array: [[], [1]],
  object: [{}, { a: 1 }],
  empty: [''],
  none: [[]],
  characters: ['Ünïcödé', '港の配信'],
  reserved: ['source'],
  unusual: ['540p', 'my rendition'],
  other: ['Other', 'none'],
  zero: [0],
  negative: [-1, -640],
};

const otherThanText = ['null', 'number', 'boolean', 'array', 'object'] as const;
const numberKinds = ['digits', 'text', 'boolean', 'array', 'object', 'negative'] as const;

/** What can be wrong with a value of a type, the most specific first. */
const kindsOfType: Readonly<Record<FieldType, readonly WrongKind[]>> = {
  text: otherThanText,
  rendition: [...otherThanText, 'empty', 'reserved', 'unusual'],
  whole: ['null', ...numberKinds, 'zero', 'fraction'],
  count: ['null', ...numberKinds, 'fraction'],
  boolean: ['null', 'truth', 'text', 'number', 'array', 'object'],
  word: [...otherThanText, 'other'],
  profiles: ['null', 'text', 'number', 'boolean', 'object', 'none', 'equal'],
  profile: ['null', 'text', 'number', 'boolean', 'array'],
  json: [],
};

const sizes: readonly WrongKind[] = ['small', 'large'];

function field(
  path: string,
  type: FieldType,
  good: readonly [Json, Json],
  first: readonly WrongKind[] = [],
  last: readonly WrongKind[] = [],
): Field {
  return { path, type, good, kinds: [...first, ...kindsOfType[type], ...last] };
}

const missing: readonly WrongKind[] = ['missing'];
const given: readonly WrongKind[] = ['given'];
const [largest, middle, smallest] = recommendedProfiles;

function unknownIn(path: string): Field {
  return {
    ...field(`${path}unknown`, 'json', ['text', 'other'], given),
    key: 'livestreamMockUnknown',
  };
}

/** The fields of a profile, which are those of the profiles in every body. */
const profileRows: readonly Field[] = [
  field('profiles[]', 'profile', [largest, middle] as never),
  field('profiles[].name', 'rendition', ['720p', '480p'], missing),
  ...profileFields.map((name) =>
    field(
      `profiles[].${name}`,
      'whole',
      [largest?.[name] ?? 0, smallest?.[name] ?? 0],
      missing,
      sizes,
    ),
  ),
  field('profiles[].fpsDen', 'whole', [2, 3], given),
  field('profiles[].quality', 'count', [20, 30], given),
  field('profiles[].gop', 'text', ['1', '2.0'], given),
  field('profiles[].profile', 'word', ['H264Baseline', 'H264High'], given),
  field('profiles[].encoder', 'word', ['H.264', 'H.264'], given),
  unknownIn('profiles[].'),
];

const furtherGood: Readonly<Record<KnownField, readonly [Json, Json]>> = {
  creatorId: [
    { type: 'unverified', value: 'creator-1' },
    { type: 'unverified', value: 'creator-2' },
  ],
  playbackPolicy: [{ type: 'jwt' }, { type: 'webhook' }],
  userTags: [{ team: 'one' }, { team: 'two' }],
  recordingSpec: [{ profiles: [largest] }, { profiles: [middle] }] as never,
  multistream: [
    { targets: [{ profile: 'source', id: 'target-1' }] },
    { targets: [{ profile: 'source', id: 'target-2' }] },
  ],
  pull: [{ source: 'https://example.com/one.m3u8' }, { source: 'https://example.com/two.m3u8' }],
};

const furtherRows = knownFields.map((name) => field(name, 'json', furtherGood[name], given));
const nameKinds: readonly WrongKind[] = ['empty', 'characters', 'large'];
const profilesGood = [[middle], [smallest, middle]] as never;

/** The fields of each body, in the order in which errors in them are told. */
export const fieldsOf: Readonly<Record<BodyOperation, readonly Field[]>> = {
  createStream: [
    field('name', 'text', ['Harbour camera', 'Garden camera'], missing, nameKinds),
    field('profiles', 'profiles', profilesGood),
    ...profileRows,
    field('record', 'boolean', [true, false], given),
    ...furtherRows,
    unknownIn(''),
  ],
  updateStream: [
    field('name', 'text', ['Harbour camera', 'Garden camera'], given, nameKinds),
    field('profiles', 'profiles', profilesGood, given),
    ...profileRows,
    field('suspended', 'boolean', [true, false], given),
    ...furtherRows,
    field('record', 'boolean', [true, false], given),
    unknownIn(''),
  ],
  setRecord: [field('record', 'boolean', [true, false], missing), unknownIn('')],
};

/** The field of an operation's body with a path; `undefined` where it has none. */
export function fieldAt(operation: BodyOperation, path: string): Field | undefined {
  return fieldsOf[operation].find((one) => one.path === path);
}

/** The ladder on which a limit of a field lies: `learn` tries its values, the first of which is usual. */
export function ladderOf(path: string, kind: 'small' | 'large'): readonly number[] {
  if (path === 'name') return ladders.name;
  const numbers = profileFields.find((name) => path === `profiles[].${name}`);
  if (numbers === undefined) return [];
  const ladder = ladders[numbers];
  return kind === 'large' ? [...ladder.largest, 2 ** 53] : ladder.smallest.toReversed();
}

/** The wrong values of a kind for a field; `undefined` is a field that is left out. */
export function wrongValuesOf(
  { path, good, type }: Field,
  kind: WrongKind,
): readonly (Json | undefined)[] {
  switch (kind) {
    case 'missing':
      return [undefined];
    case 'given':
      return good;
    case 'equal':
      return [
        [largest, largest],
        [smallest, middle, smallest],
      ] as never;
    case 'fraction':
      return good.map((value) => Number(value) + 0.5);
    case 'small':
    case 'large': {
      const values = ladderOf(path, kind).slice(1);
      return type === 'text' ? values.map((length) => 'x'.repeat(length)) : values;
    }
    default:
      return wrongValues[kind];
  }
}

/** What is wrong with a value of a field: its kind, and the measure that a limit is compared with. */
export interface Wrong {
  readonly kind: WrongKind;
  readonly measure?: number;
}

/**
 * What is wrong with a value of a field, the most specific first: at most one kind that does not depend on
 * a limit, and the limits. `given` is no error of the value; whoever reads a body knows that it is there.
 */
export function wrongsOf({ kinds, type }: Field, value: unknown): Wrong[] {
  const first = kinds.find(
    (kind) => kind in isOfKind && isOfKind[kind as keyof typeof isOfKind](value),
  );
  const wrongs: Wrong[] = first === undefined ? [] : [{ kind: first }];
  const measure = type === 'text' ? lengthOf(value) : value;
  if (typeof measure !== 'number' || measure <= 0) return wrongs;
  const limits = kinds.filter((kind) => kind === 'small' || kind === 'large');
  return [...wrongs, ...limits.map((kind) => ({ kind, measure }))];
}

/** Characters of a text, counted as Unicode code points: an emoji counts once. */
function lengthOf(value: unknown): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}

const usualNames: ReadonlySet<unknown> = new Set(recommendedProfiles.map(({ name }) => name));

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a value is of a kind, if it is of none before it in {@link Field.kinds}. */
const isOfKind: Readonly<
  Record<Exclude<WrongKind, 'given' | 'small' | 'large'>, (value: unknown) => boolean>
> = {
  missing: (value) => value === undefined,
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  number: isNumber,
  boolean: (value) => typeof value === 'boolean',
  digits: (value) => isText(value) && /^-?\d+(\.\d+)?$/.test(value),
  truth: (value) => value === 'true' || value === 'false',
  text: isText,
  empty: (value) => value === '',
  none: (value) => Array.isArray(value) && value.length === 0,
  characters: (value) => isText(value) && !/^\p{ASCII}*$/u.test(value),
  reserved: (value) => value === 'source',
  unusual: (value) => isText(value) && !usualNames.has(value),
  other: (value) => isText(value) && !words.has(value),
  zero: (value) => value === 0,
  negative: (value) => isNumber(value) && value < 0,
  fraction: (value) => isNumber(value) && !Number.isInteger(value),
  equal: (value) => Array.isArray(value) && hasEqualNames(value),
};

/** What fields with a few words take; each word belongs to one field. */
const words: ReadonlySet<string> = new Set([
  ...['H264Baseline', 'H264Main', 'H264High', 'H264ConstrainedHigh'],
  'H.264',
]);

function hasEqualNames(profiles: readonly unknown[]): boolean {
  const names = profiles.map((profile) => (profile as { name?: unknown } | null)?.name);
  return names.some((name, index) => name !== undefined && names.indexOf(name) < index);
}
