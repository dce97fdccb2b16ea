import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { expectField } from '../../target/requests/expectations.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';

/** What is expected of a field, in words, and how it is recognized. */
type Shape = readonly [expected: string, holds: (value: unknown) => boolean];

/** The fields that no two streams share. */
export type Identifier = 'id' | 'streamKey' | 'playbackId';

const uuidLike = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const fourGroups = /^[^-\s]{4}(-[^-\s]{4}){3}$/;

/** The fields of a stream that the service sets (interface 2.1). */
export const streamShapes: Readonly<Record<Identifier | 'createdAt' | 'record', Shape>> = {
  id: ['a string that looks like a UUID', isText(uuidLike)],
  createdAt: ['an integer', Number.isInteger],
  streamKey: ['four groups of four characters', isText(fourGroups)],
  playbackId: ['a string that is not empty', isText(/./)],
  record: ['true, false or no such key', (value) => /^(undefined|boolean)$/.test(typeof value)],
};

/** The fields of every recorded session (interface 2.3). */
export const sessionShapes: Readonly<Record<'id' | 'record' | 'createdAt' | 'profiles', Shape>> = {
  id: ['a string that is not empty', isText(/./s)],
  record: ['true, as recorded sessions are listed', (value) => value === true],
  createdAt: [
    'an integer of milliseconds since 1970',
    (value) => Number.isInteger(value) && Number(value) > 1e11 && Number(value) < 1e13,
  ],
  profiles: ['an array of profile objects', isProfiles],
};

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** Expects an http or https address in a field, and returns it. */
export function expectAddress(session: JsonObject, field: 'recordingUrl' | 'mp4URL'): string {
  expectField(session, field, 'an http or https address', isAddress);
  return String(session[field]);
}

function isAddress(value: unknown): boolean {
  return (
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  );
}

/** Expects the duration of a recording, and returns it. The interface states no unit. */
export function expectDuration(session: JsonObject): number {
  const field = 'sourceSegmentsDuration';
  const isDuration = (value: unknown): boolean => typeof value === 'number' && value > 0;
  expectField(session, field, 'a number above 0', isDuration);
  return Number(session[field]);
}

/** Whether a value is an array of objects. */
function isProfiles(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

/** Profiles with only their documented keys (interface 2.2): a stream and its sessions may differ in other keys. */
export function documentedProfiles(profiles: unknown): unknown {
  if (!isProfiles(profiles)) return profiles;
  return profiles.map((profile) =>
    Object.fromEntries(Object.entries(profile).filter(([key]) => key in profileKeys)),
  );
}

const [profileKeys = {}] = recommendedProfiles;
