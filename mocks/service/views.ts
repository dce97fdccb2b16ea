import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import {
  type Behaviours,
  documentedKeys,
  recordingKeys,
  type Samples,
  sampleText,
  type sessionPlaces,
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

/** Where streams are shown, perhaps without some keys or with keys of that place only. */
export type StreamPlace = 'stream' | 'createStream' | 'listStreams';

/**
 * A stream as a client sees it at a place, under the dialect.
 * @param sentFields the fields that the creation has set, if this is the response to it
 */
export function showStream(
  { world, dialect }: Requester,
  stream: StreamRecord,
  place: StreamPlace = 'stream',
  sentFields: readonly string[] = [],
): Stream | View {
  const plain = plainStream(world, stream);
  if (dialect === defaultDialect) return plain;
  const { behaviours } = dialect;
  const { shown, hidden = [], further } = stream;
  const byPlace = behaviours['keys.by-place'];
  const missing = behaviours['keys.missing'];
  const wasLive = world.state.records.sessionsOf(stream.id).entries.length > 0;
  const view = {
    ...pickDocumentedKeys('stream', plain),
    ...fillSamples(behaviours['stream.further-keys'], plain),
    ...(wasLive && fillSamples(byPlace.streamOnceLive, plain)),
    ...(plain.isActive && fillSamples(byPlace.streamWhileLive, plain)),
    ...(stream.record && fillSamples(byPlace.streamRecorded, plain)),
    ...(place === 'listStreams' && fillSamples(byPlace.listStreams, plain)),
    ...further,
    ...shown,
  } as View;
  if (behaviours['stream.record'] !== 'shown') delete view['record'];
  for (const field of hidden) delete view[field];
  const ofPlace = place === 'stream' ? [] : missing[place];
  const lacking = plain.isActive ? [...ofPlace, ...missing.streamWhileLive] : ofPlace;
  removeKeys(
    view,
    lacking.filter((key) => !sentFields.includes(key)),
  );
  return respellKeys(view, behaviours);
}

function removeKeys(view: View, keys: readonly string[]): void {
  for (const key of keys) delete view[key];
}

/** A place where sessions are shown, perhaps with keys that they have only there. `sessionWhileLive` says when, not where. */
export type SessionPlace = Exclude<keyof typeof sessionPlaces, 'sessionWhileLive'>;

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
  const { [place]: keysOfPlace } = behaviours['keys.by-place'];
  const { further: whileLive, missing } = keysWhileLive(behaviours, plain, place);
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
    ...fillSamples(whileLive, documented),
    ...session.shown,
  } as View;
  if (!session.record && behaviours['session.record'] === 'absent') delete view['record'];
  removeKeys(view, missing);
  return respellKeys(view, behaviours);
}

/** The keys that a session has, and those that it lacks, because it is live. */
function keysWhileLive(
  behaviours: Behaviours,
  { isActive }: Pick<Session, 'isActive'>,
  place: SessionPlace,
): { readonly further: Samples; readonly missing: readonly string[] } {
  if (!isActive || place === 'sessionAmongStreams') return { further: {}, missing: [] };
  return {
    further: behaviours['keys.by-place'].sessionWhileLive,
    missing: behaviours['keys.missing'].sessionWhileLive,
  };
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

/** What a dialect shows of playback, of a stream or of a session. */
export function showPlayback(
  requester: Requester,
  record: StreamRecord | SessionRecord,
  samples: Samples,
  address: string,
): Record<string, Json> {
  const plain =
    'parentId' in record ? plainSession(requester, record) : plainStream(requester.world, record);
  const { isActive } = plain;
  const shown = fillSamples(samples, { ...plain, live: isActive, isLive: isActive });
  return JSON.parse(JSON.stringify(shown).replaceAll('"{hls}"', () => JSON.stringify(address)));
}

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
