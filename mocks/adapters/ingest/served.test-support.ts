import { onTestFinished } from 'vitest';
import { MediaStreamTrack, RTCPeerConnection } from 'werift';
import { createMock } from '../../mock.ts';
import { serve } from '../node/node.ts';

/** A served mock with one stream, to which encoders and cameras can send at `address`. */
export type Served = Awaited<ReturnType<typeof serveIngest>>;

/** Serves a mock until the test ends. */
export async function serveIngest() {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const server = await serve(mock, { rtmp: 0, whip: true });
  onTestFinished(() => server.close());
  const world = await mock.world();
  const stream = await world.createStream({ name: 'a', record: true });
  const address = `${server.ingest.rtmp}/${stream.streamKey}`;
  const isLive = () => world.streams()[0]?.isActive === true;
  return { server, world, stream, address, isLive };
}

/** What encoders send to the streams of a served mock. */
export async function incoming({
  server,
  world,
}: Pick<Served, 'server' | 'world'>): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${world.apiKey}` };
  const response = await fetch(`${server.controlUrl}/ingest`, { headers });
  return ((await response.json()) as { incoming: unknown[] }).incoming;
}

/** A camera without a browser, its offer, and how it takes the answer. */
export async function openCamera() {
  const camera = new RTCPeerConnection({ iceServers: [] });
  onTestFinished(() => camera.close());
  for (const kind of ['video', 'audio'] as const) {
    camera.addTransceiver(new MediaStreamTrack({ kind }), { direction: 'sendonly' });
  }
  await camera.setLocalDescription(await camera.createOffer());
  const accept = (sdp: string) => camera.setRemoteDescription({ type: 'answer', sdp });
  return { camera, offer: camera.localDescription?.sdp ?? '', accept };
}
