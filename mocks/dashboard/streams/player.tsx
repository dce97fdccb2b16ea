import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../../../interface/types.ts';
import { Card } from '../parts/card.tsx';
import { playMedia } from './play-media.ts';
import { closePlayer, type Media, type Playing, playing, playRecording } from './playing.ts';

/** Segments that a live playlist needs for Chromium to play it. */
const neededSegments = 3;

/** What is said of the recording of a session that was watched. */
const endings = {
  ready: '',
  waiting: 'Its recording is not ready yet.',
  failed: 'Its recording has failed.',
  deleted: 'Its recording was deleted.',
  none: 'It was not recorded.',
} as const;

const waitNote = `A browser needs ${neededSegments} segments to begin, which are there 9.6 s after the start. Wait, or advance the clock.`;

interface PlayerProps {
  /** Name of the stream. */
  readonly name: string;
  readonly sessions: readonly Session[];
}

/** The player, while something is played. */
export function Player({ name, sessions }: PlayerProps): VNode | null {
  useEffect(
    () => () => {
      playing.value = undefined;
    },
    [],
  );
  const shown = playing.value;
  if (shown === undefined) return null;
  const session = sessions.find(({ id }) => id === shown.sessionId);
  return <OpenPlayer name={name} shown={shown} session={session} />;
}

interface OpenPlayerProps {
  readonly name: string;
  readonly shown: Playing;
  /** The session that is watched live, as it is now. */
  readonly session: Session | undefined;
}

function OpenPlayer({ name, shown, session }: OpenPlayerProps): VNode {
  const failure = useSignal('');
  const begun = useRef<Playing>(undefined);
  useEffect(() => {
    document.getElementById('player-heading')?.focus();
    failure.value = '';
  }, [shown, failure]);
  const isLive = session?.isActive === true;
  const isWaiting = isLive && session.sourceSegments < neededSegments;
  if (session === undefined ? shown.sessionId === undefined : isLive && !isWaiting) {
    begun.current = shown;
  }
  const title = shown.title || `${name}, ${isLive ? 'live' : 'ended'}`;
  const status = session?.recordingStatus ?? 'none';
  const ended = session && !isLive ? `The stream has ended. ${endings[status]}` : '';
  return (
    <Card id="player" title={title} tools={closeButton} isPart>
      <Video
        title={title}
        media={begun.current === shown ? shown.media : undefined}
        fail={(why) => {
          failure.value = `It cannot be played here: ${why}.`;
        }}
      />
      <div class="inline">
        <p role="status">{isWaiting ? waitNote : ended || failure}</p>
        {ended && session?.recordingUrl !== undefined && (
          <button type="button" onClick={() => playRecording(`Recording of ${name}`, session)}>
            Play its recording
          </button>
        )}
      </div>
    </Card>
  );
}

const closeButton = (
  <button type="button" class="end" onClick={closePlayer}>
    Close player
  </button>
);

interface VideoProps {
  readonly title: string;
  /** What is played; nothing until there is enough of it. */
  readonly media: Media | undefined;
  readonly fail: (why: string) => void;
}

function Video({ title, media, fail }: VideoProps): VNode {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(
    () => (media && video.current ? playMedia(video.current, media, fail) : undefined),
    [media],
  );
  return <video ref={video} aria-label={title} controls muted playsInline />;
}
