import * as z from 'zod';
import { streamUpdateSchema } from '../../interface/schemas.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import type { Json } from '../../interface/silent-row.ts';
import type { StreamRecord, StreamUpdate } from '../../interface/types.ts';
import { bodySchema, fieldOf } from './body-fields.ts';
import { furtherRow, keptFields, knownFieldValues } from './further-fields.ts';
import { perBehaviours } from './per-behaviours.ts';
import { keptProfile, profilesSchema } from './profile-input.ts';

/** Schema of the body that changes a stream. */
export const updateSchema: (behaviours: Behaviours) => z.ZodType = perBehaviours<z.ZodType>(
  streamUpdateSchema,
  (behaviours) => {
    const fields = { ...ownFields(behaviours), ...knownFieldValues('update', behaviours) };
    const shape = {
      ...(fields.name === 'changed' && { name: nameSchema(behaviours).exactOptional() }),
      ...(fields.profiles === 'changed' && {
        profiles: profilesSchema(behaviours).exactOptional(),
      }),
    };
    return bodySchema(shape, fields, behaviours['update.unknown-field']);
  },
);

function nameSchema(behaviours: Behaviours): z.ZodType {
  const name = z.string('a string');
  return behaviours['update.null-name'] === 'dropped' ? name.nullable() : name;
}

function ownFields(behaviours: Behaviours) {
  return {
    name: behaviours['update.name'],
    profiles: behaviours['update.profiles'],
    record: behaviours['update.record'],
  };
}

/** The row that says how a client is refused whose update has an issue. */
export function rowOfUpdate(issue: z.core.$ZodIssue, behaviours: Behaviours): RowId {
  const field = fieldOf(issue);
  switch (field) {
    case undefined:
      return `refusal.${issue.input === undefined ? 'no-body' : 'not-object'}.updateStream`;
    case 'name':
      if (behaviours['update.name'] !== 'changed') return 'update.name';
      return issue.input === null ? 'update.null-name' : 'refusal.wrong-updated-name';
    case 'profiles':
    case 'record':
      return `update.${field}`;
    default:
      return furtherRow('update', field);
  }
}

/** A stream as it is after an update, by a body that fits {@link updateSchema}. */
export function updatedStream(
  stream: StreamRecord,
  body: StreamUpdate & Partial<Pick<StreamRecord, 'profiles' | 'record'>>,
  behaviours: Behaviours,
): StreamRecord {
  const { name, profiles, record: _, ...others } = body;
  const { profilesShown, ...kept } = stream;
  const further = keptFields('update', others as Record<string, Json>, behaviours);
  const changesProfiles = profiles !== undefined && behaviours['update.profiles'] === 'changed';
  return {
    ...(changesProfiles ? kept : stream),
    ...(typeof name === 'string' && behaviours['update.name'] === 'changed' && { name }),
    ...(changesProfiles && {
      profiles: profiles.map((profile) => keptProfile(profile, behaviours)),
    }),
    ...(Object.keys(further).length > 0 && { further: { ...stream.further, ...further } }),
  };
}
