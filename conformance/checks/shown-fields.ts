import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { expectField } from '../target/expectations.ts';
import type { JsonObject } from '../target/read-response.ts';

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

/** Expects the duration of a recording, and returns it, in seconds. */
export function expectDuration(session: JsonObject): number {
  const field = 'sourceSegmentsDuration';
  const isDuration = (value: unknown): boolean => typeof value === 'number' && value > 0;
  expectField(session, field, 'a number above 0, in seconds', isDuration);
  return Number(session[field]);
}

/** Whether a value is an array of objects. */
export function isProfiles(value: unknown): value is readonly JsonObject[] {
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
