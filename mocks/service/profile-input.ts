import * as z from 'zod';
import { profileFields } from '../../interface/limit-ladders.ts';
import { encoding } from '../../interface/schemas.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import { knownProfileFields } from '../../interface/silent-profiles.ts';
import { largestAccepted } from '../../interface/silent-row.ts';
import type { Profile } from '../../interface/types.ts';

type ProfileField = (typeof profileFields)[number];
type KnownField = (typeof knownProfileFields)[number];

const limited = 'a number that this service takes';
const usualNames: ReadonlySet<string> = new Set(['720p', '480p', '360p']);
const rowsOfNames: ReadonlyMap<string, 'create.source-profiles' | 'profile.empty-name'> = new Map([
  ['source', 'create.source-profiles'],
  ['', 'profile.empty-name'],
]);

/** Schema of the profiles that behaviours accept. */
export function profilesSchema(behaviours: Behaviours): z.ZodType {
  const name = z
    .string('a string')
    .refine((value) => refusingName(value, behaviours) === undefined, 'another name');
  const numbers = profileFields.map((field) => {
    const accepts = (value: number) => refusingNumber(field, value, behaviours) === undefined;
    return [field, z.number(limited).refine(accepts, limited)];
  });
  const shape = { name, ...Object.fromEntries(numbers), ...furtherFields(behaviours) };
  const build =
    typeof behaviours['create.profile-field'] === 'string' ? z.looseObject : z.strictObject;
  return z.array(build(shape, `an object with no keys but ${Object.keys(shape).join(', ')}`), {
    error: 'an array of profiles',
  });
}

/** The further fields that clients know: one that is dropped may have any value, a refused one none. */
function furtherFields(behaviours: Behaviours): Record<KnownField, z.ZodType> {
  const schemas = knownProfileFields.map((field) => {
    const fate = behaviours[`profile.known-field.${field}`];
    if (fate === 'kept') return [field, encoding[field]];
    return [field, (fate === 'dropped' ? z.unknown() : z.never('nothing')).exactOptional()];
  });
  return Object.fromEntries(schemas);
}

/** The row that says how a creation is refused for an issue within its profiles. */
export function rowOfProfileIssue(
  { path: [, index, key], code, input }: z.core.$ZodIssue,
  behaviours: Behaviours,
): RowId {
  if (key === undefined) {
    return index !== undefined && code === 'unrecognized_keys'
      ? 'create.profile-field'
      : 'refusal.wrong-profiles';
  }
  if (isKnownField(key) && typeof behaviours[`profile.known-field.${key}`] !== 'string') {
    return `profile.known-field.${key}`;
  }
  if (input === undefined) return 'refusal.missing-profile-field';
  if (input === null) return 'refusal.null-profile-field';
  const refusing =
    typeof input === 'string' && key === 'name'
      ? refusingName(input, behaviours)
      : typeof input === 'number' && isProfileField(key)
        ? refusingNumber(key, input, behaviours)
        : undefined;
  return refusing ?? 'refusal.wrong-profile-field';
}

/** A profile with the keys that are kept. */
export function keptProfile(profile: Profile, behaviours: Behaviours): Profile {
  const kept = Object.entries(profile).filter(([key]) => {
    if (key === 'name' || isProfileField(key)) return true;
    const row = isKnownField(key)
      ? (`profile.known-field.${key}` as const)
      : 'create.profile-field';
    return behaviours[row] === 'kept';
  });
  return Object.fromEntries(kept) as unknown as Profile;
}

function refusingName(name: string, behaviours: Behaviours): RowId | undefined {
  if (usualNames.has(name)) return undefined;
  const row = rowsOfNames.get(name) ?? 'create.other-profiles';
  return behaviours[row] === 'accepted' ? undefined : row;
}

function refusingNumber(
  field: ProfileField,
  value: number,
  behaviours: Behaviours,
): RowId | undefined {
  if (value < 0) return 'refusal.negative-profile-field';
  if (value === 0) {
    return behaviours[`profile.zero.${field}`] === 'accepted' ? undefined : `profile.zero.${field}`;
  }
  if (!Number.isInteger(value) && behaviours[`profile.fraction.${field}`] !== 'accepted') {
    return `profile.fraction.${field}`;
  }
  const { atMost, above } = behaviours[`profile.smallest.${field}`];
  if (above !== undefined && value < atMost) return `profile.smallest.${field}`;
  const largest = largestAccepted(behaviours[`profile.largest.${field}`]);
  return value > Math.min(largest, Number.MAX_SAFE_INTEGER)
    ? `profile.largest.${field}`
    : undefined;
}

function isKnownField(key: PropertyKey): key is KnownField {
  return (knownProfileFields as readonly PropertyKey[]).includes(key);
}

function isProfileField(key: PropertyKey): key is ProfileField {
  return (profileFields as readonly PropertyKey[]).includes(key);
}
