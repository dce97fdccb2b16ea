import { loopFrames } from '../../fixtures/media/shape.ts';
import type { SessionRecord } from '../../fixtures/world-records.ts';
import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { FaultTarget } from '../faults/faults.ts';
import { rangeResponse } from '../media/byte-range.ts';
import type { ByteSource } from '../media/bytes.ts';
import { segmentCount, sourceBitrate } from '../media/frames.ts';
import { type Loop, loadLoops, nearestLoop, sourceLoop } from '../media/loop.ts';
import { deliveredFrames } from '../media/media-counts.ts';
import { createMp4 } from '../media/mp4.ts';
import {
  livePlaylist,
  multivariantPlaylist,
  recordingPlaylist,
  segmentName,
} from '../media/playlist.ts';
import { createInitSegment, createSegment } from '../media/segment.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { PlainResponse } from '../messages/response.ts';
import { availableSegments, hasRendition, liveWindow } from '../service/live-playback.ts';
import { readOwnedId } from '../service/media-owner.ts';
import { recordingStatus } from '../service/playback.ts';
import type { OpenWorld } from '../service/world.ts';
import { isSuspended } from '../state/state.ts';
import type { Worlds } from '../stores/open-worlds.ts';

/**
 * Finds the media that a request asks for: its world, what faults can match, and how to respond.
 * @throws Problem 404 if no world has this media.
 */
export async function openMedia(
  worlds: Worlds,
  request: Request,
  name: MediaRouteName,
  parameters: Readonly<Record<string, string>>,
) {
  const { rendition = 'source', file = '' } = parameters;
  // The first id in the path says whose media it is.
  const { id, owner } = readOwnedId(parameters['playbackId'] ?? parameters['sessionId'] ?? '');
  const isLive = parameters['playbackId'] !== undefined;
  const playbackId = isLive ? id : undefined;
  const sessionId = isLive ? parameters['sessionId'] : id;
  const find = (world: OpenWorld) => findMediaSession(world, { playbackId, sessionId });
  const has = (world: OpenWorld) => find(world) !== undefined;
  // A report that was imported from elsewhere has addresses whose owner is not here. They play, too.
  const world =
    (await worlds.find((candidate) => has(candidate) && candidate.mediaOwner === owner)) ??
    (await worlds.find(has));
  const found = world && find(world);
  if (world === undefined || found === undefined) {
    throw unknownMedia('media of a session that this mock knows', new URL(request.url).pathname);
  }
  const target: FaultTarget = { operation: name, id: playbackId ?? found.session.id, file };
  return {
    world,
    target,
    async respond(): Promise<PlainResponse> {
      const source = await mediaSources[name]({ world, ...found, rendition, file });
      const type = videoRoutes.includes(name) ? 'video/mp4' : 'application/vnd.apple.mpegurl';
      return rangeResponse(request, source, type);
    },
  };
}

/**
 * The session that an address names, by its own id or by a playback id. A playback id alone stands for the live session,
 * or else the latest one.
 */
function findMediaSession(
  { state: { records } }: OpenWorld,
  address: { readonly playbackId?: string | undefined; readonly sessionId?: string | undefined },
): { readonly session: SessionRecord; readonly latest: SessionRecord } | undefined {
  const { playbackId, sessionId } = address;
  const named = sessionId === undefined ? undefined : records.session(sessionId);
  if (playbackId === undefined) return named && { session: named, latest: named };
  const stream = records.streamByPlaybackId(playbackId);
  if (stream === undefined || isSuspended(stream)) return undefined;
  const latest = records.latestSession(stream.id);
  const session = sessionId === undefined ? latest : named;
  if (latest === undefined || session?.parentId !== stream.id) return undefined;
  return { session, latest };
}

/** A request for media of a session. */
interface MediaCall {
  readonly world: OpenWorld;
  readonly session: SessionRecord;
  /** The latest session of its stream, if it was asked for by the playback id. */
  readonly latest: SessionRecord;
  readonly rendition: string;
  readonly file: string;
}

