import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import {
  type Behaviours,
  documentedKeys,
  recordingKeys,
  type Samples,
  sampleText,
} from '../../interface/dialect/behaviours.ts';
import { defaultDialect } from '../../interface/dialect/resolve.ts';
import type { Json } from '../../interface/json.ts';
import { noMedia, type Profile, type Session, type Stream } from '../../interface/types.ts';
import { addMedia } from '../media/media-counts.ts';
import { childId } from '../state/ids.ts';
import { recordsOf } from '../state/ordered.ts';
import { addressesOf, recordingStatus } from './playback.ts';
import type { OpenWorld, Requester } from './world.ts';

type View = Record<string, Json | undefined>;

/** A stream as the interface shows it (2.1), without a dialect. */
export function plainStream(world: OpenWorld, stream: StreamRecord): Stream {
  const now = world.clock.now();
  const view: Stream = {
    id: stream.id,
    kind: 'stream',
    name: stream.name,
    createdAt: stream.createdAt,
    streamKey: stream.streamKey,
    playbackId: stream.playbackId,
    record: stream.record,
    profiles: copyProfiles(stream.profiles),
    ...noMedia,
    suspended: false,
    renditions: {},
    userId: world.state.userId,
    createdByTokenName: 'livestream-mock',
  };
  const sessions = recordsOf(world.state.records.sessionsOf(stream.id));
  for (const session of sessions) addMedia(view, session, now);
  return stream.further === undefined ? view : Object.assign(view, structuredClone(stream.further));
}

/** A copy of profiles to show, so that changing it does not change the record. */
function copyProfiles(profiles: readonly Profile[]): Profile[] {
  return profiles.map((profile) => ({ ...profile }));
}

/** A session as the interface shows it (2.3), without a dialect. */
export function plainSession(requester: Requester, session: SessionRecord): Session {
  const { world } = requester;
  const now = world.clock.now();
  const status = recordingStatus(world, session);
  const { records } = world.state;
  const parent = records.stream(session.parentId) ?? records.deletedStream(session.parentId);
  return {
    id: session.id,
    kind: 'session',
    name: session.name,
    parentId: session.parentId,
    playbackId: parent?.playbackId ?? '',
    createdAt: session.createdAt,
    record: session.record,
    profiles: copyProfiles(session.profiles),
    ...(status !== undefined && { recordingStatus: status }),
    ...(status === 'ready' && addressesOf(requester, session)),
    ...addMedia({ ...noMedia }, session, now),
    userId: world.state.userId,
  };
}

/** A stream as a client sees it, under the dialect. */
export function showStream({ world, dialect }: Requester, stream: StreamRecord): Stream | View {
  const plain = plainStream(world, stream);
  if (dialect === defaultDialect) return plain;
  const { behaviours } = dialect;
  const { shown, hidden = [], further } = stream;
  const { streamOnceLive, streamWhileLive } = behaviours['keys.by-place'];
  const wasLive = world.state.records.sessionsOf(stream.id).entries.length > 0;
  const view = {
    ...pickDocumentedKeys('stream', plain),
    ...fillSamples(behaviours['stream.further-keys'], plain),
    ...(wasLive && fillSamples(streamOnceLive, plain)),
    ...(plain.isActive && fillSamples(streamWhileLive, plain)),
    ...further,
    ...shown,
  } as View;
  if (behaviours['stream.record'] !== 'shown') delete view['record'];
  for (const field of hidden) delete view[field];
  return respellKeys(view, behaviours);
}

/** A place where sessions are shown, perhaps with keys that they have only there. */
export type SessionPlace = Exclude<keyof Behaviours['keys.by-place'], `${string}Live`>;

