import { signal } from '@preact/signals';
import type Hls from 'hls.js';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../interface/types.ts';
import { Button, Card } from './parts/controls.tsx';
import type { ShownStream } from './shown.ts';

/** What the player shows: a recording, or a live session of the stream. */
interface Playing {
  /** Empty for a live session. */
  readonly title: string;
  /** Address of a playlist. */
  readonly hls?: string | undefined;
  /** The same as a file; a live session has none. */
  readonly mp4?: string | undefined;
  /** Id of the live session. */
  readonly sessionId?: string;
  /** Takes the focus when the player is closed. */
  readonly opener: Element | null;
}

/** `undefined` while the player is closed. */
const playing = signal<Playing | undefined>(undefined);

/** Plays a recording. */
export function playRecording(title: string, session: Partial<Session>): void {
  const opener = playing.value?.opener ?? document.activeElement;
  playing.value = { title, hls: session.recordingUrl, mp4: session.mp4URL, opener };
}

/** Plays a live session; `hls` is the playlist of its stream. */
export function watchLive(sessionId: string, hls: string): void {
  playing.value = { title: '', hls, sessionId, opener: document.activeElement };
}

function closePlayer(): void {
  const { opener } = playing.value ?? {};
  playing.value = undefined;
  if (opener instanceof HTMLElement) opener.focus();
}

/** What is said of the recording of a session that was watched live. */
const endings = {
  ready: '',
  waiting: 'Its recording is not ready yet.',
  failed: 'Its recording has failed.',
  deleted: 'Its recording was deleted.',
  none: 'It was not recorded.',
} as const;

/** The player, while something is played. */
export function Player({ stream: { name }, sessions }: ShownStream): VNode | null {
  const shown = playing.value;
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState('');
  const session = sessions.find(({ id }) => id === shown?.sessionId);
  const isLive = session?.isActive === true;
  useEffect(() => {
    return () => {
      playing.value = undefined;
    };
  }, []);
  useEffect(() => {
    setFailure('');
    if (shown === undefined || video.current === null) return undefined;
    document.getElementById('player-heading')?.focus();
    return playMedia(video.current, shown, (why) =>
      setFailure(`It cannot be played here: ${why}.`),
    );
  }, [shown]);
  if (shown === undefined) return null;
  const title = shown.title || `${name}, ${isLive ? 'live' : 'ended'}`;
  const status = session?.recordingStatus ?? 'none';
  const ended = session && !isLive ? `The stream has ended. ${endings[status]}` : '';
  const close = <Button class="end" label="Close player" onClick={closePlayer} />;
  return (
    <Card id="player" title={title} tools={close} isPart>
      <video ref={video} aria-label={title} controls muted playsInline />
      <div class="inline">
        <p role="status">{ended || failure}</p>
        {ended && session?.recordingUrl !== undefined && (
          <Button
            label="Play its recording"
            onClick={() => playRecording(`Recording of ${name}`, session)}
          />
        )}
      </div>
    </Card>
  );
}

/** Plays HLS if there is a playlist, and MP4 where that fails. The returned function ends it. */
function playMedia(
  video: HTMLVideoElement,
  { hls, mp4 }: Playing,
  fail: (why: string) => void,
): () => void {
  const over = new AbortController();
  let player: Hls | undefined;
  const playFile = (url: string | undefined, why: string): void => {
    if (over.signal.aborted) return;
    player?.destroy();
    if (url === undefined || video.src === url) {
      fail(why);
      return;
    }
    video.src = url;
    playIfAllowed(video);
  };
  const playList = async (url: string): Promise<void> => {
    const { default: Player } = await import('hls.js');
    if (over.signal.aborted) return;
    if (!Player.isSupported()) {
      playFile(url, '');
      return;
    }
    // The page's policy does not allow the address that a worker's script would have.
    player = new Player({ enableWorker: false });
    player.on(Player.Events.ERROR, (_, { fatal, details }) => {
      if (fatal) playFile(mp4, details);
    });
    player.on(Player.Events.MANIFEST_PARSED, () => playIfAllowed(video));
    player.loadSource(url);
    player.attachMedia(video);
  };
  video.onerror = () => playFile(mp4, video.error?.message || 'the browser does not say why');
  if (hls === undefined) playFile(mp4, 'there is no source');
  else playList(hls).catch((error: Error) => playFile(mp4, error.message));
  return () => {
    over.abort();
    player?.destroy();
    video.removeAttribute('src');
    video.load();
  };
}

/** A failure shows as an error of the video; if the browser wants a click first, the controls are there. */
function playIfAllowed(video: HTMLVideoElement): void {
  video.play().catch(() => {});
}
