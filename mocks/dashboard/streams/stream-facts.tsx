import type { ComponentChildren, VNode } from 'preact';
import { toCurl } from '../../../curl.ts';
import type { Stream } from '../../../interface/types.ts';
import { Card } from '../parts/card.tsx';
import { Copy } from '../parts/copy.tsx';
import { api } from '../state/connection.ts';
import { prefix, shownKey } from '../state/page.ts';
import { duration } from '../state/words.ts';

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

interface StreamFactsProps {
  readonly stream: Stream;
  readonly livePlaylist: string;
}

/** The keys and addresses of a stream, and requests about it as lines for a shell. */
export function StreamFacts({ stream, livePlaylist }: StreamFactsProps): VNode {
  const { id, streamKey, playbackId, profiles, sourceSegmentsDuration } = stream;
  const { apiKey } = api.value;
  return (
    <Card id="facts" title="Keys and addresses" isPart>
      <dl class="facts">
        <Fact name="id" copied={id} />
        <Fact name="stream key" copied={streamKey} />
        <Fact name="playback id" copied={playbackId} />
        <Fact name="live playlist" copied={livePlaylist} />
        <Fact name="renditions">
          {profiles.map(({ name }) => name).join(', ') || 'only the source'}
        </Fact>
        <Fact name="video received">{duration(sourceSegmentsDuration)} in all sessions</Fact>
      </dl>
      <details>
        <summary>curl lines</summary>
        <dl class="facts">
          {requests.map((row) => (
            <Fact
              key={row.name}
              name={row.name}
              before="curl: "
              copied={curlLine(row, stream, apiKey)}
            >
              {curlLine(row, stream, shownKey(apiKey))}
            </Fact>
          ))}
        </dl>
      </details>
    </Card>
  );
}

interface FactProps {
  readonly name: string;
  /** What its button copies; without it there is no button. */
  readonly copied?: string;
  /** What the button says before the name. */
  readonly before?: string;
  /** What is shown, where that is not what is copied. */
  readonly children?: ComponentChildren;
}

function Fact({ name, copied, before = '', children = copied }: FactProps): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class={copied && 'mono'}>{children}</span>
        {copied && <Copy name={before + name} text={copied} />}
      </dd>
    </div>
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
