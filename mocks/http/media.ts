import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { Profile, SessionRecord } from '../../interface/types.ts';
import type { FaultTarget } from '../faults/faults.ts';
import type { ByteSource } from '../media/bytes.ts';
import { type Loop, loadLoops, nearestLoop, sourceLoop } from '../media/loop.ts';
import { createMp4 } from '../media/mp4.ts';
import {
  livePlaylist,
  multivariantPlaylist,
  recordingPlaylist,
  segmentName,
} from '../media/playlist.ts';
import { createInitSegment, createSegment } from '../media/segment.ts';
import { segmentCount, sourceBitrate } from '../media/timeline.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { PlainResponse } from '../messages/response.ts';
import { deliveredFrames, liveRange, recordingStatus } from '../service/recording.ts';
import type { WorldState } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import { fileResponse } from './byte-range.ts';

type Respond = (request: Request) => Promise<PlainResponse>;

/**
 * The media of a route, whose parameters tell its world, and how it is answered.
 * @throws Problem 404 when no world has that media.
 */
export async function openMedia(
  worlds: Worlds,
  name: MediaRouteName,
  parameters: Readonly<Record<string, string>>,
  { pathname }: URL,
): Promise<Readonly<{ world: WorldState; target: FaultTarget; respond: Respond }>> {
  const { playbackId, sessionId, rendition = 'source', file = '' } = parameters;
  const find = (world: WorldState) => findMediaSession(world, { playbackId, sessionId });
  const world = await worlds.find((candidate) => find(candidate) !== undefined);
  const session = world && find(world);
  if (world === undefined || session === undefined) {
    throw new Problem('unknown', {
      path: 'path',
      expected: 'media of a session that this mock knows',
      got: describeValue(pathname),
    });
  }
  return {
    world,
    target: { operation: name, id: playbackId ?? session.id, file },
    respond: (request) => computedResponse(request, name, { world, session, rendition, file }),
  };
}

/**
 * The session that an address names: by its own id; or by a playback id, the live session or else the
 * latest one.
 */
function findMediaSession(
  { state: { records } }: WorldState,
  address: { readonly playbackId?: string | undefined; readonly sessionId?: string | undefined },
): SessionRecord | undefined {
  const { playbackId, sessionId } = address;
  if (playbackId === undefined) return records.session(sessionId ?? '');
  const stream = records.streamByPlaybackId(playbackId);
  const latest =
    stream && (records.liveSession(stream.id) ?? records.sessionsOf(stream.id).rows.at(-1)?.record);
  return sessionId === undefined || sessionId === latest?.id ? latest : undefined;
}

/** A request for media of a session. */
interface MediaCall {
  readonly world: WorldState;
  readonly session: SessionRecord;
  readonly rendition: string;
  readonly file: string;
}

/** What lies at each media route. */
const mediaSources: Readonly<
  Record<MediaRouteName, (call: MediaCall) => ByteSource | Promise<ByteSource>>
> = {
  livePlaylist: (call) => topPlaylist(call, () => liveSource(call, `source/${call.session.id}/`)),
  liveRendition: async (call) => {
    await findRendition(call);
    return liveSource(call, `${call.session.id}/`);
  },
  liveSegment: (call) => {
    const { first, end } = liveRange(call.session, call.world.clock.now());
    // A segment stays available after it left the playlist: for as long as itself and the playlist
    // together (RFC 8216, 6.2.2).
    return segmentSource(call, Math.max(0, 2 * first - end - 1), end);
  },
  recordingPlaylist: (call) =>
    topPlaylist(requireReady(call), () => recordingPlaylist(framesOf(call), 'source/')),
  recordingMp4: async (call) =>
    createMp4(sourceLoop(await loadLoops()), framesOf(requireReady(call))),
  recordingRendition: async (call) => {
    await findRendition(call);
    return recordingPlaylist(framesOf(requireReady(call)), '');
  },
  recordingSegment: (call) => segmentSource(requireReady(call), 0, Number.POSITIVE_INFINITY),
};

