import { framesPerSecond, loopFrames } from '../../fixtures/media/shape.ts';
import { ascii } from './boxes.ts';
import { type ByteSource, joinedSource, literalSource, tableSource } from './bytes.ts';
import { loopSeconds, segmentCount, segmentFrames } from './frames.ts';

/** A rendition in a multivariant playlist. */
export interface RenditionEntry {
  readonly uri: string;
  /** Bits per second. */
  readonly bandwidth: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** RFC 6381 names. */
  readonly codecs: readonly string[];
}

const mediaPlaylistHead = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  `#EXT-X-TARGETDURATION:${Math.ceil(loopSeconds)}`,
  '#EXT-X-INDEPENDENT-SEGMENTS',
];

/** The file name of the segment at `index`. All names are equally long, so any range of a playlist can be computed. */
export function segmentName(index: number): string {
  return `${String(index).padStart(8, '0')}.m4s`;
}

/** A multivariant playlist (RFC 8216, 4.3.4). */
export function multivariantPlaylist(renditions: readonly RenditionEntry[]): ByteSource {
  const lines = renditions.flatMap((rendition) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${rendition.bandwidth},RESOLUTION=${rendition.width}x${rendition.height},` +
      `FRAME-RATE=${framesPerSecond.toFixed(3)},CODECS="${rendition.codecs.join(',')}"`,
    rendition.uri,
  ]);
  return textSource(['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines]);
}

/** The media playlist of a recording of `frames` video frames; `folder` precedes its file names. */
export function recordingPlaylist(frames: number, folder: string): ByteSource {
  const last = segmentCount(frames) - 1;
  const head = [
    ...mediaPlaylistHead,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MEDIA-SEQUENCE:0',
    mapTag(folder),
  ];
  return joinedSource([
    textSource(head),
    tableSource(last, (index) => ascii(`${segmentLines(frames, index, folder).join('\n')}\n`)),
    textSource([...segmentLines(frames, last, folder), '#EXT-X-ENDLIST']),
  ]);
}

/** What a live playlist shows of one session. */
export interface LivePart {
  readonly sessionId: string;
  /** When the session began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The media sequence number of the session's first segment. */
  readonly mediaSequence: number;
  /** The discontinuity sequence number of the session's segments. */
  readonly discontinuitySequence: number;
  /** Index, in the session, of the first segment shown. */
  readonly first: number;
  /** Index after the last segment shown. */
  readonly end: number;
}

/** What a live playlist shows of a stream. */
export interface LiveWindow {
  /** At least one, in the order of their sessions. */
  readonly parts: readonly LivePart[];
  /** Whether nothing follows. */
  readonly ended: boolean;
}

/**
 * The sliding media playlist of a live stream. The segments of each session but the first come after a discontinuity,
 * whose tag leaves the playlist with the segment after it. Each
 * session's files are in a folder of its own.
 */
export function livePlaylist({ parts, ended }: LiveWindow): ByteSource {
  const [oldest] = parts;
  const { mediaSequence = 0, discontinuitySequence = 0, first = 0 } = oldest ?? {};
  const removedTags = discontinuitySequence - (first === 0 && discontinuitySequence > 0 ? 1 : 0);
  return textSource([
    ...mediaPlaylistHead,
    `#EXT-X-MEDIA-SEQUENCE:${mediaSequence + first}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${removedTags}`,
    ...parts.flatMap(livePartLines),
    ...(ended ? ['#EXT-X-ENDLIST'] : []),
  ]);
}

function livePartLines(part: LivePart): string[] {
  const { sessionId, startedAt, discontinuitySequence, first, end } = part;
  const folder = `${sessionId}/`;
  const firstAt = startedAt + (first * loopFrames * 1000) / framesPerSecond;
  const indexes = Array.from({ length: end - first }, (_, offset) => first + offset);
  return [
    ...(first === 0 && discontinuitySequence > 0 ? ['#EXT-X-DISCONTINUITY'] : []),
    mapTag(folder),
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(firstAt).toISOString()}`,
    ...indexes.flatMap((index) => segmentLines(end * loopFrames, index, folder)),
  ];
}

function mapTag(folder: string): string {
  return `#EXT-X-MAP:URI="${folder}init.mp4"`;
}

function segmentLines(frames: number, index: number, folder: string): string[] {
  const seconds = segmentFrames(frames, index) / framesPerSecond;
  return [`#EXTINF:${seconds.toFixed(6)},`, `${folder}${segmentName(index)}`];
}

function textSource(lines: readonly string[]): ByteSource {
  return literalSource(ascii(`${lines.join('\n')}\n`));
}
