import { ladders } from '../../../interface/fields.ts';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { FurtherFields, Profile } from '../../../interface/types.ts';
import type { Json } from '../../json.ts';
import type { Edit } from './move.ts';

/** Values of every type; each field refuses some of them. `undefined` stands for a missing field. */
const everyType: readonly (Json | undefined)[] = [
  ...[null, true, 0, 1, -1, 0.5, '', 'text', '1', 'true'],
  ...[[], ['text'], [null], {}, { a: 1 }, undefined],
];

const ladder: readonly Json[] = recommendedProfiles.map((profile) => ({ ...profile }));
const larger = { name: '1080p', bitrate: 4_000_000, fps: 30, width: 1_920, height: 1_080 };

/** Further fields of a stream, as clients of the field send them. */
const furtherFields = {
  creatorId: 'creator',
  playbackPolicy: { type: 'public' },
  userTags: { venue: 'harbour' },
  recordingSpec: { profiles: [] },
  multistream: { targets: [] },
  pull: { source: 'https://media.example.test/live.m3u8' },
} as const satisfies Record<keyof FurtherFields, Json>;

const profileNumbers = ['bitrate', 'fps', 'width', 'height'] as const;
type NumberField = (typeof profileNumbers)[number];

/** The same of a profile. */
const furtherProfileFields = {
  fpsDen: 1,
  quality: 23,
  gop: '2.0',
  profile: 'H264High',
  encoder: 'H.264',
} as const satisfies Record<Exclude<keyof Profile, 'name' | NumberField>, Json>;

/** Values at which a limit may lie are those that `learn` tries, as a dialect says nothing between them. */
function numbers(field: NumberField): readonly (Json | undefined)[] {
  const { smallest, largest } = ladders[field];
  const limits = [...smallest.slice(0, -1), ...largest.slice(1)];
  return [0, 0, 0.5, 29.97, -1, -30, null, undefined, 'text', true, [], {}, ...limits];
}

const names = [
  ...ladders.name.map((length) => 'n'.repeat(length)),
  ...['', '', ' two  words ', 'Hafen – Süd', '港 Cafe\u0301 \ufb01', '🚢', 'a\u0000b'],
  '<b>&amp;</b>',
];

function ofEach(fields: Readonly<Record<string, Json>>, prefix = ''): Edit[] {
  return Object.entries(fields).map(([field, value]) => ({ field: prefix + field, value }));
}

function each(field: string, values: readonly (Json | undefined)[]): Edit[] {
  return values.map((value) => ({ field, value }));
}

const unknownField = each('unknownField', ['text', 1, null, {}]);

/** What may be odd in the body of a new stream, by what it is about. */
export const inNewStream: readonly (readonly Edit[])[] = [
  each('name', [...names, ...everyType]),
  each('profiles', [[], [], [...ladder, larger], [larger, larger], ...everyType]),
  each('record', [true, false, ...everyType]),
  [...ofEach(furtherFields), ...unknownField],
  each('profiles[].name', ['source', 'source', '1080p', 'a b', '', null, undefined, 1, true, {}]),
  ...profileNumbers.map((field) => each(`profiles[].${field}`, numbers(field))),
  [
    ...ofEach(furtherProfileFields, 'profiles[].'),
    ...each('profiles[].unknownField', ['text', 1, null]),
  ],
];

/** The same of an update, and of a switch of recording. */
export const inUpdate: readonly (readonly Edit[])[] = [
  each('name', ['renamed', 'n'.repeat(1_000), '', ...everyType]),
  each('profiles', [[], ladder.slice(0, 1), [...ladder]]),
  each('record', [true, false]),
  [...ofEach({ ...furtherFields, suspended: true }), ...unknownField],
];
export const inSwitch: readonly (readonly Edit[])[] = [
  each('record', [false, false, ...everyType]),
  unknownField,
];

/** Texts that are sent in place of a body. */
export const texts: readonly string[] = [
  ...['', '', '{', '{"name":', 'name=a', '{"name":"a"}}', "{'name':'a'}"],
  ...['[]', '"text"', 'null', '1', 'true', '[{}]'],
];

/** Bytes of a body. */
export const sizes: readonly number[] = ladders.body;

/** Content types; `null` for none. */
export const types: readonly (string | null)[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  null,
  'application/json; charset=utf-8',
  'multipart/form-data; boundary=a',
  'nonsense',
];

/** A parameter of a list whose value is a text; `unknownParameter` is one that no service knows. */
export type QueryName =
  | 'limit'
  | 'cursor'
  | 'record'
  | 'active'
  | 'order'
  | 'filters'
  | 'unknownParameter';

export const queries: Readonly<Record<QueryName, readonly string[]>> = {
  limit: ['1', '1', '2', '2', '3', '0', '-1', '1.5', 'many', '', ...ladders.limit.map(String)],
  cursor: ['not-a-cursor', ''],
  record: ['1', '1', '0', 'true', 'false', 'maybe', ''],
  active: ['true', 'false', 'maybe'],
  order: ['createdAt-false', 'createdAt-true', 'record-true,createdAt-false', 'createdAt'],
  filters: [
    '[{"id":"record","value":true}]',
    '[{"id":"record","value":false}]',
    '[{"id":"id","value":"none"}]',
    '{}',
  ],
  unknownParameter: ['', '1', 'text'],
};
