import * as z from 'zod';
import { encoding } from '../../interface/schemas.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import { profileFields } from '../../interface/silent-creation.ts';
import { largestAccepted } from '../../interface/silent-row.ts';
import type { Profile } from '../../interface/types.ts';

type ProfileField = (typeof profileFields)[number];

const limited = 'a number that this service takes';
const usualNames: ReadonlySet<string> = new Set(['720p', '480p', '360p']);

/** Schema of the profiles that behaviours accept. */
export function profilesSchema(behaviours: Behaviours): z.ZodType {
  const name = z
    .string('a string')
    .refine((value) => refusingName(value, behaviours) === undefined, 'another name');
  const numbers = profileFields.map((field) => {
    const accepts = (value: number) => refusingNumber(field, value, behaviours) === undefined;
    return [field, z.number(limited).refine(accepts, limited)];
  });
  const shape = { name, ...Object.fromEntries(numbers), ...encoding };
  const build =
    typeof behaviours['create.profile-field'] === 'string' ? z.looseObject : z.strictObject;
  return z.array(build(shape, `an object with no keys but ${Object.keys(shape).join(', ')}`), {
    error: 'an array of profiles',
  });
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
  if (input === undefined) return 'refusal.missing-profile-field';
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
  if (behaviours['create.profile-field'] === 'kept') return profile;
  const known = Object.entries(profile).filter(
    ([key]) => key === 'name' || isProfileField(key) || Object.hasOwn(encoding, key),
  );
  return Object.fromEntries(known) as unknown as Profile;
}

function refusingName(name: string, behaviours: Behaviours): RowId | undefined {
  if (usualNames.has(name)) return undefined;
  const row = name === 'source' ? 'create.source-profiles' : 'create.other-profiles';
  return behaviours[row] === 'accepted' ? undefined : row;
}

function refusingNumber(
  field: ProfileField,
  value: number,
  behaviours: Behaviours,
): RowId | undefined {
  if (value < 0) return 'refusal.wrong-profile-field';
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

function isProfileField(key: PropertyKey): key is ProfileField {
  return (profileFields as readonly PropertyKey[]).includes(key);
}
