import { onPress } from './actions.ts';
import { find, setText } from './dom.ts';

const hlsType = 'application/vnd.apple.mpegurl';

/** Segments that a live playlist needs for Chromium to play it. */
const neededSegments = 3;

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
  /** Plays a live stream as soon as it has enough segments. */
  watch(show: Show, segments: number): void;
  /** A live stream has so many segments now. */
  grown(segments: number): void;
  close(): void;
}

/** Makes the player; browsers that play HLS play that, the others the MP4. */
export function createPlayer(): Player {
  const section = find('player', HTMLElement);
  const video = find('video', HTMLVideoElement);
  const heading = find('player-heading', HTMLHeadingElement);
  const note = find('player-note', HTMLParagraphElement);
  let opener: Element | null = null;
  let sources: string[] = [];
  let awaited: Show | undefined;
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
    awaited = undefined;
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
  const player: Player = {
    play(show) {
      open(show);
      load(show);
    },
    watch(show, segments) {
      open(show);
      awaited = show;
      setText(
        note,
        `Browsers begin with ${neededSegments} segments, 9.6 s after the start; it begins by itself, or advance the clock.`,
      );
      player.grown(segments);
    },
    grown(segments) {
      if (awaited === undefined || segments < neededSegments) return;
      const show = awaited;
      awaited = undefined;
      setText(note, '');
      load(show);
    },
    close,
  };
  video.addEventListener('error', () => {
    if (video.hasAttribute('src')) playNext();
  });
  onPress(find('player-close', HTMLButtonElement), async () => {
    close();
    if (opener instanceof HTMLElement) opener.focus();
    return undefined;
  });
  return player;
}
