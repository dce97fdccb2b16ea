import { framesPerSecond, loopFrames } from '../../fixtures/media/shape.ts';
import { ascii } from './boxes.ts';
import { type ByteSource, joinedSource, literalSource, tableSource } from './bytes.ts';
import { loopSeconds, segmentCount, segmentFrames } from './frames.ts';

/** A rendition in a multivariant playlist. */
export interface Variant {
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
export function multivariantPlaylist(variants: readonly Variant[]): ByteSource {
  const lines = variants.flatMap((variant) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${variant.bandwidth},RESOLUTION=${variant.width}x${variant.height},` +
      `FRAME-RATE=${framesPerSecond.toFixed(3)},CODECS="${variant.codecs.join(',')}"`,
    variant.uri,
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

/** The part of a session that a live playlist shows. */
export interface LiveWindow {
  /** Video frames of the session so far. */
  readonly frames: number;
  /** Index of the first segment shown. */
  readonly first: number;
  /** Index after the last segment shown. */
  readonly end: number;
  readonly ended: boolean;
  /** When the session began, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** The sliding media playlist of a live session. It has an end tag once the session has ended. */
export function livePlaylist(window: LiveWindow, folder: string): ByteSource {
  const { frames, first, end, ended, startedAt } = window;
  const firstAt = startedAt + (first * loopFrames * 1000) / framesPerSecond;
  const indexes = Array.from({ length: end - first }, (_, offset) => first + offset);
  return textSource([
    ...mediaPlaylistHead,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    mapTag(folder),
    ...(end > first ? [`#EXT-X-PROGRAM-DATE-TIME:${new Date(firstAt).toISOString()}`] : []),
    ...indexes.flatMap((index) => segmentLines(frames, index, folder)),
    ...(ended ? ['#EXT-X-ENDLIST'] : []),
  ]);
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
