import {
  type ClientOperation,
  clientOperationNames,
  interfaceOperationNames,
} from '../http/operation-names.ts';
import type { EffectName } from './fault.ts';

/** Which requests each effect can meet; an empty list is for what happens to recordings. */
export const effectTargets: Readonly<Record<EffectName, readonly ClientOperation[]>> = {
  delay: clientOperationNames,
  status: clientOperationNames,
  reset: clientOperationNames,
  truncate: clientOperationNames,
  malformed: interfaceOperationNames,
  drip: clientOperationNames,
  'segment-missing': ['recordingSegment', 'liveSegment'],
  'playlist-endless': ['recordingPlaylist', 'recordingRendition'],
  'recording-failed': [],
  'recording-waiting': [],
};
