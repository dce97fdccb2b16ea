import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { Profile, SessionRecord } from '../../interface/types.ts';
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
import type { PlainResponse } from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { deliveredFrames, liveRange, recordingStatus } from '../service/recording.ts';
import type { WorldState } from '../service/world.ts';
import { fileResponse } from './byte-range.ts';

/** A request for media of a session. */
export interface MediaCall {
  readonly request: Request;
  readonly world: WorldState;
  readonly session: SessionRecord;
  readonly rendition: string;
  readonly file: string;
}

/** The response of each media route. */
export const mediaHandlers: Readonly<
  Record<MediaRouteName, (call: MediaCall) => Promise<PlainResponse>>
> = {
  livePlaylist: (call) =>
    topPlaylistResponse(call, () => liveSource(call, `source/${call.session.id}/`)),
  liveRendition: async (call) => {
    await findRendition(call);
    return playlistResponse(call, liveSource(call, `${call.session.id}/`));
  },
  liveSegment: (call) => {
    const { first, end } = liveRange(call.session, call.world.clock.now());
    // A segment stays available after it left the playlist: for as long as itself and the playlist
    // together (RFC 8216, 6.2.2).
    return segmentResponse(call, Math.max(0, 2 * first - end - 1), end);
  },
  recordingPlaylist: (call) =>
    topPlaylistResponse(requireReady(call), () => recordingSource(call, 'source/')),
  recordingMp4: async (call) => {
    const source = createMp4(sourceLoop(await loadLoops()), framesOf(requireReady(call)));
    return computedResponse(call, source, 'video/mp4');
  },
  recordingRendition: async (call) => {
    await findRendition(call);
    return playlistResponse(call, recordingSource(requireReady(call), ''));
  },
  recordingSegment: (call) => segmentResponse(requireReady(call), 0, Number.POSITIVE_INFINITY),
};

/** With profiles, the playlist of all renditions; without them, that of the source. */
async function topPlaylistResponse(
  call: MediaCall,
  readSource: () => ByteSource,
): Promise<PlainResponse> {
  const { profiles } = call.session;
  if (profiles.length === 0) return playlistResponse(call, readSource());
  const loops = await loadLoops();
  const variant = (folder: string, loop: Loop, bandwidth: number) => ({
    uri: `${folder}/index.m3u8`,
    bandwidth,
    width: loop.width,
    height: loop.height,
    codecs: [loop.video.codec, loop.audio.codec],
  });
  return playlistResponse(
    call,
    multivariantPlaylist([
      variant('source', sourceLoop(loops), sourceBitrate),
      ...profiles.map((profile, index) =>
        variant(String(index), nearestLoop(loops, profile), bandwidthOf(profile)),
      ),
    ]),
  );
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

function recordingSource(call: MediaCall, folder: string): ByteSource {
  return recordingPlaylist(framesOf(call), folder);
}

async function segmentResponse(
  call: MediaCall,
  first: number,
  end: number,
): Promise<PlainResponse> {
  const loop = await findRendition(call);
  if (call.file === 'init.mp4') return computedResponse(call, createInitSegment(loop), 'video/mp4');
  const index = Number.parseInt(call.file, 10);
  const frames = framesOf(call);
  const last = Math.min(end, segmentCount(frames)) - 1;
  if (call.file !== segmentName(index) || index < first || index > last) {
    throw new Problem('unknown', {
      path: 'path',
      expected: 'init.mp4 or a segment that the playlist names',
      got: describeValue(call.file),
    });
  }
  return computedResponse(call, createSegment(loop, frames, index), 'video/mp4');
}

function playlistResponse(call: MediaCall, source: ByteSource): PlainResponse {
  return computedResponse(call, source, 'application/vnd.apple.mpegurl');
}

/**
 * The bytes at an address depend on its path and on the values in the ETag. The id alone is not enough:
 * after a reset another session may have the same one.
 */
function computedResponse(call: MediaCall, source: ByteSource, contentType: string): PlainResponse {
  const { id, createdAt, endedAt, profiles } = call.session;
  const state = endedAt === undefined ? 'live' : 'ended';
  const renditions = profiles.map(({ bitrate, width, height }) => `${bitrate}x${width}x${height}`);
  const facts = [id, createdAt, framesOf(call), state, ...renditions, source.length];
  return fileResponse(call.request, { source, contentType, etag: `"${facts.join('-')}"` });
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
