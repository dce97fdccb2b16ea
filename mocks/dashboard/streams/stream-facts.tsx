import type { VNode } from 'preact';
import { toCurl } from '../../../curl.ts';
import type { Stream } from '../../../interface/types.ts';
import { hiddenKey } from '../../journal/hide-secrets.ts';
import { Card } from '../parts/card.tsx';
import { Copy } from '../parts/copy.tsx';
import { api } from '../state/connection.ts';
import { isShown, prefix } from '../state/page.ts';
import { duration } from '../state/words.ts';

/** A named text of a stream. */
interface Fact {
  readonly name: string;
  readonly read: (stream: Stream) => string;
  /** Whether it can be copied. */
  readonly copied?: boolean;
}

/** Where a live stream is played, from the origin. */
export function livePlaylist({ playbackId }: Stream): string {
  return `/hls/${playbackId}/index.m3u8`;
}

/** What is told of a stream. */
const facts: readonly Fact[] = [
  { name: 'id', read: ({ id }) => id, copied: true },
  { name: 'stream key', read: ({ streamKey }) => streamKey, copied: true },
  { name: 'playback id', read: ({ playbackId }) => playbackId, copied: true },
  {
    name: 'live playlist',
    read: (stream) => location.origin + livePlaylist(stream),
    copied: true,
  },
  {
    name: 'renditions',
    read: ({ profiles }) => profiles.map(({ name }) => name).join(', ') || 'only the source',
  },
  {
    name: 'video received',
    read: ({ sourceSegmentsDuration }) => `${duration(sourceSegmentsDuration)} in all sessions`,
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

/** The keys and addresses of a stream, and requests about it as lines for a shell. */
export function StreamFacts({ stream }: { readonly stream: Stream }): VNode {
  const { apiKey } = api.value;
  const shownKey = isShown(apiKey) ? apiKey : hiddenKey;
  return (
    <Card id="facts" title="Keys and addresses" isPart>
      <dl class="facts">
        {facts.map(({ name, read, copied }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class={copied ? 'mono' : ''}>{read(stream)}</span>
              {copied && <Copy name={name} text={read(stream)} />}
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>curl lines</summary>
        <dl class="facts">
          {requests.map((row) => (
            <div key={row.name}>
              <dt>{row.name}</dt>
              <dd>
                <span class="mono">{curlLine(row, stream, shownKey)}</span>
                <Copy name={`curl: ${row.name}`} text={curlLine(row, stream, apiKey)} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  );
}

function curlLine(
  { request, body }: (typeof requests)[number],
  { id }: Stream,
  key: string,
): string {
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
}
