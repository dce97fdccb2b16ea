import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { profileFields } from '../../../interface/limit-ladders.ts';
import type { KnownField } from '../../../interface/silent-creation.ts';
import type { Json } from '../../../interface/silent-row.ts';
import type { Profile } from '../../../interface/types.ts';
import { isObject } from '../../json.ts';

export type JsonObject = { [key: string]: Json };
/** Changes a body that is right into one that is not usual. */
export type Edit = (body: JsonObject) => JsonObject;

/** The numbers of a profile. */
export type NumberField = (typeof profileFields)[number];

/** Values of the further fields of a profile, which clients of the field send. */
export const furtherProfileFields: Readonly<
  Record<Exclude<keyof Profile, 'name' | NumberField>, Json>
> = {
  fpsDen: 1,
  quality: 23,
  gop: '2.0',
  profile: 'H264High',
  encoder: 'H.264',
};

/** A value of each further field of a stream, as clients of the field send it. */
export const furtherFields: Readonly<Record<KnownField, Json>> = {
  creatorId: 'creator',
  playbackPolicy: { type: 'public' },
  userTags: { venue: 'harbour' },
  recordingSpec: { profiles: [] },
  multistream: { targets: [] },
  pull: { source: 'https://media.example.test/live.m3u8' },
};

/** The profiles of a body that are objects, at least one. */
function profilesOf({ profiles }: JsonObject): [JsonObject, ...JsonObject[]] {
  const given = Array.isArray(profiles) ? profiles.filter(isObject) : [];
  const [first = { ...recommendedProfiles[0] }, ...others] = given;
  return [first, ...others] as [JsonObject, ...JsonObject[]];
}

/** Changes the first profile; where there is none, it is the first recommended one. */
export function editProfile(change: (profile: JsonObject) => JsonObject): Edit {
  return (body) => {
    const [first, ...others] = profilesOf(body);
    return { ...body, profiles: [change(first), ...others] };
  };
}

/** Sets a field, or removes it. */
export function setField(field: string, value: Json | undefined): Edit {
  return (body) => {
    const { [field]: _, ...rest } = body;
    return value === undefined ? rest : { ...rest, [field]: value };
  };
}

/** Two profiles of one name. */
export const twice: Edit = (body) => {
  const [first] = profilesOf(body);
  return { ...body, profiles: [first, { ...first, bitrate: 700_000 }] };
};
