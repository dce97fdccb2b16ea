import { type AnswerFault, answer } from './answer.ts';
import { type DelayFault, delay } from './delay.ts';
import { type DripFault, drip } from './drip.ts';
import type { AnyEffect, Effect } from './effect.ts';
import { type MalformedFault, malformed } from './malformed.ts';
import { type PatchFault, patch } from './patch.ts';
import { type PlaylistEndlessFault, playlistEndless } from './playlist-endless.ts';
import {
  type RecordingFailedFault,
  type RecordingWaitingFault,
  recordingFailed,
  recordingWaiting,
} from './recording.ts';
import { type ResetFault, reset } from './reset.ts';
import { type SegmentMissingFault, segmentMissing } from './segment-missing.ts';
import { type StatusFault, status } from './status.ts';
import { type TruncateFault, truncate } from './truncate.ts';

/** What happens to requests or recordings in place of what the interface says. */
export type Fault =
  | StatusFault
  | AnswerFault
  | PatchFault
  | DelayFault
  | ResetFault
  | TruncateFault
  | MalformedFault
  | DripFault
  | SegmentMissingFault
  | PlaylistEndlessFault
  | RecordingFailedFault
  | RecordingWaitingFault;

/** Name of what goes wrong. */
export type EffectName = Fault['effect'];

type Effects = { readonly [Name in EffectName]: Effect<Extract<Fault, { effect: Name }>> };

/** All effects that a fault can have. */
const effects: Effects = {
  status,
  answer,
  patch,
  delay,
  reset,
  truncate,
  malformed,
  drip,
  'segment-missing': segmentMissing,
  'playlist-endless': playlistEndless,
  'recording-failed': recordingFailed,
  'recording-waiting': recordingWaiting,
};

export const effectNames: readonly EffectName[] = Object.keys(effects) as EffectName[];

/** The effect of a fault, for code that treats all effects alike. */
export function effectOf({ effect }: Pick<Fault, 'effect'>): AnyEffect {
  return effects[effect];
}
