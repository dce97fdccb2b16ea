import { ladders, profileFields } from '../../../interface/limit-ladders.ts';
import type { Json } from '../../../interface/silent-row.ts';
import {
  type Edit,
  editProfile,
  furtherFields,
  furtherProfileFields,
  type NumberField,
  setField,
  twice,
} from './edits.ts';

/** Values of a number of a profile, each at an edge of what services take: the usual ones are not. */
function edgesOf(field: NumberField): (Json | undefined)[] {
  const { smallest, largest } = ladders[field];
  const limits = [...smallest.slice(0, -1), ...largest.slice(1)];
  return [0, 0.5, 24.5, -1, null, undefined, 'text', ...limits];
}

const edgeEdits: readonly Edit[] = [
  ...profileFields.flatMap((field) =>
    edgesOf(field).map((value) => editProfile(setField(field, value))),
  ),
  ...Object.entries({ ...furtherProfileFields, unknownField: 'text' }).map(([field, value]) =>
    editProfile(setField(field, value)),
  ),
  ...['source', '1080p', '', null].map((name) => editProfile(setField('name', name))),
  twice,
  ...[
    ...ladders.name.slice(1).map((length) => 'n'.repeat(length)),
    '',
    '港',
    null,
    1,
    undefined,
  ].map((name) => setField('name', name)),
  ...[[], null, 1].map((profiles) => setField('profiles', profiles)),
  ...[true, null, 'text', undefined].map((record) => setField('record', record)),
  ...Object.entries({ ...furtherFields, unknownField: 'text' }).map(([field, value]) =>
    setField(field, value),
  ),
];

/** New streams with one value that is at an edge: chance alone would meet each of them too seldom. */
export const edgeStreams: readonly Json[] = edgeEdits.map((edit) => edit({ name: 'compared' }));
