import { toCurl } from '../../curl.ts';
import type { Stream } from '../../interface/types.ts';
import { hiddenKey } from '../journal/hide-secrets.ts';
import type { Fact } from './facts.ts';
import { formatSeconds } from './format.ts';
import { isShown, prefix } from './page.ts';

/** Where a live stream is played, from the origin. */
export function livePlaylist({ playbackId }: Stream): string {
  return `/hls/${playbackId}/index.m3u8`;
}

/** What is told of a stream. */
export const streamFacts: readonly Fact<Stream>[] = [
  { name: 'id', read: ({ id }) => id },
  { name: 'stream key', read: ({ streamKey }) => streamKey },
  { name: 'playback id', read: ({ playbackId }) => playbackId },
  { name: 'live playlist', read: (stream) => location.origin + livePlaylist(stream) },
  {
    name: 'renditions',
    read: ({ profiles }) => profiles.map(({ name }) => name).join(', ') || 'none: not transcoded',
    copied: false,
  },
  {
    name: 'received',
    read: ({ sourceSegmentsDuration }) => formatSeconds(sourceSegmentsDuration),
    copied: false,
  },
];

/** Requests about a stream, each with the body it sends. */
const requests: readonly {
  readonly name: string;
  readonly request: (id: string) => string;
  readonly body?: object;
}[] = [
  { name: 'retrieve', request: (id) => `GET ${prefix}/stream/${id}` },
  { name: 'recorded sessions', request: (id) => `GET ${prefix}/stream/${id}/sessions?record=1` },
  {
    name: 'recording on',
    request: (id) => `PATCH ${prefix}/stream/${id}/record`,
    body: { record: true },
  },
  { name: 'start', request: (id) => `POST /_mock/streams/${id}/start` },
  { name: 'stop', request: (id) => `POST /_mock/streams/${id}/stop` },
];

/** The same requests as lines for a shell. A secret key is copied, but not shown. */
export function curlFacts(apiKey: () => string): readonly Fact<Stream>[] {
  return requests.map(({ name, request, body }) => {
    const write = ({ id }: Stream, key: string) => {
      const [method = '', path = ''] = request(id).split(' ');
      return toCurl({
        method,
        url: new URL(path, location.origin),
        headers: new Headers({
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }),
        body: body && JSON.stringify(body),
      });
    };
    return {
      name: `curl: ${name}`,
      read: (stream) => write(stream, isShown(apiKey()) ? apiKey() : hiddenKey),
      copied: (stream) => write(stream, apiKey()),
    };
  });
}
