import type { KnownField } from '../../../interface/silent-creation.ts';
import type { knownProfileFields } from '../../../interface/silent-profiles.ts';

/** A value that a service may accept, for each field that clients send and the interface does not name. */
export const fieldValues: Readonly<Record<KnownField, unknown>> = {
  creatorId: 'learn',
  playbackPolicy: { type: 'public' },
  userTags: { purpose: 'learn' },
  recordingSpec: { profiles: [] },
  multistream: { targets: [] },
  pull: { source: 'https://camera.invalid/live.m3u8' },
};

/** A value that a service may accept, for each field of a profile that the interface does not name. */
export const profileFieldValues: Readonly<Record<(typeof knownProfileFields)[number], unknown>> = {
  fpsDen: 1,
  quality: 23,
  gop: '2.0',
  profile: 'H264High',
  encoder: 'H.264',
};

/** An unknown field. */
export const nobodysField = { nobodyKnows: 'text' } as const;

/** An unknown parameter of a query. */
export const nobodysQuery = 'nobodyKnows=1';

/** A path at which no service has an operation. */
export const unknownPath = '/no-such-path';

/** An authorization with another scheme than `Bearer`: learn:learn. */
export const otherScheme = { authorization: 'Basic bGVhcm46bGVhcm4=' } as const;
