import type { Rewrite } from '../messages/client-request.ts';
import { otherHost } from '../messages/other-host.ts';
import {
  changeText,
  emptyResponse,
  isMultivariant,
  on,
  rewriteObjects,
  rewritePlaylists,
  rewriteResponse,
  type Step,
  sendAs,
  together,
} from './rewrite.ts';
import { inByteRanges, serveTransportStream } from './segment-forms.ts';
import type { VariantTable } from './variant.ts';

/** What the interface leaves open about the media of recordings. */
export const mediaVariants = {
  'media-on-another-host': {
    statement: 'Recordings were on another host, which refused requests with a key.',
    clause: '2.3',
    argument:
      '2.3 says that the addresses are URLs, and not on which host; clause 5 requires the key on the requests shown, and those for media are not.',
    metBy: 'play a recording, or show its address',
    audience: 'app',
    rewrite: together(
      on('media', ({ request, ask }) => {
        if (markOf(request.url) !== 'host') return undefined;
        if (request.headers.has('authorization')) return emptyResponse(400);
        return ask('GET', withMark(request.url, ''));
      }),
      readdressSessions(onAnotherHost),
    ),
  },
  'media-redirected': {
    statement:
      'The addresses of recordings were redirected twice, the second time to a relative address.',
    clause: '2.3',
    argument: '2.3 says that the addresses are URLs, and HTTP lets a URL be redirected.',
    metBy: 'play a recording, or download its MP4 file',
    shownBy: 'status',
    audience: 'app',
    rewrite: redirectMedia(),
  },
  'playlist-addresses-signed': {
    statement:
      'Addresses of media had a signature as their query, and nothing was found without it.',
    clause: '2.3',
    argument: '2.3 says that the addresses are URLs, and URLs have queries.',
    metBy: 'play a recording, or download its MP4 file',
    audience: 'app',
    rewrite: signMedia({
      sign: () => ({ token: 'a/b' }),
      isValid: ({ request }) => queryOf(request).get('token') === 'a/b',
    }),
  },
  'media-addresses-end': {
    statement: 'Addresses of media had a signature as their query, which ended after an hour.',
    clause: '2.3',
    argument: '2.3 says that the addresses are URLs, and not for how long they lead somewhere.',
    metBy:
      'play a recording more than an hour (by the clock of the world) after its session was read',
    shownBy: 'status',
    audience: 'app',
    rewrite: signMedia({
      sign: ({ now }) => ({ expires: String(now() + 3_600_000) }),
      isValid: ({ request, now }) => now() < Number(queryOf(request).get('expires')),
    }),
  },
  'transport-stream': {
    statement: 'The segments of recordings were MPEG-TS, not fragmented MP4.',
    clause: '2.3',
    argument: '2.3 promises an HLS playlist, and RFC 8216 names both forms of segments.',
    metBy: 'play a recording',
    audience: 'app',
    rewrite: together(
      on('media', serveTransportStream),
      rewritePlaylists('any playlist', (text) =>
        text
          .replaceAll('.m4s', '.ts')
          .replace(/#EXT-X-MAP.*\n/, '')
          .replace('VERSION:7', 'VERSION:3'),
      ),
    ),
  },
  'byte-ranges': {
    statement:
      'The segments of a rendition were parts of one file, which the playlist gave as byte ranges.',
    clause: '2.3',
    argument: '2.3 promises an HLS playlist, and RFC 8216 lets segments be ranges of a file.',
    metBy: 'play a recording',
    audience: 'app',
    rewrite: inByteRanges(),
  },
  'playlist-with-sizes-in-blocks': {
    statement: 'Playlists gave the sizes of renditions in multiples of 16 pixels.',
    clause: '2.3',
    argument:
      '2.3 promises an HLS playlist, and no clause says that its RESOLUTION repeats width and height.',
    metBy: 'play a recording of a stream with profiles',
    audience: 'app',
    rewrite: rewritePlaylists('any playlist', (text) =>
      text.replace(
        /(?<=RESOLUTION=[\dx]*)\d+/g,
        (pixels) => `${16 * Math.ceil(Number(pixels) / 16)}`,
      ),
    ),
  },
  'playlist-crlf': {
    statement: 'Lines of playlists ended in CR and LF.',
    clause: '2.3',
    argument: '2.3 promises an HLS playlist, and RFC 8216 allows both ends of a line.',
    metBy: 'play a recording',
    audience: 'app',
    rewrite: rewritePlaylists('any playlist', (text) => text.replaceAll('\n', '\r\n')),
  },
  'playlist-as-text': {
    statement: 'The content type of playlists was text/plain.',
    clause: '2.3',
    argument:
      '2.3 promises an HLS playlist and no content type, and RFC 8216, section 4, needs none where the path ends in .m3u8.',
    metBy: 'play a recording',
    audience: 'app',
    rewrite: sendAs('any playlist', { type: 'text/plain' }),
  },
  'playlist-with-one-variant': {
    statement:
      'The playlist of a recording without profiles led to another one, of its only rendition.',
    clause: '2.3',
    argument: '2.3 promises an HLS playlist, and RFC 8216 has two kinds.',
    metBy: 'play a recording of a stream without profiles',
    audience: 'app',
    rewrite: rewritePlaylists('playlist', (text) =>
      isMultivariant(text)
        ? text
        : '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=4000000\nsource/index.m3u8\n',
    ),
  },
} as const satisfies VariantTable;

/** Changes the addresses of recordings, wherever sessions are shown. */
function readdressSessions(change: (address: string, step: Step) => string): Rewrite {
  return rewriteObjects((view, step) => {
    const addresses = Object.entries(view)
      .filter(([key, value]) => addressKeys.includes(key) && typeof value === 'string')
      .map(([key, value]) => [key, change(String(value), step)]);
    return addresses.length === 0 ? view : { ...view, ...Object.fromEntries(addresses) };
  });
}

const addressKeys: readonly string[] = ['recordingUrl', 'mp4URL', 'mp4Url'];

/** An address with another parameter in its query. */
function withQuery(address: string, name: string, value: string): string {
  const separator = address.includes('?') ? '&' : '?';
  return `${address}${separator}${name}=${encodeURIComponent(value)}`;
}

function queryOf({ url }: Request): URLSearchParams {
  return new URL(url).searchParams;
}

/** How addresses are signed, by parameters in their query. */
interface Signature {
  sign(step: Step): Readonly<Record<string, string>>;
  /** Whether the address of a request leads somewhere. The clock is that of the world that has the media. */
  isValid(step: Step): boolean;
}

/** Signs the addresses in sessions. Those in playlists have the signature of their playlist. */
function signMedia({ sign, isValid }: Signature): Rewrite {
  const addTo = (address: string, parameters: Iterable<[string, string]>): string =>
    [...parameters].reduce((signed, [name, value]) => withQuery(signed, name, value), address);
  return together(
    rewriteResponse('any playlist', async (response, { request }) => {
      const parameters = [...queryOf(request)].filter(([name]) => /^(token|expires)$/.test(name));
      const signed = (address: string) => addTo(address, parameters);
      return response.ok
        ? changeText(response, (text) =>
            text
              .replace(/^[^#\s]+$/gm, signed)
              .replace(/URI="([^"]+)/g, (_, address) => `URI="${signed(address)}`),
          )
        : undefined;
    }),
    on('media', async (step) => {
      // Only then the world of the media is known.
      await step.respond();
      return isValid(step) ? undefined : emptyResponse(403);
    }),
    readdressSessions((address, step) => addTo(address, Object.entries(sign(step)))),
  );
}

/** The same server by another name of its own, or a host that an integration answers. */
function onAnotherHost(address: string): string {
  const url = new URL(address);
  url.hostname = otherHost(url.hostname);
  return withMark(url.href, 'host');
}

/**
 * The place in an address of a recording where a mark is, or can be: after the id and the owner. So addresses still end in
 * .mp4 or .m3u8, and have no query.
 */
const mark = /(?<=\/recordings\/[^/~]+(?:~[\da-f]{8})?)(?:~(host|once|twice))?(?=\/)/;

/** The mark that {@link withMark} has put into an address. */
function markOf(address: string): string | undefined {
  return mark.exec(address)?.[1];
}

/** An address of a recording with another mark, by which a variant recognizes it; without one if that is empty. */
function withMark(address: string, name: '' | 'host' | 'once' | 'twice'): string {
  return address.replace(mark, name === '' ? '' : `~${name}`);
}

/** Media behind two redirects, the second to a relative address. */
function redirectMedia(): Rewrite {
  return together(
    on('media', ({ request, ask }) => {
      const moved = markOf(request.url);
      // A client that does not learn of a redirect looks for the parts of a recording beside its first address.
      const isPart = !/\/recordings\/[^/]+\/[^/]+$/.test(new URL(request.url).pathname);
      if (moved !== undefined && isPart) return ask('GET', withMark(request.url, ''));
      if (moved === 'twice') {
        return emptyResponse(308, { location: withMark(request.url, 'once') });
      }
      if (moved !== 'once') return undefined;
      const { pathname, search } = new URL(withMark(request.url, ''));
      return emptyResponse(308, { location: `${pathname}${search}` });
    }),
    readdressSessions((address) => withMark(address, 'twice')),
  );
}
