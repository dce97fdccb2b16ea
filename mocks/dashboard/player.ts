import type { Session } from '../../interface/types.ts';
import { onPress } from './actions.ts';
import { find, setText } from './dom.ts';

const hlsType = 'application/vnd.apple.mpegurl';

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

/** What can be watched. */
interface Show {
  readonly title: string;
  /** Address of a playlist. */
  readonly hls?: string | undefined;
  /** The same as a file, for browsers that do not play HLS; a live stream has none. */
  readonly mp4?: string | undefined;
}

/** The part of the page that plays. */
export interface Player {
  play(show: Show): void;
  /** Plays a live session as soon as it has enough segments; the playlist is that of its stream. */
  watch(name: string, hls: string, session: Session): void;
  /** The sessions of the stream are these now: that which is watched may have grown or ended. */
  follow(sessions: readonly Session[]): void;
  close(): void;
}

/** Makes the player; browsers that play HLS play that, the others the MP4. */
export function createPlayer(): Player {
  const section = find('player', HTMLElement);
  const video = find('video', HTMLVideoElement);
  const heading = find('player-heading', HTMLHeadingElement);
  const note = find('player-note', HTMLParagraphElement);
  const recording = find('player-recording', HTMLButtonElement);
  let opener: Element | null = null;
  let sources: string[] = [];
  let awaited: Show | undefined;
  let watched: { readonly name: string; session: Session } | undefined;
  const playNext = (): void => {
    const source = sources.shift();
    if (source === undefined) {
      setText(note, `This browser cannot play it: ${video.error?.message || 'no source is left'}.`);
      return;
    }
    video.src = source;
    // A refusal to play shows as an error of the video, and without leave its controls are there.
    video.play().catch(() => {});
  };
  const unload = (): void => {
    sources = [];
    awaited = watched = undefined;
    recording.hidden = true;
    setText(note, '');
    video.removeAttribute('src');
    video.load();
  };
  const open = ({ title }: Show): void => {
    unload();
    opener = document.activeElement;
    setText(heading, title);
    video.ariaLabel = title;
    section.hidden = false;
    heading.focus();
  };
  const load = ({ hls, mp4 }: Show): void => {
    const playlist = video.canPlayType(hlsType) === '' ? undefined : hls;
    sources = [playlist, mp4].filter((source) => source !== undefined);
    playNext();
  };
  const close = (): void => {
    unload();
    section.hidden = true;
  };
  const showEnded = (name: string, { recordingStatus, recordingUrl }: Session): void => {
    awaited = undefined;
    setText(heading, `${name}, ended`);
    video.ariaLabel = `${name}, ended`;
    setText(note, `The stream has ended. ${endings[recordingStatus ?? 'none']}`);
    recording.hidden = recordingUrl === undefined;
  };
  const player: Player = {
    play(show) {
      open(show);
      load(show);
    },
    watch(name, hls, session) {
      const show = { title: `${name}, live`, hls };
      open(show);
      awaited = show;
      watched = { name, session };
      setText(
        note,
        `Browsers begin with ${neededSegments} segments, 9.6 s after the start; it begins by itself, or advance the clock.`,
      );
      player.follow([session]);
    },
    follow(sessions) {
      const session = sessions.find(({ id }) => id === watched?.session.id);
      if (session === undefined || watched === undefined) return;
      watched.session = session;
      if (!session.isActive) showEnded(watched.name, session);
      else if (awaited !== undefined && session.sourceSegments >= neededSegments) {
        const show = awaited;
        awaited = undefined;
        setText(note, '');
        load(show);
      }
    },
    close,
  };
  video.addEventListener('error', () => {
    if (video.hasAttribute('src')) playNext();
  });
  onPress(recording, async () => {
    if (watched === undefined) return undefined;
    const { name, session } = watched;
    const from = opener;
    player.play({
      title: `Recording of ${name}`,
      hls: session.recordingUrl,
      mp4: session.mp4URL,
    });
    opener = from;
    return undefined;
  });
  onPress(find('player-close', HTMLButtonElement), async () => {
    close();
    if (opener instanceof HTMLElement) opener.focus();
    return undefined;
  });
  return player;
}
