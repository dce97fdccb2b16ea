import {
  type ClientOperation,
  clientOperationNames,
  interfaceOperationNames,
} from '../http/operation-names.ts';
import type { EffectName } from './fault.ts';

/** What answers 204, so that there is nothing to spoil. */
const bodiless: readonly ClientOperation[] = ['setRecord', 'deleteStream'];

function withBody(names: readonly ClientOperation[]): readonly ClientOperation[] {
  return names.filter((name) => !bodiless.includes(name));
}

/** Which requests each effect can meet; an empty list is for what happens to recordings. */
export const effectTargets: Readonly<Record<EffectName, readonly ClientOperation[]>> = {
  delay: clientOperationNames,
  status: clientOperationNames,
  reset: clientOperationNames,
  truncate: clientOperationNames,
  malformed: withBody(interfaceOperationNames),
  drip: withBody(clientOperationNames),
  'segment-missing': ['recordingSegment', 'liveSegment'],
  'playlist-endless': ['recordingPlaylist', 'recordingRendition'],
  'recording-failed': [],
  'recording-waiting': [],
};

/** Effects on a body, which pass a HEAD by. */
export const bodyEffects: ReadonlySet<EffectName> = new Set<EffectName>([
  'truncate',
  'malformed',
  'drip',
  'playlist-endless',
]);