const files: ReadonlySet<MediaRouteName> = new Set([
  'liveSegment',
  'recordingMp4',
  'recordingSegment',
]);

/** With profiles, the playlist of all renditions; without them, that of the source. */
async function topPlaylist(call: MediaCall, readSource: () => ByteSource): Promise<ByteSource> {
  const { profiles } = call.session;
  if (profiles.length === 0) return readSource();
  const loops = await loadLoops();
  const variant = (folder: string, loop: Loop, bandwidth: number) => ({
    uri: `${folder}/index.m3u8`,
    bandwidth,
    width: loop.width,
    height: loop.height,
    codecs: [loop.video.codec, loop.audio.codec],
  });
  return multivariantPlaylist([
    variant('source', sourceLoop(loops), sourceBitrate),
    ...profiles.map((profile, index) =>
      variant(String(index), nearestLoop(loops, profile), bandwidthOf(profile)),
    ),
  ]);
}

/** A whole number above 0, as playlists need one: a dialect can accept any other bitrate. */
function bandwidthOf({ bitrate }: Profile): number {
  return Math.max(1, Math.round(bitrate));
}

function liveSource({ world, session }: MediaCall, folder: string): ByteSource {
  const now = world.clock.now();
  return livePlaylist(
    {
      frames: deliveredFrames(session, now),
      ...liveRange(session, now),
      ended: session.endedAt !== undefined,
      startedAt: session.createdAt,
    },
    folder,
  );
}

async function segmentSource(call: MediaCall, first: number, end: number): Promise<ByteSource> {
  const loop = await findRendition(call);
  if (call.file === 'init.mp4') return createInitSegment(loop);
  const index = Number.parseInt(call.file, 10);
  const frames = framesOf(call);
  const last = Math.min(end, segmentCount(frames)) - 1;
  if (call.file === segmentName(index) && index >= first && index <= last) {
    return createSegment(loop, frames, index);
  }
  throw new Problem('unknown', {
    path: 'path',
    expected: 'init.mp4 or a segment that the playlist names',
    got: describeValue(call.file),
  });
}

/**
 * The bytes at an address depend on its path and on the values in the ETag. The id alone is not enough:
 * after a reset another session may have the same one.
 */
async function computedResponse(
  request: Request,
  name: MediaRouteName,
  call: MediaCall,
): Promise<PlainResponse> {
  const source = await mediaSources[name](call);
  const { id, createdAt, endedAt, profiles } = call.session;
  const state = endedAt === undefined ? 'live' : 'ended';
  const renditions = profiles.map(({ bitrate, width, height }) => `${bitrate}x${width}x${height}`);
  const facts = [id, createdAt, framesOf(call), state, ...renditions, source.length];
  const contentType = files.has(name) ? 'video/mp4' : 'application/vnd.apple.mpegurl';
  return fileResponse(request, { source, contentType, etag: `"${facts.join('-')}"` });
}

function framesOf({ world, session }: MediaCall): number {
  return deliveredFrames(session, world.clock.now());
}

async function findRendition({ session, rendition }: MediaCall): Promise<Loop> {
  const loops = await loadLoops();
  if (rendition === 'source') return sourceLoop(loops);
  const profile = /^\d+$/.test(rendition) ? session.profiles[Number(rendition)] : undefined;
  if (profile !== undefined) return nearestLoop(loops, profile);
  throw new Problem('unknown', {
    path: 'path',
    expected: `the rendition source, or the place of one of ${session.profiles.length} profiles`,
    got: describeValue(rendition),
  });
}

function requireReady(call: MediaCall): MediaCall {
  const status = recordingStatus(call.world, call.session, call.world.clock.now());
  if (status === 'ready') return call;
  throw new Problem('unknown', {
    path: 'recording',
    expected: 'a session whose recordingStatus is ready',
    got: `${describeValue(status)} for session ${call.session.id}`,
  });
}
