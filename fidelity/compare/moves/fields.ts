import * as fc from 'fast-check';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import { profileFields } from '../../../interface/limit-ladders.ts';
import { type KnownField, knownFields } from '../../../interface/silent-creation.ts';
import type { Json } from '../../../interface/silent-row.ts';
import type { NewStream } from '../../../interface/types.ts';
import {
  type Edit,
  editProfile,
  furtherFields,
  furtherProfileFields,
  type JsonObject,
  setField,
  twice,
} from './edits.ts';
import { anyType, oddName, oddNumber, orNull } from './odd-values.ts';

/** Some of the recommended profiles, in their order. */
const usualProfiles: fc.Arbitrary<Json[]> = fc
  .subarray([...recommendedProfiles], { minLength: 1 })
  .map((profiles) => profiles.map((profile) => ({ ...profile })));

function fieldEdit(field: string, values: fc.Arbitrary<Json | undefined>): fc.Arbitrary<Edit> {
  return values.map((value) => setField(field, value));
}

function profileEdit(field: string, values: fc.Arbitrary<Json | undefined>): fc.Arbitrary<Edit> {
  return values.map((value) => editProfile(setField(field, value)));
}

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
