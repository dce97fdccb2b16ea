import { recommendedProfiles } from './recommended-profiles.ts';
import type { Profile } from './types.ts';

/** Names that the suite sends: a service may refuse them (8), but not change them (4.1). */
export const unusualNames: readonly string[] = [
  'Ünï “quoted” \\ back/slash',
  '港の配信 🚢👩‍🚀',
  '<b>&amp;</b>',
  ' two  spaces ',
  'decomposed: Cafe\u0301',
  'compatible: \ufb01 \u2460 \uff21',
  '300 characters/'.repeat(20),
];

/** Profiles that the suite sends, for each stream: a service may refuse them (8), but not change them (4.1). */
export const unusualProfiles: readonly (readonly Profile[])[] = [
  [
    { name: 'other sizes', bitrate: 1_234_567, fps: 25, width: 1922, height: 802 },
    { name: '音', bitrate: 64_001, fps: 1, width: 16, height: 16 },
    ...recommendedProfiles,
  ],
  [{ name: '720p', bitrate: 1_500_000, fps: 30, width: 960, height: 540 }],
  [{ name: '720p', bitrate: 3_000_000, fps: 60, width: 1280, height: 720 }],
  [{ name: '480p', bitrate: 1_000_000, fps: 24, width: 854, height: 480 }],
  [{ name: '480p', bitrate: 1_000_000, fps: 30, width: 853, height: 481 }],
  // One size under two names, a bitrate above 20,000,000, and no order by size, bitrate or name.
  [
    { name: '480p', bitrate: 1_000_000, fps: 30, width: 854, height: 480 },
    { name: '1080p', bitrate: 25_000_000, fps: 30, width: 1920, height: 1080 },
    { name: '720p low', bitrate: 900_000, fps: 30, width: 1280, height: 720 },
    { name: '240p', bitrate: 250_000, fps: 30, width: 426, height: 240 },
    { name: '720p high', bitrate: 2_500_000, fps: 30, width: 1280, height: 720 },
  ],
  [
    { name: 'one name', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 },
    { name: 'one name', bitrate: 1_000_000, fps: 30, width: 854, height: 480 },
  ],
];
