/** @jsxImportSource react */
import * as Broadcast from '@livepeer/react/broadcast';
import { getIngest, getSrc } from '@livepeer/react/external';
import * as Player from '@livepeer/react/player';
import { Livepeer } from 'livepeer';
import { type ReactNode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** What a player plays. */
type Source = ReturnType<typeof getSrc>;

interface StreamProps {
  readonly livepeer: Livepeer;
  readonly streamId: string;
}

interface GoLiveProps extends StreamProps {
  /** Where the camera is sent over WHIP. */
  readonly ingestUrl: string | null;
}

/**
 * Creates a recorded stream, and shows a page that sends the camera to it and then plays its recording.
 * `origin` is the mock's. For the real service, leave out `serverURL` and `baseUrl`.
 */
export async function goLive(origin: string): Promise<void> {
  const livepeer = new Livepeer({ apiKey: 'test-demo', serverURL: `${origin}/api` });
  const { stream } = await livepeer.stream.create({ name: 'My camera', record: true });
  if (stream?.id === undefined) throw new Error('no stream was created');
  const ingestUrl = getIngest(stream.streamKey, { baseUrl: `${origin}/webrtc` });
  createRoot(document.body).render(
    <GoLive livepeer={livepeer} streamId={stream.id} ingestUrl={ingestUrl} />,
  );
}

function GoLive({ ingestUrl, ...stream }: GoLiveProps): ReactNode {
  return (
    <>
      <Broadcast.Root ingestUrl={ingestUrl} noIceGathering>
        <Broadcast.Container>
          <Broadcast.Video title="Camera" />
        </Broadcast.Container>
        <Broadcast.EnabledTrigger>
          <Broadcast.EnabledIndicator matcher={false}>Go live</Broadcast.EnabledIndicator>
          <Broadcast.EnabledIndicator>End</Broadcast.EnabledIndicator>
        </Broadcast.EnabledTrigger>
        <Broadcast.StatusIndicator matcher="live">LIVE</Broadcast.StatusIndicator>
        <Broadcast.ErrorIndicator matcher="all">
          The camera cannot go live.
        </Broadcast.ErrorIndicator>
      </Broadcast.Root>
      <Recording {...stream} />
    </>
  );
}

/** Milliseconds between two checks whether the recording is ready. */
const pause = 1000;

/** Plays the recording of the first session, once it is ready. */
function Recording({ livepeer, streamId }: StreamProps): ReactNode {
  const [source, setSource] = useState<Source>(null);
  useEffect(() => {
    const timer = setInterval(async () => {
      const recording = await findRecording(livepeer, streamId);
      if (recording === null) return;
      clearInterval(timer);
      setSource(recording);
    }, pause);
    return () => clearInterval(timer);
  }, [livepeer, streamId]);
  if (source === null) return <p>There is no recording yet.</p>;
  return (
    <Player.Root src={source} autoPlay volume={0}>
      <Player.Container>
        <Player.Video title="Recording" />
      </Player.Container>
    </Player.Root>
  );
}

async function findRecording(livepeer: Livepeer, streamId: string): Promise<Source> {
  const { data: sessions = [] } = await livepeer.session.getRecorded(streamId, 1);
  const ready = sessions.find(({ recordingStatus }) => recordingStatus === 'ready');
  if (ready?.id === undefined) return null;
  const { playbackInfo } = await livepeer.playback.get(ready.id);
  return getSrc(playbackInfo);
}
