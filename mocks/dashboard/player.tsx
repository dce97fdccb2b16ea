import { signal } from '@preact/signals';
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

/** Plays a live session once it has enough segments; `hls` is the playlist of its stream. */
export function watchLive(sessionId: string, hls: string): void {
  playing.value = { title: '', hls, sessionId, opener: document.activeElement };
}

function closeSilently(): void {
  playing.value = undefined;
}

function closePlayer(): void {
  const { opener } = playing.value ?? {};
  closeSilently();
  if (opener instanceof HTMLElement) opener.focus();
}

/** Segments that a live playlist needs for Chromium to play it. */
const neededSegments = 3;

/** What is said of the recording of a session that was watched live. */
const endings = {
  ready: '',
  waiting: 'Its recording is not ready yet.',
  failed: 'Its recording has failed.',
  deleted: 'Its recording was deleted.',
  none: 'It was not recorded.',
} as const;

const waitNote = `A browser needs ${neededSegments} segments to begin, which are there 9.6 s after the start. Wait, or advance the clock.`;

/** The player, while something is played. */
export function Player({ stream: { name }, sessions }: ShownStream): VNode | null {
  const shown = playing.value;
  const video = useRef<HTMLVideoElement>(null);
  const begun = useRef<Playing>(undefined);
  const [failure, setFailure] = useState('');
  const session = sessions.records.find(({ id }) => id === shown?.sessionId);
  const isLive = session?.isActive === true;
  const isWaiting = isLive && session.sourceSegments < neededSegments;
  if (session === undefined ? shown?.sessionId === undefined : isLive && !isWaiting) {
    begun.current = shown;
  }
  const media = begun.current === shown ? shown : undefined;
  useEffect(() => closeSilently, []);
  useEffect(() => {
    setFailure('');
    if (shown !== undefined) document.getElementById('player-heading')?.focus();
  }, [shown]);
  useEffect(() => {
    if (media === undefined || video.current === null) return undefined;
    return playMedia(video.current, media, (why) =>
      setFailure(`It cannot be played here: ${why}.`),
    );
  }, [media]);
  if (shown === undefined) return null;
  const title = shown.title || `${name}, ${isLive ? 'live' : 'ended'}`;
  const status = session?.recordingStatus ?? 'none';
  const ended = session && !isLive ? `The stream has ended. ${endings[status]}` : '';
  const close = <Button class="end" label="Close player" onClick={closePlayer} />;
  return (
    <Card id="player" title={title} tools={close} isPart>
      <video ref={video} aria-label={title} controls muted playsInline />
      <div class="inline">
        <p role="status">{isWaiting ? waitNote : ended || failure}</p>
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

const hlsType = 'application/vnd.apple.mpegurl';

/** Plays HLS if there is a playlist, and MP4 where that fails. The returned function ends it. */
function playMedia(
  video: HTMLVideoElement,
  { hls, mp4 }: Playing,
  fail: (why: string) => void,
): () => void {
  const over = new AbortController();
  const { signal: isOver } = over;
  let detach = (): void => {};
  const play = (source: string | undefined, why: string): void => {
    if (isOver.aborted) return;
    detach();
    detach = () => {};
    if (source === undefined || video.src === source) {
      fail(why);
      return;
    }
    video.src = source;
    playIfAllowed(video);
  };
  const onError = () => play(mp4, video.error?.message || 'the browser does not say why');
  video.addEventListener('error', onError, { signal: isOver });
  if (hls === undefined || video.canPlayType(hlsType) !== '') {
    play(hls ?? mp4, 'there is no source');
  } else {
    attachHls(video, hls, isOver, (why) => play(mp4, why))
      .then((end) => {
        detach = end;
      })
      .catch((error: Error) => play(mp4, error.message));
  }
  return () => {
    over.abort();
    detach();
    video.removeAttribute('src');
    video.load();
  };
}

/** A failure shows as an error of the video; if the browser wants a click first, the controls are there. */
function playIfAllowed(video: HTMLVideoElement): void {
  video.play().catch(() => {});
}

/** Plays HLS where the browser does not do so by itself. Only then hls.js is loaded. */
async function attachHls(
  video: HTMLVideoElement,
  source: string,
  isOver: AbortSignal,
  fail: (why: string) => void,
): Promise<() => void> {
  const { default: Hls } = await import('hls.js');
  isOver.throwIfAborted();
  if (!Hls.isSupported()) {
    throw new Error('this browser has neither HLS nor media source extensions');
  }
  // The page's policy does not allow the address that a worker's script would have.
  const player = new Hls({ enableWorker: false });
  player.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) fail(details);
  });
  player.on(Hls.Events.MANIFEST_PARSED, () => playIfAllowed(video));
  player.loadSource(source);
  player.attachMedia(video);
  return () => player.destroy();
}
