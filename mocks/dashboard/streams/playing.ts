import { type Signal, signal } from '@preact/signals';

/** What can be played. */
export interface Media {
  /** Address of a playlist. */
  readonly hls?: string | undefined;
  /** The same as a file; a live stream has none. */
  readonly mp4?: string | undefined;
}

/** What the player shows: a recording, or a live session of the stream. */
export interface Playing {
  /** Empty while a live session is watched. */
  readonly title: string;
  readonly media: Media;
  /** Id of the session that is watched live. */
  readonly sessionId?: string;
  /** What has the focus when the player is closed. */
  readonly opener: Element | null;
}

/** What the player shows; `undefined` while it is closed. */
export const playing: Signal<Playing | undefined> = signal(undefined);

/** Plays a recording. */
export function playRecording(
  title: string,
  { recordingUrl, mp4URL }: { recordingUrl?: string | undefined; mp4URL?: string | undefined },
): void {
  const opener = playing.value?.opener ?? document.activeElement;
  playing.value = { title, media: { hls: recordingUrl, mp4: mp4URL }, opener };
}

/** Plays a live session as soon as it has enough segments; the playlist is that of its stream. */
export function watchLive(sessionId: string, hls: string): void {
  playing.value = { title: '', media: { hls }, sessionId, opener: document.activeElement };
}

/** Closes the player; the focus goes back to where it was. */
export function closePlayer(): void {
  const { opener } = playing.value ?? {};
  playing.value = undefined;
  if (opener instanceof HTMLElement) opener.focus();
}
