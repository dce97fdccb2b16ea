/** @jsxImportSource react */
import { getSrc } from '@livepeer/react/external';
import * as Player from '@livepeer/react/player';
import { Livepeer } from 'livepeer';
import { createRoot } from 'react-dom/client';

/**
 * Plays a stream by its playback id, or a recording by the id of its session, as apps on the official
 * SDK do. Only `serverURL` points to the mock.
 */
export async function play(serverURL: string, id: string): Promise<void> {
  const livepeer = new Livepeer({ apiKey: 'test-demo', serverURL });
  const { playbackInfo } = await livepeer.playback.get(id);
  createRoot(document.body).render(
    <Player.Root src={getSrc(playbackInfo)} autoPlay volume={0}>
      <Player.Container>
        <Player.Video />
        <Player.ErrorIndicator matcher="all">This cannot be played.</Player.ErrorIndicator>
      </Player.Container>
    </Player.Root>,
  );
}
