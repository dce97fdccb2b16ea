import { isObject } from '../../interface/json.ts';
import type { Stream } from '../../interface/types.ts';
import { isMultivariant } from './media.ts';
import {
  emptyResponse,
  fileResponse,
  on,
  type Rewrite,
  refuse,
  rewriteJson,
  rewritePlaylists,
  rewriteResponse,
  rewriteSessions,
  rewriteStreams,
  sendAs,
  together,
} from './rewrite.ts';

/** Legal variants that no dialect can describe. The comments say what dialects lack. */
export const legalRewrites: Readonly<Record<string, Rewrite>> = {
  // The order of keys, and additional keys of a profile.
  'fields-more-and-reordered': rewriteValues((_, value) =>
    isObject(value)
      ? Object.fromEntries([['more', { of: [1, null] }], ...Object.entries(value).reverse()])
      : value,
  ),
  'profiles-of-streams-show-more': rewriteStreams('profiles', (profiles) =>
    profiles.map((profile) => ({ ...profile, encoder: 'H.264', gop: '2.0' })),
  ),
  // An unknown stream has no sessions, and letter case does not count in UUIDs.
  'unknown-streams-have-empty-lists': rewriteResponse('list', ({ status }) =>
    status === 404 ? Response.json([]) : undefined,
  ),
  'ids-in-any-case': on('record', ({ id, body, ask }) =>
    id === id.toLowerCase() ? undefined : ask('PATCH', `../${id.toLowerCase()}/record`, body),
  ),
  // How a retrieved stream shows the documented fields, and what time it is.
  'stream-masked-when-retrieved': rewriteJson<Stream>('retrieve', (stream) => {
    const createdAt = Math.floor(stream.createdAt / 1000);
    return { ...stream, streamKey: `masked-${crypto.randomUUID()}`, createdAt };
  }),
  'clock-ahead': rewriteTimes((time) => time + 7 * 60_000),
  'clock-in-seconds': rewriteTimes((time) => time - (time % 1000)),
  // A page in place of an operation that is not offered.
  'optional-operations-are-pages': on('optional read', () =>
    fileResponse('<!doctype html><title>App</title>', 'text/html'),
  ),
  // How long after its encoder a session ends.
  'end-lags': endLate(),
  // What the control API shows, as it is not part of the interface.
  'start-shows-nothing': rewriteJson('start', () => ({})),
  // How exact a duration is: rounded up, fractional, with a lost segment, or without the last one.
  'duration-whole': rewriteSessions('sourceSegmentsDuration', (seconds) => Math.ceil(seconds) + 1),
  'duration-longer': rewriteSessions('sourceSegmentsDuration', (seconds) => seconds + 1.75),
  'duration-shorter': rewriteSessions('sourceSegmentsDuration', (seconds) => seconds - 1.6),
  // What media looks like.
  'transport-stream': together(
    on('media', ({ request }) =>
      request.url.endsWith('.ts') ? mediaFile(request, 188 * 40) : undefined,
    ),
    rewritePlaylists('any playlist', (text) =>
      text
        .replaceAll('.m4s', '.ts')
        .replace(/#EXT-X-MAP.*\n/, '')
        .replace('VERSION:7', 'VERSION:3'),
    ),
  ),
  'byte-ranges': together(
    rewritePlaylists('any playlist', inByteRanges),
    on('media', ({ request }) =>
      request.url.endsWith('/all.mp4') ? mediaFile(request, 9000) : undefined,
    ),
  ),
  'playlist-addresses-signed': together(
    on('media', ({ request }) =>
      request.url.endsWith(signature) ? undefined : emptyResponse(403),
    ),
    rewritePlaylists('any playlist', (text) =>
      text.replace(/^[^#\s]+$/gm, `$&${signature}`).replace(/URI="[^"]+/g, `$&${signature}`),
    ),
    readdressSessions((address) => address + signature),
  ),
  // Rounded up to multiples of 16 pixels.
  'playlist-with-sizes-in-blocks': rewritePlaylists('any playlist', (text) =>
    text.replace(
      /(?<=RESOLUTION=[\dx]*)\d+/g,
      (pixels) => `${16 * Math.ceil(Number(pixels) / 16)}`,
    ),
  ),
  'playlist-crlf': rewritePlaylists('any playlist', (text) => text.replaceAll('\n', '\r\n')),
  'playlist-as-text': sendAs('any playlist', { type: 'text/plain' }),
  // The playlist of a stream without profiles.
  'playlist-with-one-variant': rewritePlaylists('playlist', (text) =>
    isMultivariant(text)
      ? text
      : '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=4000000\nsource/index.m3u8\n',
  ),
  // The host refuses requests with a key.
  'media-on-another-host': together(
    on('media', ({ request, ask }) => {
      const { host, pathname } = new URL(request.url);
      if (host !== 'media.test') return undefined;
      return request.headers.has('authorization')
        ? emptyResponse(400)
        : ask('GET', `http://mock.test${pathname}`);
    }),
    readdressSessions((address) => address.replace('//mock.test', '//media.test')),
  ),
  'media-redirected': redirectMedia(),
};

/** Changes every value in the JSON of every successful response, inner values first. */
function rewriteValues(change: (key: string, value: unknown) => unknown): Rewrite {
  return rewriteJson('anything', (json) => JSON.parse(JSON.stringify(json), change));
}

/** Changes all times at which something was created. */
function rewriteTimes(change: (time: number) => number): Rewrite {
  return rewriteValues((key, value) => (key === 'createdAt' ? change(Number(value)) : value));
}

/** Changes the addresses of recordings in sessions. */
function readdressSessions(change: (address: string) => string): Rewrite {
  return rewriteValues((key, value) =>
    ['recordingUrl', 'mp4URL', 'mp4Url'].includes(key) ? change(String(value)) : value,
  );
}

/** A stream stays live for 300 ms after the control API has ended its session. */
function endLate(): Rewrite {
  return (next) => {
    const ends = new Map<string, number>();
    return together(
      on('record', ({ id }) =>
        Date.now() < (ends.get(id) ?? 0) ? refuse(409, 'record: the stream is live') : undefined,
      ),
      rewriteResponse('start or stop', ({ ok }, { id }) => {
        if (ok) ends.set(id, Date.now() + 300);
        return undefined;
      }),
    )(next);
  };
}

/** A file of `length` bytes that differ for every address, in packets of MPEG-TS. */
function mediaFile({ url }: Request, length: number): Response {
  const letters = new TextEncoder().encode(new URL(url).pathname);
  const bytes = Uint8Array.from({ length }, (_, index) =>
    index % 188 === 0 ? 0x47 : (letters[index % letters.length] ?? 0),
  );
  return fileResponse(bytes, 'video/mp2t');
}

/** A playlist whose segments are parts of one file. */
function inByteRanges(playlist: string): string {
  let at = 1000;
  return playlist
    .replace(/#EXT-X-MAP:URI="(.*)init\.mp4"/, '#EXT-X-MAP:URI="$1all.mp4",BYTERANGE="1000@0"')
    .replace(/^(.*)\d{8}\.m4s$/gm, (_, folder) => {
      at += 500;
      return `#EXT-X-BYTERANGE:500@${at - 500}\n${folder}all.mp4`;
    });
}

const signature = '?token=a%2Fb';

/** Media behind two redirects, the second to a relative address. */
function redirectMedia(): Rewrite {
  return together(
    on('anything', ({ request }) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/first/')) {
        return emptyResponse(308, { location: request.url.replace('/first/', '/second/') });
      }
      if (!pathname.startsWith('/second/')) return undefined;
      return emptyResponse(308, { location: pathname.replace('/second/', '/recordings/') });
    }),
    readdressSessions((address) => address.replace('/recordings/', '/first/')),
  );
}