/** A session as a client sees it at a place, under the dialect. */
export function showSession(
  requester: Requester,
  session: SessionRecord,
  place: SessionPlace,
): Session | View {
  const { world, dialect } = requester;
  const plain = plainSession(requester, session);
  if (dialect === defaultDialect) return plain;
  const { behaviours } = dialect;
  const { [place]: keysOfPlace, sessionWhileLive } = behaviours['keys.by-place'];
  const whileLive = place === 'sessionAmongStreams' ? {} : sessionWhileLive;
  const samples = [behaviours['session.further-keys'], keysOfPlace, whileLive];
  const showsParent = samples.some((sample) => 'parentStream' in sample);
  const parent = showsParent ? world.state.records.stream(session.parentId) : undefined;
  const unready = whyUnready(plain.recordingStatus);
  const addresses = unready === undefined ? 'absent' : behaviours['sessions.addresses'][unready];
  const { profiles, recordingStatus, mp4Url, ...documented } = {
    ...plain,
    ...(parent !== undefined && { parentStream: showStream(requester, parent) as Json }),
    ...unreadyAddresses(requester, session, addresses),
  };
  const status = unready === undefined ? recordingStatus : behaviours['sessions.status'][unready];
  const noProfiles = profiles.length === 0 ? behaviours['profiles.of-session'] : 'empty';
  const view = {
    ...pickDocumentedKeys('session', documented),
    ...(noProfiles !== 'absent' && { profiles: noProfiles === 'null' ? null : profiles }),
    ...(status !== 'absent' && { recordingStatus: status }),
    ...(mp4Url !== undefined && behaviours['session.mp4Url'] === 'present' && { mp4Url }),
    ...fillSamples(behaviours['session.further-keys'], documented),
    ...fillSamples(keysOfPlace, documented),
    ...(plain.isActive && fillSamples(whileLive, documented)),
    ...session.shown,
  } as View;
  if (!session.record && behaviours['session.record'] === 'absent') delete view['record'];
  return respellKeys(view, behaviours);
}

/** A session as the list of streams shows it: without its recording, and perhaps as a child stream with another id. */
export function showAmongStreams(requester: Requester, session: SessionRecord): View {
  const { behaviours } = requester.dialect;
  const view = showSession(requester, session, 'sessionAmongStreams') as View;
  const spellings: Readonly<Record<string, string>> = behaviours['keys.spelling'];
  for (const key of recordingKeys) delete view[spellings[key] ?? key];
  const isChild = behaviours['list.sessions-among-streams'] === 'children';
  return isChild ? { ...view, id: childId(session.id) } : view;
}

/** Spells the keys of a stream or session as the dialect does. */
function respellKeys(view: View, behaviours: Behaviours): View {
  const spellings: Readonly<Record<string, string>> = behaviours['keys.spelling'];
  if (Object.keys(spellings).length === 0) return view;
  const spelled = (key: string) => (Object.hasOwn(spellings, key) ? spellings[key] : key);
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [spelled(key), value]));
}

/** Why a recording is not ready or settled; `undefined` if it is. */
function whyUnready(status: Session['recordingStatus']) {
  if (status === undefined) return 'unrecorded';
  return status === 'waiting' ? 'beforeReady' : undefined;
}

/** The addresses that a session shows while it has nothing to play. */
function unreadyAddresses(
  requester: Requester,
  session: SessionRecord,
  presence: Behaviours['sessions.addresses']['beforeReady'],
): Readonly<Record<string, string | null>> {
  if (presence === 'absent') return {};
  const addresses = Object.entries(addressesOf(requester, session));
  if (presence === 'present') return Object.fromEntries(addresses);
  const noAddress = presence === 'null' ? null : '';
  return Object.fromEntries(addresses.map(([key]) => [key, noAddress]));
}

function pickDocumentedKeys(kind: 'stream' | 'session', view: object): object {
  const keys = documentedKeys[kind];
  return Object.fromEntries(Object.entries(view).filter(([key]) => keys.includes(key)));
}

/** Keys of which a sample says the value itself, unless it is the sample of any text. */
const keysOfWords: ReadonlySet<string> = new Set(['kind']);

/** The value that the mock computes for each key, if it has the type of the sample, or else the sample. */
function fillSamples(samples: Samples, view: object): Record<string, Json> {
  const computed = new Map<string, Json>(Object.entries(view));
  const entries = Object.entries(samples).map(([key, sample]) => {
    if (keysOfWords.has(key) && sample !== sampleText) return [key, sample];
    const value = computed.get(key);
    if (value === undefined || typeOfJson(value) !== typeOfJson(sample)) return [key, sample];
    // A session shows only some keys of its parent.
    return [key, key === 'parentStream' ? fillSamples(sample as Samples, Object(value)) : value];
  });
  return Object.fromEntries(entries);
}

function typeOfJson(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
