import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { SessionRecord } from '../../interface/types.ts';
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

/** Where media lies, from the origin. A player sends no key, so none is asked for. */
export const mediaRoutes: Readonly<Record<MediaRouteName, string>> = {
  livePlaylist: '/hls/{playbackId}/index.m3u8',
  liveRendition: '/hls/{playbackId}/{rendition}/index.m3u8',
  liveSegment: '/hls/{playbackId}/{rendition}/{sessionId}/{file}',
  recordingPlaylist: '/recordings/{sessionId}/index.m3u8',
  recordingMp4: '/recordings/{sessionId}/source.mp4',
  recordingRendition: '/recordings/{sessionId}/{rendition}/index.m3u8',
  recordingSegment: '/recordings/{sessionId}/{rendition}/{file}',
};

/**
 * The session whose media an address names: by its id, or as the live session, or else the last
 * one, of a playback id.
 */
export function findMediaSession(
  { state: { records } }: WorldState,
  address: { readonly playbackId?: string | undefined; readonly sessionId?: string | undefined },
): SessionRecord | undefined {
  const { playbackId, sessionId } = address;
  if (playbackId === undefined) return records.session(sessionId ?? '');
  const stream = records.streamByPlaybackId(playbackId);
  const latest =
    stream && (records.liveSession(stream.id) ?? records.sessionsOf(stream.id).rows.at(-1)?.fact);
  return sessionId === undefined || sessionId === latest?.id ? latest : undefined;
}

/** A request for media, its session found. */
export interface MediaCall {
  readonly request: Request;
  readonly world: WorldState;
  readonly session: SessionRecord;
  readonly rendition: string;
  readonly file: string;
}

/** What each media route answers with. */
export const mediaHandlers: Readonly<
  Record<MediaRouteName, (call: MediaCall) => Promise<PlainResponse>>
> = {
  livePlaylist: (call) => answerTop(call, () => liveMedia(call, `source/${call.session.id}/`)),
  liveRendition: async (call) => {
    await findRendition(call);
    return answerPlaylist(call, liveMedia(call, `${call.session.id}/`));
  },
  liveSegment: (call) => {
    const { first, end } = liveRange(call.session, call.world.clock.now());
    // What leaves the window stays for its own length and that of the window (RFC 8216, 6.2.2).
    return answerSegmentFile(call, Math.max(0, 2 * first - end - 1), end);
  },
  recordingPlaylist: (call) => answerTop(ready(call), () => recordingMedia(call, 'source/')),
  recordingMp4: async (call) => {
    const source = createMp4(sourceLoop(await loadLoops()), framesOf(ready(call)));
    return answerMedia(call, source, 'video/mp4');
  },
  recordingRendition: async (call) => {
    await findRendition(call);
    return answerPlaylist(call, recordingMedia(ready(call), ''));
  },
  recordingSegment: (call) => answerSegmentFile(ready(call), 0, Number.POSITIVE_INFINITY),
};

/** With profiles a choice of renditions, without them the source's own playlist. */
async function answerTop(call: MediaCall, sourceMedia: () => ByteSource): Promise<PlainResponse> {
  const { profiles } = call.session;
  if (profiles.length === 0) return answerPlaylist(call, sourceMedia());
  const loops = await loadLoops();
  const variant = (folder: string, loop: Loop, bandwidth: number) => ({
    uri: `${folder}/index.m3u8`,
    bandwidth,
    width: loop.width,
    height: loop.height,
    codecs: [loop.video.codec, loop.audio.codec],
  });
  return answerPlaylist(
    call,
    multivariantPlaylist([
      variant('source', sourceLoop(loops), sourceBitrate),
      ...profiles.map((profile, index) =>
        variant(String(index), nearestLoop(loops, profile), profile.bitrate),
      ),
    ]),
  );
}

function liveMedia({ world, session }: MediaCall, folder: string): ByteSource {
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

function recordingMedia(call: MediaCall, folder: string): ByteSource {
  return recordingPlaylist(framesOf(call), folder);
}

async function answerSegmentFile(
  call: MediaCall,
  first: number,
  end: number,
): Promise<PlainResponse> {
  const loop = await findRendition(call);
  if (call.file === 'init.mp4') return answerMedia(call, createInitSegment(loop), 'video/mp4');
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
  return answerMedia(call, createSegment(loop, frames, index), 'video/mp4');
}

function answerPlaylist(call: MediaCall, source: ByteSource): PlainResponse {
  return answerMedia(call, source, 'application/vnd.apple.mpegurl');
}

/**
 * The bytes under an address follow from its path, and from what its tag is made of: once a world
 * has been reset, another session may have the same id.
 */
function answerMedia(call: MediaCall, source: ByteSource, contentType: string): PlainResponse {
  const { id, createdAt, endedAt, profiles } = call.session;
  const state = endedAt === undefined ? 'live' : 'ended';
  const sizes = profiles.map(({ bitrate, width, height }) => `${bitrate}x${width}x${height}`);
  const facts = [id, createdAt, framesOf(call), state, ...sizes, source.length];
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

function ready(call: MediaCall): MediaCall {
  const status = recordingStatus(call.world, call.session, call.world.clock.now());
  if (status === 'ready') return call;
  throw new Problem('unknown', {
    path: 'recording',
    expected: 'a session whose recordingStatus is ready',
    got: `${describeValue(status)} for session ${call.session.id}`,
  });
}
