import type { Session, Stream } from '../../interface/types.ts';
import { loopSeconds } from '../../mocks/media/frames.ts';
import type { Rewrite } from '../../mocks/messages/client-request.ts';
import {
  changeText,
  emptyResponse,
  fileResponse,
  isMultivariant,
  on,
  type Route,
  refuse,
  rewriteList,
  rewritePlaylists,
  rewriteResponse,
  rewriteSessions,
  together,
} from '../../mocks/variants/rewrite.ts';
import { breaks, type Mutants } from './mutant.ts';

const page = '<!doctype html>\n<html><head><title>App</title></head><body></body></html>\n';
const playlistType = 'application/vnd.apple.mpegurl';
const twoRenditions = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1280x720
source/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360
source/index.m3u8?height=360
`;

type Bytes = Uint8Array<ArrayBuffer>;

/** Mutants of the media of a recording. */
export const mediaMutants: Mutants = {
  'media-playlist-missing': breaks('MEDIA-1', replaceFile('playlist', noSuchFile)),
  'media-rendition-missing': breaks('MEDIA-2', replaceFile('rendition', noSuchFile)),
  'media-segment-missing': breaks('MEDIA-2', replaceFile('segment', noSuchFile, /00000002/)),
  'media-initialization-missing': breaks('MEDIA-2', replaceFile('initialization', noSuchFile)),
  'media-mp4-missing': breaks('MEDIA-6', replaceFile('mp4', noSuchFile)),
  'media-later-playlist-missing': breaks(
    'MEDIA-1',
    exceptFirst('playlist', replaceFile('playlist', noSuchFile)),
  ),
  'media-later-mp4-missing': breaks('MEDIA-6', exceptFirst('mp4', replaceFile('mp4', noSuchFile))),
  'media-later-mp4-cut-short': breaks(
    'MEDIA-7',
    exceptFirst('mp4', rewriteBytes('mp4', shortenTracks)),
  ),
  'media-playlist-is-html': breaks('MEDIA-1', replaceFile('playlist', toPage)),
  'media-segment-is-html': breaks('MEDIA-2', replaceFile('segment', toPage)),
  'media-mp4-is-html': breaks('MEDIA-6', replaceFile('mp4', toPage)),
  'media-playlist-empty': breaks(
    'MEDIA-1',
    replaceFile('playlist', () =>
      fileResponse('#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID="title",VALUE="none"\n', playlistType),
    ),
  ),
  'media-segment-empty': breaks(
    'MEDIA-2',
    replaceFile('segment', () => fileResponse('', 'video/mp4')),
  ),
  'media-segment-is-noise': breaks(
    'MEDIA-2',
    rewriteBytes('segment', (bytes, address) =>
      address.includes('/source/') ? undefined : bytes.map((_, at) => (at * 7919) % 251),
    ),
  ),
  'media-segment-loses-sync': breaks(
    'MEDIA-2',
    rewriteBytes('segment', (bytes) => bytes.fill(0x47, 0, 1).fill(0, 1)),
  ),
  'media-mp4-truncated': breaks(
    'MEDIA-6',
    rewriteBytes('mp4', (bytes) => bytes.slice(0, bytes.length / 2)),
  ),
  'media-mp4-begins-with-zeros': breaks(
    'MEDIA-6',
    rewriteBytes('mp4', (bytes) => bytes.fill(0, 4, 8)),
  ),
  'media-mp4-header-is-zeros': breaks(
    'MEDIA-6',
    rewriteBytes('mp4', (bytes) => clearBox(bytes, 'mvhd')),
  ),
  'media-mp4-has-no-sample-sizes': breaks(
    'MEDIA-6',
    rewriteBytes('mp4', (bytes) => clearBox(bytes, 'stsz')),
  ),
  'media-repeats-one-rendition': breaks(
    'MEDIA-3',
    rewritePlaylists('playlist', (text) =>
      isMultivariant(text) ? text.replace(/^[^#\n]+$/gm, 'source/index.m3u8') : text,
    ),
  ),
  'media-states-larger-sizes': breaks(
    'MEDIA-8',
    rewritePlaylists('playlist', (text) =>
      text.replace(/(?<=RESOLUTION=[\dx]*)\d+/g, (pixels) => String(2 * Number(pixels))),
    ),
  ),
  'media-transcodes-without-profiles': breaks(
    'MEDIA-4',
    rewritePlaylists('playlist', (text) => (isMultivariant(text) ? text : twoRenditions)),
  ),
  'media-playlist-without-end': breaks(
    'MEDIA-11',
    rewritePlaylists('rendition', (text) => text.replace('#EXT-X-ENDLIST\n', '')),
  ),
  'media-playlist-cut-short': breaks('MEDIA-7', rewritePlaylists('rendition', firstSegmentOnly)),
  'media-cuts-transcoded-renditions': breaks(
    'MEDIA-5',
    rewriteResponse('rendition', async (response, { request }) =>
      response.ok && !request.url.includes('/source/')
        ? changeText(response, firstSegmentOnly)
        : undefined,
    ),
  ),
  'media-duration-constant': breaks(
    'MEDIA-5',
    rewriteSessions('sourceSegmentsDuration', () => 10),
  ),
  'media-duration-sums-sessions': breaks(
    'MEDIA-5',
    rewriteList((sessions) => {
      let sum = 0;
      const oldestFirst = sessions.toReversed().map((session) => {
        sum += session.sourceSegmentsDuration;
        return { ...session, sourceSegmentsDuration: sum };
      });
      return oldestFirst.toReversed();
    }),
  ),
  'media-duration-without-last-segment': breaks(
    'MEDIA-15',
    rewriteSessions('sourceSegmentsDuration', withoutLastSegment),
  ),
  'media-duration-in-milliseconds-without-last-segment': breaks(
    'MEDIA-15',
    rewriteSessions('sourceSegmentsDuration', (seconds) => withoutLastSegment(seconds) * 1000),
  ),
  'media-duration-in-milliseconds': breaks(
    'MEDIA-12',
    rewriteSessions('sourceSegmentsDuration', (seconds) => seconds * 1000),
  ),
  'media-shares-addresses': breaks('MEDIA-13', shareOfFirst(['recordingUrl', 'mp4URL'])),
  'media-shares-mp4': breaks('MEDIA-13', shareOfFirst(['mp4URL'])),
  'media-shares-addresses-of-stream': breaks(
    'MEDIA-13',
    rewriteList((sessions) => {
      const [newest] = sessions.filter(({ recordingUrl }) => recordingUrl !== undefined);
      return sessions.map((session) =>
        session.recordingUrl === undefined
          ? session
          : { ...session, recordingUrl: newest?.recordingUrl, mp4URL: newest?.mp4URL },
      );
    }),
  ),
  'media-one-rendition-for-profiles': breaks(
    'MEDIA-3',
    rewriteResponse('playlist', async (response) =>
      isMultivariant(await response.text())
        ? emptyResponse(302, { location: 'source/index.m3u8' })
        : undefined,
    ),
  ),
  'media-serves-source-for-every-rendition': breaks(
    'MEDIA-9',
    together(
      on('media', ({ request, ask }) => {
        const source = request.url.replace(/(\/recordings\/[^/]+)\/[^/]+\//, '$1/source/');
        return source === request.url ? undefined : ask('GET', source);
      }),
      rewritePlaylists('playlist', (text) => {
        const [source = ''] = /RESOLUTION=\d+x\d+/.exec(text) ?? [];
        return text.replace(/RESOLUTION=\d+x\d+/g, source);
      }),
    ),
  ),
  'media-addresses-show-stream-key': breaks(
    'MEDIA-10',
    rewriteList(async (sessions, { read }) => {
      const stream = await read<Stream>('.');
      return sessions.map((session) => {
        const recordingUrl =
          session.recordingUrl && `${session.recordingUrl}?key=${stream?.streamKey}`;
        return { ...session, recordingUrl };
      });
    }),
  ),
  'media-mp4-is-lowest-rendition': breaks('MEDIA-14', (next) => {
    const transcoded = new Set<string>();
    const shrunk = rewriteBytes('mp4', halvePictures)(next);
    return together(
      rewriteList((sessions) => {
        for (const { id, profiles } of sessions) if (profiles.length > 0) transcoded.add(id);
        return sessions;
      }),
      on('mp4', ({ id, request }) => (transcoded.has(id) ? shrunk(request.clone()) : undefined)),
    )(next);
  }),
  'media-mp4-cut-short': breaks('MEDIA-7', rewriteBytes('mp4', shortenTracks)),
};

/** Shows these addresses of the first session that has a recording in all later ones, of any stream. */
function shareOfFirst(fields: readonly ('recordingUrl' | 'mp4URL')[]): Rewrite {
  return (next) => {
    let first: Session | undefined;
    return rewriteList((sessions) =>
      sessions.map((session) => {
        if (session.mp4URL === undefined) return session;
        const shown = first ?? session;
        first = shown;
        const shared = fields.map((field) => [field, shown[field]] as const);
        return { ...session, ...Object.fromEntries(shared) };
      }),
    )(next);
  };
}

/** The duration of the segments of a recording of the mock but the last. */
function withoutLastSegment(seconds: number): number {
  return (Math.ceil(seconds / loopSeconds) - 1) * loopSeconds;
}

/** Says of each track of an MP4 that its picture has half the width and height. */
function halvePictures(bytes: Bytes): Bytes {
  const view = new DataView(bytes.buffer);
  const file = Buffer.from(bytes.buffer);
  for (let at = file.indexOf('tkhd'); at >= 0; at = file.indexOf('tkhd', at + 1)) {
    const end = at - 4 + view.getUint32(at - 4);
    for (const size of [end - 8, end - 4]) view.setUint32(size, view.getUint32(size) / 2);
  }
  return bytes;
}

/** Says of each track of an MP4 that it is a quarter as long. */
function shortenTracks(bytes: Bytes): Bytes {
  const view = new DataView(bytes.buffer);
  const file = Buffer.from(bytes.buffer);
  // Each track says once how long its samples are.
  for (let at = file.indexOf('stts'); at >= 0; at = file.indexOf('stts', at + 1)) {
    view.setUint32(at + 16, view.getUint32(at + 16) / 4);
  }
  return bytes;
}

/** Changes the files of all recordings but the one that is asked for first. */
function exceptFirst(route: Route, rewrite: Rewrite): Rewrite {
  return (next) => {
    const rewritten = rewrite(next);
    let first: string | undefined;
    return on(route, ({ id, request }) => {
      first ??= id;
      return id === first ? undefined : rewritten(request.clone());
    })(next);
  };
}

/** Responds with another file if the address matches. */
function replaceFile(route: Route, respond: () => Response, address: RegExp = /./): Rewrite {
  return on(route, ({ request }) => (address.test(request.url) ? respond() : undefined));
}

function noSuchFile(): Response {
  return refuse(404, 'no such file');
}

/** What a web application sends for any unknown path. */
function toPage(): Response {
  return fileResponse(page, 'text/html');
}

/** Changes the bytes of media; `undefined` leaves them as they are. */
function rewriteBytes(
  route: Route,
  change: (bytes: Bytes, address: string) => Bytes | undefined,
): Rewrite {
  return rewriteResponse(route, async (response, { request }) => {
    const changed = change(new Uint8Array(await response.arrayBuffer()), request.url);
    return changed && fileResponse(changed, 'video/mp4');
  });
}

/** Fills the first box of a type with zeros, after its type. */
function clearBox(bytes: Bytes, type: string): Bytes {
  const at = Buffer.from(bytes.buffer).indexOf(type);
  return bytes.fill(0, at + 4, at - 4 + new DataView(bytes.buffer).getUint32(at - 4));
}

/** A playlist without the segments after its first one. */
function firstSegmentOnly(text: string): string {
  return `${text.split('#EXTINF').slice(0, 2).join('#EXTINF')}#EXT-X-ENDLIST\n`;
}
