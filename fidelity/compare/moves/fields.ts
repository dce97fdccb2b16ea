import * as fc from 'fast-check';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import { ladders, profileFields } from '../../../interface/limit-ladders.ts';
import { type KnownField, knownFields } from '../../../interface/silent-creation.ts';
import type { Json } from '../../../interface/silent-row.ts';
import type { NewStream, Profile } from '../../../interface/types.ts';
import { isObject } from '../equal/records.ts';

type JsonObject = { [key: string]: Json };
/** Changes a body that is right into one that is not usual. */
type Edit = (body: JsonObject) => JsonObject;

/** A whole number whose logarithm is even: every magnitude is as likely as any other. */
export function magnitude(bits: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: bits * 64 }).map((step) => Math.floor(2 ** (step / 64)));
}

/** Values of every type; each field refuses some of them. */
const anyType: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    0.5,
    '',
    'text',
    '1',
    'true',
    [],
    ['text'],
    [null],
    {},
    { a: 1 },
  ],
);

const text = fc.oneof(
  { weight: 5, arbitrary: fc.constant('a') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

const lengths = fc.oneof(fc.constantFrom(...ladders.name, 70_000), magnitude(17));
/** Names by length, by characters, and what is no name. */
const oddName: fc.Arbitrary<Json | undefined> = fc.oneof(
  { weight: 7, arbitrary: lengths.map((length) => 'n'.repeat(length)) },
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom('Hafen – Süd', '港', '🚢', 'a\u0000b', '<b>&amp;</b>') },
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: fc.constant(' two  words ') },
  { weight: 4, arbitrary: anyType },
  { weight: 2, arbitrary: fc.constant(undefined) },
);

