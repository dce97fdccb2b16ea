import { mp4File } from './unlike-mp4.test-support.ts';
import type { Answer } from './unlike-refusals.test-support.ts';
import type { Profile, Session, Store } from './unlike-store.test-support.ts';

const segmentMilliseconds = 4000;
const sourceBandwidth = 4_000_000;

/** One null packet of an MPEG transport stream, whose content names the file. */
function segmentBytes(path: string): Buffer {
  const packet = Buffer.alloc(188, path);
  packet.set([0x47, 0x1f, 0xff, 0x10]);
  return packet;
}

const contentTypes = {
  playlist: 'application/vnd.apple.mpegurl',
  segment: 'video/mp2t',
  mp4: 'video/mp4',
} as const;

function segmentLengths(milliseconds: number): number[] {
  const count = Math.ceil(milliseconds / segmentMilliseconds);
  const last = milliseconds - (count - 1) * segmentMilliseconds;
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? last : segmentMilliseconds,
  );
}

function mediaPlaylist(lengths: readonly number[]): string {
  const seconds = lengths.map((length) => length / 1000);
  const lines = seconds.map((value, index) => `#EXTINF:${value.toFixed(3)},\nsegment-${index}.ts`);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...seconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...lines,
    '#EXT-X-ENDLIST\n',
  ].join('\n');
}

function variant({ bitrate, fps, width, height }: Profile, index: number): string {
  // A profile of 0 frames per second keeps the source's rate, which is not known here.
  const rate = fps === 0 ? '' : `,FRAME-RATE=${fps.toFixed(3)}`;
  const attributes = `BANDWIDTH=${bitrate},RESOLUTION=${width}x${height}${rate}`;
  return `#EXT-X-STREAM-INF:${attributes}\n${index}/index.m3u8`;
}

function multivariantPlaylist(profiles: readonly Profile[]): string {
  const source = `#EXT-X-STREAM-INF:BANDWIDTH=${sourceBandwidth}\nsource/index.m3u8`;
  return `${['#EXTM3U', source, ...profiles.map(variant)].join('\n')}\n`;
}

/** The session's files by their path below the session; renditions are named by their position. */
function mediaFile(session: Session, path: string): Omit<Answer, 'status'> | undefined {
  const { profiles } = session;
  const lengths = segmentLengths(session.ended?.milliseconds ?? 0);
  if (path === 'video.mp4') return file('mp4', mp4File(session.ended?.milliseconds ?? 0));
  if (path === 'index.m3u8' && profiles.length > 0) {
    return file('playlist', multivariantPlaylist(profiles));
  }
  const folders = profiles.length > 0 ? ['source/', ...profiles.map((_, i) => `${i}/`)] : [''];
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!folders.includes(path.slice(0, path.length - name.length))) return undefined;
  if (name === 'index.m3u8') return file('playlist', mediaPlaylist(lengths));
  const isSegment = lengths.some((_, index) => name === `segment-${index}.ts`);
  return isSegment ? file('segment', segmentBytes(path)) : undefined;
}

function file(type: keyof typeof contentTypes, body: string | Buffer): Omit<Answer, 'status'> {
  return { headers: { 'content-type': contentTypes[type] }, body };
}

/** Players send no API key, so the address itself, with its unguessable id, is the permission. */
export function mediaAnswer(store: Store, id: string, path: string): Answer {
  const session = store.find(id);
  if (session?.kind !== 'session' || !store.isReady(session)) return { status: 404 };
  const found = mediaFile(session, path);
  return found === undefined ? { status: 404 } : { status: 200, ...found };
}
