import { signal } from '@preact/signals';
import type Hls from 'hls.js';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button, Card, focusCard } from './controls.tsx';
import { complain } from './page-state/api.ts';

/** What the player plays. */
interface PlayerMedia {
  readonly title: string;
  /** URL of a playlist or an MP4. */
  readonly url: string;
}

/** `undefined` while the player is closed. */
const playedMedia = signal<PlayerMedia | undefined>(undefined);

/** Opens the player. */
export function play(media: PlayerMedia): void {
  playedMedia.value = media;
}

function closePlayer(): void {
  playedMedia.value = undefined;
  focusCard('stream');
}

/** The player, while it is open. */
export function Player(): VNode | null {
  const media = playedMedia.value;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    return () => {
      playedMedia.value = undefined;
    };
  }, []);
  useEffect(() => {
    if (media === undefined || video.current === null) return undefined;
    focusCard('player');
    video.current.scrollIntoView({ block: 'nearest' });
    return playMedia(video.current, media.url);
  }, [media]);
  if (media === undefined) return null;
  const close = <Button class="end" label="Close player" onClick={closePlayer} />;
  return (
    <Card id="player" title={media.title} tools={close}>
      <video ref={video} aria-label={media.title} controls muted playsInline />
    </Card>
  );
}

/** Plays an MP4, or a playlist with hls.js if the browser supports it. Returns a function that ends it. */
function playMedia(video: HTMLVideoElement, url: string): () => void {
  const closing = new AbortController();
  let player: Hls | undefined;
  const fail = (reason: string) => complain(new Error(`This cannot be played here: ${reason}.`));
  const playByBrowser = (): void => {
    video.src = url;
    playIfAllowed(video);
  };
  const playList = async (): Promise<void> => {
    const { default: Player } = await import('hls.js');
    if (closing.signal.aborted) return;
    if (!Player.isSupported()) return playByBrowser();
    // The page's policy does not allow the URL of a worker's script.
    player = new Player({ enableWorker: false });
    player.on(Player.Events.ERROR, (_, { fatal, details }) => {
      if (fatal) fail(details);
    });
    player.on(Player.Events.MANIFEST_PARSED, () => playIfAllowed(video));
    player.loadSource(url);
    player.attachMedia(video);
  };
  video.onerror = () => fail(video.error?.message || 'the browser gives no reason');
  if (url.endsWith('.mp4')) playByBrowser();
  else playList().catch(complain);
  return () => {
    closing.abort();
    player?.destroy();
    video.onerror = null;
    video.removeAttribute('src');
    video.load();
  };
}

/** A failure shows up as an error of the video. If the browser wants a click first, the user has the controls. */
function playIfAllowed(video: HTMLVideoElement): void {
  video.play().catch(() => {});
}
