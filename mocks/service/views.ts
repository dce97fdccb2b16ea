import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import { documentedKeys } from '../../interface/silent-creation.ts';
import type { Json } from '../../interface/silent-row.ts';
import type { Session, SessionRecord, Stream, StreamRecord } from '../../interface/types.ts';
import { breaksFor, respelled } from './breaks.ts';
import { addressesOf, viewSession } from './sessions.ts';
import { viewStream } from './streams.ts';
import type { WorldState } from './world.ts';

/** A stream as a caller with these behaviours sees it. */
export function showStream(
  world: WorldState,
  stream: StreamRecord,
  behaviours: Behaviours,
): Stream | Record<string, Json | undefined> {
  const view = viewStream(world, stream);
  if (behaviours === usualBehaviours) return view;
  const { profilesShown, further } = stream;
  const { record, profiles, ...others } = view;
  const shown = {
    ...documented('stream', others),
    ...(behaviours['stream.record'] === 'shown' && { record }),
    ...(profilesShown !== 'absent' && { profiles: profilesShown === 'null' ? null : profiles }),
    ...furtherKeys(behaviours['stream.further-keys'], others),
    ...further,
  } as Record<string, Json | undefined>;
  return respelled(shown, breaksFor(world, behaviours));
}

/** A session as a caller with these behaviours sees it; media addresses begin with `origin`. */
export function showSession(
  world: WorldState,
  session: SessionRecord,
  origin: string,
  behaviours: Behaviours,
): Session | Record<string, Json | undefined> {
  const view = viewSession(world, session, origin);
  if (behaviours === usualBehaviours) return view;
  const { profiles, recordingStatus, mp4Url, ...others } = {
    ...view,
    ...(view.recordingStatus === 'waiting' &&
      behaviours['sessions.addresses-before-ready'] === 'present' &&
      addressesOf(session, origin)),
  };
  const status = shownStatus(recordingStatus, behaviours);
  const hidesProfiles = profiles.length === 0 && behaviours['profiles.of-session'] === 'absent';
  const shown = {
    ...documented('session', others),
    ...(!hidesProfiles && { profiles }),
    ...(status !== null && { recordingStatus: status }),
    ...(mp4Url !== undefined && behaviours['session.mp4Url'] === 'present' && { mp4Url }),
    ...furtherKeys(behaviours['session.further-keys'], others),
  } as Record<string, Json | undefined>;
  return respelled(shown, breaksFor(world, behaviours));
}

function shownStatus(status: Session['recordingStatus'], behaviours: Behaviours): string | null {
  if (status === undefined) return behaviours['sessions.status-unrecorded'];
  return status === 'waiting' ? behaviours['sessions.status-before-ready'] : status;
}

function documented(kind: 'stream' | 'session', view: object): object {
  const keys = documentedKeys[kind];
  return Object.fromEntries(Object.entries(view).filter(([key]) => keys.includes(key)));
}

/** What the mock computes for each key, if it has the type of the sample; else the sample. */
function furtherKeys(samples: Readonly<Record<string, Json>>, view: object): object {
  const computed = new Map<string, Json>(Object.entries(view));
  const entries = Object.entries(samples).map(([key, sample]) => {
    const value = computed.get(key);
    return [key, value !== undefined && jsonType(value) === jsonType(sample) ? value : sample];
  });
  return Object.fromEntries(entries);
}

function jsonType(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
