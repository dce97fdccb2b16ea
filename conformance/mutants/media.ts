import { recommendedProfiles } from '../../interface/ladder.ts';
import {
  ask,
  type Fetch,
  file,
  type JsonObject,
  type Mutant,
  type OperationName,
  onOperation,
  refuse,
  rewriteBody,
  rewriteJson,
  rewriteResponse,
  rewriteSessions,
} from './mutant.ts';

const page = '<!doctype html>\n<html><head><title>App</title></head><body></body></html>\n';
const playlistType = 'application/vnd.apple.mpegurl';

/** Mutants of the media of a recording. */
export const mediaMutants: Readonly<Record<string, Mutant>> = {
  'media-playlist-missing': {
    description: 'recordingUrl answers with 404.',
    make: rewriteResponse('playlist', () => refuse(404, 'no such file')),
  },
  'media-playlist-is-html': {
    description: "recordingUrl leads to a web application's page.",
    make: rewriteResponse('playlist', () => file(page, 'text/html')),
  },
  'media-playlist-empty': {
    description: 'recordingUrl leads to a playlist without renditions and segments.',
    make: rewriteResponse('playlist', () =>
      file('#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID="title",VALUE="none"\n', playlistType),
    ),
  },
  'media-rendition-missing': {
    description: 'The playlists of the renditions answer with 404.',
    make: rewriteResponse('rendition', () => refuse(404, 'no such file')),
  },
  'media-segment-missing': {
    description: 'The third segment answers with 404.',
    make: rewriteResponse('segment', (_, { request }) =>
      request.url.includes('00000002') ? refuse(404, 'no such file') : undefined,
    ),
  },
  'media-segment-empty': {
    description: 'Segments have no bytes.',
    make: rewriteResponse('segment', () => file('', 'video/mp4')),
  },
  'media-segment-is-html': {
    description: "Segments lead to a web application's page.",
    make: rewriteResponse('segment', () => file(page, 'text/html')),
  },
  'media-segment-is-noise': {
    description: 'The segments of all renditions but the source are noise.',
    make: rewriteBytes('segment', /\/(?!source\/)[^/]+\/\d+\.m4s$/, (bytes) =>
      bytes.map((_, at) => (at * 7919) % 251),
    ),
  },
  'media-segment-loses-sync': {
    description: 'Segments begin like MPEG-TS, but only the first packet does.',
    make: rewriteBytes('segment', /./, (bytes) => bytes.map((_, at) => (at === 0 ? 0x47 : 0))),
  },
  'media-initialization-missing': {
    description: 'The initialization section that the segments need answers with 404.',
    make: rewriteResponse('initialization', () => refuse(404, 'no such file')),
  },
  'media-one-rendition-for-profiles': {
    description: 'The recording has only the source rendition.',
    make: rewritePlaylist((text) =>
      isMultivariant(text)
        ? new Response(null, { status: 302, headers: { location: 'source/index.m3u8' } })
        : undefined,
    ),
  },
  'media-repeats-one-rendition': {
    description: 'All renditions of a recording have the same address.',
    make: rewritePlaylist((text) =>
      isMultivariant(text) ? text.replace(/^[^#\n]+$/gm, 'source/index.m3u8') : undefined,
    ),
  },
  'media-states-larger-sizes': {
    description: 'The playlist states twice the size of each rendition.',
    make: rewritePlaylist((text) =>
      isMultivariant(text)
        ? text.replace(/RESOLUTION=(\d+)x(\d+)/g, (_, width, height) => {
            return `RESOLUTION=${2 * Number(width)}x${2 * Number(height)}`;
          })
        : undefined,
    ),
  },
  'media-serves-source-for-every-rendition': {
    description: 'All renditions serve the source, and the playlist states its size for each.',
    make: (next, applied) => {
      const stated = rewritePlaylist((text) => {
        const [source] = /RESOLUTION=\d+x\d+/.exec(text) ?? [];
        return source && text.replace(/RESOLUTION=\d+x\d+/g, source);
      })(next, applied);
      return (request) => {
        const source = request.url.replace(/(\/recordings\/[^/]+)\/[^/]+\//, '$1/source/');
        return source === request.url
          ? stated(request)
          : stated(new Request(source, { headers: request.headers }));
      };
    },
  },
  'media-transcodes-without-profiles': {
    description: 'The recording of a stream without profiles has a second rendition.',
    make: rewritePlaylist((text) =>
      isMultivariant(text)
        ? undefined
        : [
            '#EXTM3U',
            '#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1280x720',
            'source/index.m3u8',
            '#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360',
            'source/index.m3u8?height=360',
            '',
          ].join('\n'),
    ),
  },
  'create-adds-default-profiles': {
    description: 'A stream without profiles gets the recommended ones, and shows them.',
    make: rewriteBody('create', (body) =>
      body['name'] === undefined || body['profiles'] !== undefined
        ? undefined
        : { ...body, profiles: recommendedProfiles },
    ),
  },
  'media-duration-wrong': {
    description: 'sourceSegmentsDuration is twice the duration of the recording.',
    make: rewriteDuration((seconds) => seconds * 2),
  },
  'media-duration-in-milliseconds': {
    description: 'sourceSegmentsDuration is in milliseconds.',
    make: rewriteDuration((seconds) => seconds * 1000),
  },
  'media-playlist-without-end': {
    description: 'The playlists of the renditions do not say that they end.',
    make: rewriteResponse('rendition', async (response) =>
      file((await response.text()).replace('#EXT-X-ENDLIST\n', ''), playlistType),
    ),
  },
  'media-addresses-show-stream-key': {
    description: 'recordingUrl contains the stream key.',
    make: (next, applied) => {
      const keys = new Map<unknown, unknown>();
      const created = rewriteJson('create', () => (stream) => {
        const { id, streamKey } = stream as JsonObject;
        keys.set(id, streamKey);
        return undefined;
      })(next, applied);
      return rewriteSessions(({ parentId, recordingUrl }) =>
        recordingUrl ? { recordingUrl: `${recordingUrl}?key=${keys.get(parentId)}` } : undefined,
      )(created, applied);
    },
  },
  'media-playlist-cut-short': {
    description: 'The playlists of the renditions end after their first segment.',
    make: rewriteResponse('rendition', async (response) => {
      const text = await response.clone().text();
      const end = text.indexOf('#EXTINF', text.indexOf('#EXTINF') + 1);
      return file(`${text.slice(0, end)}#EXT-X-ENDLIST\n`, playlistType);
    }),
  },
  'media-mp4-missing': {
    description: 'mp4URL answers with 404.',
    make: rewriteResponse('mp4', () => refuse(404, 'no such file')),
  },
  'media-mp4-is-html': {
    description: "mp4URL leads to a web application's page.",
    make: rewriteResponse('mp4', () => file(page, 'text/html')),
  },
  'media-mp4-truncated': {
    description: 'The second half of the MP4 is missing, as after a failed upload.',
    make: rewriteBytes('mp4', /./, (bytes) => bytes.slice(0, bytes.length / 2)),
  },
  'media-mp4-begins-with-zeros': {
    description: 'The type of the first box of the MP4 is zeros.',
    make: rewriteBytes('mp4', /./, (bytes) => bytes.fill(0, 4, 8)),
  },
  'media-mp4-header-is-zeros': {
    description: "The header of the MP4's movie is zeros.",
    make: clearBox('mvhd'),
  },
  'media-mp4-has-no-sample-sizes': {
    description: "The table of sizes of the MP4's samples is zeros.",
    make: clearBox('stsz'),
  },
  'media-mp4-cut-short': {
    description: 'The MP4 has only the first two seconds.',
    make: (next, applied) => {
      let short: string | undefined;
      const prepared = rewriteResponse('create', async (response, { request }) => {
        if (response.ok) short ??= await recordTwoSeconds(request, response.clone(), next);
        return undefined;
      })(next, applied);
      return onOperation('mp4', () => (step) => {
        if (short === undefined) return step.next(step.request);
        applied();
        return next(ask(step.request, 'GET', short));
      })(prepared, applied);
    },
  },
};

function isMultivariant(playlist: string): boolean {
  return playlist.includes('#EXT-X-STREAM-INF');
}

/** Changes the playlist that recordingUrl leads to; `undefined` leaves it as it is. */
function rewritePlaylist(change: (text: string) => Response | string | undefined): Mutant['make'] {
  return rewriteResponse('playlist', async (response) => {
    const changed = change(await response.clone().text());
    return typeof changed === 'string' ? file(changed, playlistType) : changed;
  });
}

/** Changes the bytes of media whose address matches. */
function rewriteBytes(
  name: OperationName,
  address: RegExp,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Mutant['make'] {
  return rewriteResponse(name, async (response, { request }) =>
    address.test(request.url)
      ? file(change(new Uint8Array(await response.clone().arrayBuffer())), 'video/mp4')
      : undefined,
  );
}

/** Fills the first box of a type in the MP4 with zeros, behind its type. */
function clearBox(type: string): Mutant['make'] {
  return rewriteBytes('mp4', /./, (bytes) => {
    const at = Buffer.from(bytes.buffer).indexOf(type);
    return bytes.fill(0, at + 4, at - 4 + new DataView(bytes.buffer).getUint32(at - 4));
  });
}

function rewriteDuration(change: (seconds: number) => number): Mutant['make'] {
  return rewriteSessions(({ sourceSegmentsDuration }) =>
    typeof sourceSegmentsDuration === 'number'
      ? { sourceSegmentsDuration: change(sourceSegmentsDuration) }
      : undefined,
  );
}

/** Address of the MP4 of a session that lasted two seconds, of a stream like the one just created. */
async function recordTwoSeconds(
  request: Request,
  created: Response,
  next: Fetch,
): Promise<string | undefined> {
  const { profiles } = (await created.json()) as JsonObject;
  const stream = await next(ask(request, 'POST', request.url, { name: 'short', profiles }));
  const { id } = (await stream.json()) as JsonObject;
  await next(ask(request, 'PATCH', `${request.url}/${id}/record`, { record: true }));
  const session = await next(ask(request, 'POST', `/_mock/streams/${id}/start`, { duration: 2 }));
  const { id: sessionId } = (await session.json()) as JsonObject;
  return `/recordings/${sessionId}/source.mp4`;
}
