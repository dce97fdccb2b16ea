import { createHash } from 'node:crypto';
import { type Fetch, file } from './rewrite.ts';
import {
  chain,
  everyJson,
  everyPlaylist,
  inexpressible,
  instead,
  mediaFile,
  onRequests,
  type Variant,
} from './variant.ts';

const media = /^GET \/recordings\//;
const playlistType = 'application/vnd.apple.mpegurl';

/** Media of another format, or from another place. */
export const mediaVariants: Readonly<Record<string, Variant>> = inexpressible(
  'No row says what media looks like.',
  {
    'transport-stream': {
      description: 'Segments are MPEG-TS.',
      make: chain(
        instead(/^GET \/recordings\/.*\.ts$/, (request) => mediaFile(request, 188 * 40)),
        everyPlaylist((text) =>
          text
            .replaceAll('.m4s', '.ts')
            .replace(/#EXT-X-MAP.*\n/, '')
            .replace('VERSION:7', 'VERSION:3'),
        ),
      ),
    },
    'segments-encrypted': {
      description: 'Segments are encrypted, and the key is not public.',
      make: chain(
        instead(/^GET \/recordings\/.*\.m4s$/, ({ url }) =>
          file(createHash('sha512').update(url).digest('hex'), 'video/mp4'),
        ),
        everyPlaylist((text) =>
          text.replace('#EXTINF', '#EXT-X-KEY:METHOD=AES-128,URI="key"\n#EXTINF'),
        ),
      ),
    },
    'byte-ranges': {
      description: 'Segments are byte ranges of one file.',
      make: chain(
        everyPlaylist((text) => {
          let at = 1000;
          return text
            .replace(
              /#EXT-X-MAP:URI="(.*)init\.mp4"/,
              '#EXT-X-MAP:URI="$1all.mp4",BYTERANGE="1000@0"',
            )
            .replace(/^(.*)\d{8}\.m4s$/gm, (_, folder) => {
              at += 500;
              return `#EXT-X-BYTERANGE:500@${at - 500}\n${folder}all.mp4`;
            });
        }),
        instead(/^GET \/recordings\/.*\/all\.mp4$/, (request) => mediaFile(request, 9000)),
      ),
    },
    'playlist-addresses-absolute': {
      description: 'Playlists hold absolute addresses.',
      make: everyPlaylist((text, { url }) => readdress(text, (uri) => new URL(uri, url).href)),
    },
    'playlist-addresses-by-path': {
      description: 'Playlists hold absolute paths.',
      make: everyPlaylist((text, { url }) => readdress(text, (uri) => new URL(uri, url).pathname)),
    },
    'playlist-addresses-signed': {
      description: 'Addresses carry a signature in their query; without it they answer with 403.',
      make: chain(
        instead(media, (request, next) =>
          request.url.endsWith('?token=a%2Fb')
            ? next(request)
            : new Response(null, { status: 403 }),
        ),
        everyPlaylist((text) => readdress(text, (uri) => `${uri}?token=a%2Fb`)),
        readdressSessions((address) => `${address}?token=a%2Fb`),
      ),
    },
    'playlist-without-sizes': {
      description: 'Playlists do not state the sizes of renditions.',
      make: everyPlaylist((text) => text.replace(/,RESOLUTION=\d+x\d+/g, '')),
    },
    'playlist-with-sizes-in-blocks': {
      description: 'Playlists state sizes rounded up to multiples of 16 pixels.',
      make: everyPlaylist((text) =>
        text.replace(/RESOLUTION=(\d+)x(\d+)/g, (_, ...sizes: string[]) => {
          const [width, height] = sizes
            .slice(0, 2)
            .map((size) => 16 * Math.ceil(Number(size) / 16));
          return `RESOLUTION=${width}x${height}`;
        }),
      ),
    },
    'playlist-crlf': {
      description: 'The lines of playlists end in CR LF.',
      make: everyPlaylist((text) => text.replaceAll('\n', '\r\n')),
    },
    'playlist-as-text': {
      description: 'Playlists are sent as text/plain.',
      make: onRequests(/^GET \/recordings\/.*\.m3u8$/, async (response) =>
        file(await response.text(), 'text/plain', response.status),
      ),
    },
    'playlist-with-one-variant': {
      description:
        'The recording of a stream without profiles is a multivariant playlist with one variant.',
      make: onRequests(/^GET \/recordings\/[^/]+\/index\.m3u8$/, async (response) => {
        const text = await response.text();
        const one = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=4000000\nsource/index.m3u8\n';
        return file(text.includes('#EXT-X-STREAM-INF') ? text : one, playlistType, response.status);
      }),
    },
    'media-on-another-host': {
      description: 'Media lies on another host, which refuses requests with a key.',
      make: chain(
        (next) => (request) => {
          const url = new URL(request.url);
          if (url.host !== 'media.test') return next(request);
          if (request.headers.has('authorization')) {
            return Promise.resolve(new Response(null, { status: 400 }));
          }
          return next(new Request(`http://mock.test${url.pathname}`));
        },
        readdressSessions((address) => address.replace('//mock.test', '//media.test')),
      ),
    },
    'media-redirected-301': redirected(301),
    'media-redirected-302': redirected(302),
    'media-redirected-307': redirected(307),
    'media-redirected-308': redirected(308),
    'mp4-with-free-space': {
      description: 'The MP4 ends in free space.',
      make: onRequests(/^GET \/recordings\/.*\.mp4$/, async (response) => {
        const free = new Uint8Array([0, 0, 0, 12, 0x66, 0x72, 0x65, 0x65, 0, 0, 0, 0]);
        const bytes = new Blob([await response.arrayBuffer(), free]);
        return file(new Uint8Array(await bytes.arrayBuffer()), 'video/mp4', response.status);
      }),
    },
  },
);

/** Media behind two redirects, the second to a relative address. */
function redirected(status: number) {
  const to = (location: string): Response => new Response(null, { status, headers: { location } });
  return {
    description: `Media lies behind two redirects with status ${status}.`,
    make: chain(
      instead(/^GET \/first\//, ({ url }) => to(url.replace('/first/', '/second/'))),
      instead(/^GET \/second\//, ({ url }) =>
        to(new URL(url).pathname.replace('/second/', '/recordings/')),
      ),
      readdressSessions((address) => address.replace('/recordings/', '/first/')),
    ),
  };
}

/** Changes the addresses of recordings in sessions. */
function readdressSessions(change: (address: string) => string): (next: Fetch) => Fetch {
  return everyJson((value) =>
    JSON.parse(JSON.stringify(value), (key, item) =>
      ['recordingUrl', 'mp4URL', 'mp4Url'].includes(key) ? change(item) : item,
    ),
  );
}

function readdress(playlist: string, change: (uri: string) => string): string {
  return playlist
    .replace(/^[^#\s]+$/gm, change)
    .replace(/URI="([^"]+)"/g, (_, uri) => `URI="${change(uri)}"`);
}
