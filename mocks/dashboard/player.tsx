import { signal } from '@preact/signals';
import type Hls from 'hls.js';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Card } from './parts/controls.tsx';
import type { ShownStream } from './shown.ts';

/** What the player shows: a recording, or a live session of the stream. */
interface Playing {
  /** A live session has none. */
  readonly title?: string;
  /** Address of a playlist or an MP4. */
  readonly url: string;
  /** Id of the live session. */
  readonly sessionId?: string;
  /** Takes the focus when the player is closed. */
  readonly opener: Element | null;
}

/** `undefined` while the player is closed. */
const playing = signal<Playing | undefined>(undefined);

/** Opens the player. */
export function play(what: Omit<Playing, 'opener'>): void {
  playing.value = { ...what, opener: document.activeElement };
}

function closePlayer(): void {
  const { opener } = playing.value ?? {};
  playing.value = undefined;
  if (opener instanceof HTMLElement) opener.focus();
}

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
  const title = shown.title ?? `${name}, ${isLive ? 'live' : 'ended'}`;
  const ended = session && !isLive ? 'The stream has ended.' : '';
  const close = <Button class="end" label="Close player" onClick={closePlayer} />;
  return (
    <Card id="player" title={title} tools={close} isPart>
      <video ref={video} aria-label={title} controls muted playsInline />
      <p role="status">{ended || failure}</p>
    </Card>
  );
}

/** Plays a playlist by hls.js, where the browser has what that needs, and an MP4. The returned function ends it. */
function playMedia(
  video: HTMLVideoElement,
  { url }: Playing,
  fail: (why: string) => void,
): () => void {
  const over = new AbortController();
  let player: Hls | undefined;
  const playByBrowser = (): void => {
    video.src = url;
    playIfAllowed(video);
  };
  const playList = async (): Promise<void> => {
    const { default: Player } = await import('hls.js');
    if (over.signal.aborted) return;
    if (!Player.isSupported()) {
      playByBrowser();
      return;
    }
    // The page's policy does not allow the address that a worker's script would have.
    player = new Player({ enableWorker: false });
    player.on(Player.Events.ERROR, (_, { fatal, details }) => {
      if (fatal) fail(details);
    });
    player.on(Player.Events.MANIFEST_PARSED, () => playIfAllowed(video));
    player.loadSource(url);
    player.attachMedia(video);
  };
  video.onerror = () => fail(video.error?.message || 'the browser does not say why');
  if (url.endsWith('.mp4')) playByBrowser();
  else playList().catch((error: Error) => fail(error.message));
  return () => {
    over.abort();
    player?.destroy();
    video.onerror = null;
    video.removeAttribute('src');
    video.load();
  };
}

/** A failure shows as an error of the video; if the browser wants a click first, the controls are there. */
function playIfAllowed(video: HTMLVideoElement): void {
  video.play().catch(() => {});
}
