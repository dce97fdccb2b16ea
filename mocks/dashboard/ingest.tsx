import type { VNode } from 'preact';
import type { Stream } from '../../interface/types.ts';
import type { IngestReport } from '../state/ingest.ts';
import { Fact } from './parts/facts.tsx';
import { api, createSource } from './state/connection.ts';

interface StreamProps {
  readonly stream: Stream;
}

/** Where encoders and cameras go live, and what they send. */
const ingest = createSource(['ingest'], () => api.call<IngestReport>('GET /_mock/ingest'));

/** What an encoder or a camera is sending to a stream. */
export function IncomingMedia({ stream }: StreamProps): VNode | null {
  const incoming = ingest.value?.incoming.find(({ streamId }) => streamId === stream.id);
  if (incoming === undefined) return null;
  const { protocol, videoCodec, width, height, frameRate, bitrate, audioCodec } = incoming;
  const facts = [
    videoCodec,
    width && `${width}×${height}`,
    frameRate && `${frameRate} fps`,
    audioCodec,
    bitrate > 0 && `${(bitrate / 1_000_000).toFixed(1)} Mbit/s`,
  ];
  return (
    <p id="incoming">
      <span class="badge">{protocol.toUpperCase()}</span>{' '}
      {facts.filter(Boolean).join(', ') || 'Nothing is known of it yet.'}{' '}
      <span class="hint">What is played and recorded is the test card.</span>
    </p>
  );
}

/** What to fill in or to run so that a stream goes live; only what this server takes. */
export function IngestFacts({ stream: { streamKey } }: StreamProps): VNode {
  const { rtmp, whip } = ingest.value ?? {};
  return (
    <>
      {rtmp && (
        <>
          <Fact name="OBS server" copied={rtmp} />
          <Fact
            name="ffmpeg"
            copied={`ffmpeg -re -i video.mp4 -c copy -f flv '${rtmp}/${streamKey}'`}
          />
        </>
      )}
      {whip && <Fact name="browser" copied={`${whip}/${streamKey}`} />}
    </>
  );
}