/** What each media route serves. */
const mediaSources: Readonly<
  Record<MediaRouteName, (call: MediaCall) => ByteSource | Promise<ByteSource>>
> = {
  // With and without profiles alike: a player that watches cannot follow a playlist that becomes one of the other kind.
  livePlaylist: allRenditions,
  liveRendition: async (call) => {
    await findRendition(call);
    return liveSource(call);
  },
  liveSegment: ({ latest, ...call }) => {
    const { first, end } = availableSegments(latest, call.session, call.world.clock.now());
    return segmentSource(call, { first, frames: end * loopFrames });
  },
  recordingPlaylist: (call) => {
    const { profiles } = requireReady(call).session;
    return profiles.length > 0 ? allRenditions(call) : recordingPlaylist(framesOf(call), 'source/');
  },
  recordingMp4: async (call) =>
    createMp4(sourceLoop(await loadLoops()), framesOf(requireReady(call))),
  recordingRendition: async (call) => {
    await findRendition(call);
    return recordingPlaylist(framesOf(requireReady(call)), '');
  },
  recordingSegment: (call) =>
    segmentSource(requireReady(call), { first: 0, frames: framesOf(call) }),
};

const videoRoutes: readonly MediaRouteName[] = ['liveSegment', 'recordingMp4', 'recordingSegment'];

/** The multivariant playlist of the source and of the rendition for each profile. */
async function allRenditions({ session: { profiles } }: MediaCall): Promise<ByteSource> {
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
    ...profiles.map((profile, index) => {
      // Playlists need a whole number above 0, and a dialect can accept any other bitrate.
      const bandwidth = Math.max(1, Math.round(profile.bitrate));
      return variant(String(index), nearestLoop(loops, profile), bandwidth);
    }),
  ]);
}

function liveSource({ world, session, rendition }: MediaCall): ByteSource {
  return livePlaylist(liveWindow(world.state.records, session, rendition, world.clock.now()));
}

/** A file of a rendition: its initialization segment, or a segment of `frames` video frames from the one at `first` on. */
async function segmentSource(
  call: Pick<MediaCall, 'session' | 'rendition' | 'file'>,
  { first, frames }: { readonly first: number; readonly frames: number },
): Promise<ByteSource> {
  const loop = await findRendition(call);
  const end = segmentCount(frames);
  if (call.file === 'init.mp4' && first < end) return createInitSegment(loop);
  const index = Number.parseInt(call.file, 10);
  if (call.file === segmentName(index) && index >= first && index < end) {
    return createSegment(loop, frames, index);
  }
  throw unknownMedia('init.mp4 or a segment that the playlist names', call.file);
}

function framesOf({ world, session }: Pick<MediaCall, 'world' | 'session'>): number {
  return deliveredFrames(session, world.clock.now());
}

async function findRendition({
  session,
  rendition,
}: Pick<MediaCall, 'session' | 'rendition'>): Promise<Loop> {
  const loops = await loadLoops();
  if (rendition === 'source') return sourceLoop(loops);
  const { profiles } = session;
  const profile = hasRendition(session, rendition) ? profiles[Number(rendition)] : undefined;
  if (profile !== undefined) return nearestLoop(loops, profile);
  const count = profiles.length;
  throw unknownMedia(`the rendition source, or the place of one of ${count} profiles`, rendition);
}

function unknownMedia(expected: string, got: string): Problem {
  return new Problem('unknown', { path: 'path', expected, got: describeValue(got) });
}

function requireReady(call: MediaCall): MediaCall {
  const status = recordingStatus(call.world, call.session);
  if (status === 'ready') return call;
  const got = `${describeValue(status)} for session ${call.session.id}`;
  const expected = 'a session whose recordingStatus is ready';
  throw new Problem('unknown', { path: 'recording', expected, got });
}
