import type { KnownField } from '../../../interface/silent-creation.ts';

/** A value that a service may accept, for each field that clients send and the interface does not name. */
export const fieldValues: Readonly<Record<KnownField, unknown>> = {
  creatorId: 'learn',
  playbackPolicy: { type: 'public' },
  userTags: { purpose: 'learn' },
  recordingSpec: { profiles: [] },
  multistream: { targets: [] },
  pull: { source: 'https://camera.invalid/live.m3u8' },
};

/** A field that nobody knows. */
export const nobodysField = { nobodyKnows: 'text' } as const;
