import {
  type ClientOperation,
  clientOperationNames,
  interfaceOperationNames,
} from '../../interface/operation-names.ts';
import type { Bodiless, EffectName, FaultOf } from './fault.ts';

const bodiless: readonly ClientOperation[] = ['setRecord', 'deleteStream'] satisfies Bodiless[];

function withBody<Name extends ClientOperation>(
  names: readonly Name[],
): readonly Exclude<Name, Bodiless>[] {
  return names.filter((name): name is Exclude<Name, Bodiless> => !bodiless.includes(name));
}

type Targets<Name extends EffectName> = readonly NonNullable<FaultOf<Name>['operation']>[];

/** Which requests each effect can meet; an empty list is for what happens to recordings. */
export const effectTargets: { readonly [Name in EffectName]: Targets<Name> } = {
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