/** Values of a field, and now and then null, which some services take for a missing field. */
function orNull(values: fc.Arbitrary<Json | undefined>): fc.Arbitrary<Json | undefined> {
  return fc.oneof({ weight: 8, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
}

type NumberField = (typeof profileFields)[number];

function oddNumber(field: NumberField): fc.Arbitrary<Json | undefined> {
  const { smallest, largest } = ladders[field];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.constantFrom(0.5, 29.97, 1_000.25) },
    { weight: 1, arbitrary: fc.constantFrom(-1, -30) },
    { weight: 5, arbitrary: fc.constantFrom(...smallest, ...smallest.slice(0, 3)) },
    { weight: 4, arbitrary: fc.constantFrom<number[]>(...largest) },
    { weight: 4, arbitrary: magnitude(52) },
    { weight: 2, arbitrary: anyType },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}

/** Values of the further fields of a profile, which clients of the field send. */
const furtherProfileFields = {
  fpsDen: 1,
  quality: 23,
  gop: '2.0',
  profile: 'H264High',
  encoder: 'H.264',
} as const satisfies Record<Exclude<keyof Profile, 'name' | NumberField>, Json>;

/** A value of each further field of a stream, as clients of the field send it. */
const furtherFields = {
  creatorId: 'creator',
  playbackPolicy: { type: 'public' },
  userTags: { venue: 'harbour' },
  recordingSpec: { profiles: [] },
  multistream: { targets: [] },
  pull: { source: 'https://media.example.test/live.m3u8' },
} as const satisfies Record<KnownField, Json>;

/** Some of the recommended profiles, in their order. */
const usualProfiles: fc.Arbitrary<Json[]> = fc
  .subarray([...recommendedProfiles], { minLength: 1 })
  .map((profiles) => profiles.map((profile) => ({ ...profile })));

/** The profiles of a body that are objects, at least one. */
function profilesOf({ profiles }: JsonObject): [JsonObject, ...JsonObject[]] {
  const given = Array.isArray(profiles) ? profiles.filter(isObject) : [];
  const [first = { ...recommendedProfiles[0] }, ...others] = given;
  return [first, ...others] as [JsonObject, ...JsonObject[]];
}

/** Changes the first profile; where there is none, it is the first recommended one. */
function editProfile(change: (profile: JsonObject) => JsonObject): Edit {
  return (body) => {
    const [first, ...others] = profilesOf(body);
    return { ...body, profiles: [change(first), ...others] };
  };
}

/** Sets a field, or removes it. */
function setField(field: string, value: Json | undefined): Edit {
  return (body) => {
    const { [field]: _, ...rest } = body;
    return value === undefined ? rest : { ...rest, [field]: value };
  };
}

function fieldEdit(field: string, values: fc.Arbitrary<Json | undefined>): fc.Arbitrary<Edit> {
  return values.map((value) => setField(field, value));
}

function profileEdit(field: string, values: fc.Arbitrary<Json | undefined>): fc.Arbitrary<Edit> {
  return values.map((value) => editProfile(setField(field, value)));
}

const twice: Edit = (body) => {
  const [first] = profilesOf(body);
  return { ...body, profiles: [first, { ...first, bitrate: 700_000 }] };
};

/** A profile beside the recommended ones. */
const larger = { name: '1080p', bitrate: 4_000_000, fps: 30, width: 1_920, height: 1_080 };

/** What a `profiles` that is not usual may be. */
const oddProfiles = fc.oneof<[fc.Arbitrary<Json | undefined>, fc.Arbitrary<Json>]>(
  fc.constantFrom<(Json | undefined)[]>(undefined, [], null, [...recommendedProfiles, larger]),
  anyType,
);

/** Changes of each field of {@link NewStream}. */
const streamEdits = {
  name: { weight: 17, arbitrary: fieldEdit('name', orNull(oddName)) },
  profiles: { weight: 12, arbitrary: fieldEdit('profiles', oddProfiles) },
  record: { weight: 5, arbitrary: fieldEdit('record', orNull(anyType)) },
} as const satisfies Record<
  Exclude<keyof NewStream, KnownField>,
  { weight: number; arbitrary: fc.Arbitrary<Edit> }
>;

const unknownEdit = {
  weight: 4,
  arbitrary: anyType.map((value) => setField('unknownField', value)),
};

const knownEdits = knownFields.map((field) => ({
  weight: 2,
  arbitrary: fc.constant(setField(field, furtherFields[field])),
}));

const profileEdits = [
  ...profileFields.map((field) => ({
    weight: 12,
    arbitrary: profileEdit(field, orNull(oddNumber(field))),
  })),
  ...Object.entries(furtherProfileFields).map(([field, value]) => ({
    weight: 2,
    arbitrary: fc.constant(editProfile(setField(field, value))),
  })),
  { weight: 4, arbitrary: profileEdit('unknownField', anyType) },
  {
    weight: 8,
    arbitrary: profileEdit('name', fc.constantFrom<Json[]>('source', 'source', '1080p', 'a b', '')),
  },
  { weight: 1, arbitrary: profileEdit('name', fc.oneof(anyType, fc.constant(undefined))) },
  { weight: 4, arbitrary: fc.constant(twice) },
];

const creationEdit = fc.oneof(
  ...Object.values(streamEdits),
  unknownEdit,
  ...knownEdits,
  ...profileEdits,
);
const updateEdit = fc.oneof(
  { weight: 2, arbitrary: streamEdits.name.arbitrary },
  { weight: 5, arbitrary: fieldEdit('name', orNull(anyType)) },
  { weight: 4, arbitrary: fieldEdit('profiles', usualProfiles) },
  { weight: 5, arbitrary: fieldEdit('record', fc.boolean()) },
  { weight: 4, arbitrary: unknownEdit.arbitrary },
  ...knownEdits.map((edit) => ({ ...edit, weight: 5 })),
);
const switchEdit = fc.oneof(
  { weight: 4, arbitrary: fieldEdit('record', orNull(fc.oneof(anyType, fc.constant(undefined)))) },
  { weight: 1, arbitrary: unknownEdit.arbitrary },
);

/** Applies no change to most bodies, one to some, and now and then two. */
function edited(
  body: fc.Arbitrary<JsonObject>,
  edit: fc.Arbitrary<Edit>,
  odds: readonly [none: number, one: number, two: number],
): fc.Arbitrary<Json> {
  const [none, one, two] = odds;
  const counts = fc.oneof(
    { weight: none, arbitrary: fc.constant(0) },
    { weight: one, arbitrary: fc.constant(1) },
    { weight: two, arbitrary: fc.constant(2) },
  );
  return fc
    .tuple(body, fc.tuple(edit, edit), counts)
    .map(([usual, edits, count]) =>
      edits.slice(0, count).reduce((from, apply) => apply(from), usual),
    );
}

/** A new stream that every service takes. */
export const usualStream: fc.Arbitrary<JsonObject> = fc
  .record(
    { name: fc.constant('compared'), profiles: usualProfiles, record: fc.boolean() },
    { requiredKeys: ['name'] },
  )
  .map((body) => ({ ...body }));

/** Bodies of each operation that has one. */
export const bodies: Readonly<
  Record<'createStream' | 'setRecord' | 'updateStream', fc.Arbitrary<Json>>
> = {
  createStream: edited(usualStream, creationEdit, [1, 8, 1]),
  setRecord: edited(fc.record({ record: fc.boolean() }), switchEdit, [5, 4, 0]),
  updateStream: edited(
    fc.oneof(fc.constant<JsonObject>({ name: 'renamed' }), fc.constant<JsonObject>({})),
    updateEdit,
    [2, 8, 1],
  ),
};
