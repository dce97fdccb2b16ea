import type Hls from 'hls.js';
import { element } from './dom.ts';

/** Plays recordings. */
export interface Player {
  readonly element: HTMLElement;
  play(url: string, title: string): Promise<void>;
  stop(): void;
}

/** Makes a player, hidden until it plays; `fail` gets what goes wrong. */
export function createPlayer(fail: (text: string) => void): Player {
  const video = element('video', { controls: true, muted: true, playsInline: true });
  const heading = element('h3');
  const file = element('a', { target: '_blank' }, 'Open the file');
  const section = element(
    'section',
    { hidden: true, ariaLabel: 'Player' },
    heading,
    video,
    element('p', {}, file),
  );
  let hls: Hls | undefined;
  const stop = (): void => {
    hls?.destroy();
    hls = undefined;
    video.removeAttribute('src');
    video.load();
    section.hidden = true;
  };
  video.addEventListener('error', () => fail(`The recording cannot be played: ${whyNot(video)}`));
  return {
    element: section,
    stop,
    async play(url, title) {
      stop();
      section.hidden = false;
      section.scrollIntoView({ block: 'nearest' });
      heading.textContent = title;
      // A service worker of MSW's sees what pages fetch, and not where people navigate to.
      file.hidden = import.meta.env.VITE_MOCK === 'worker' || isPlaylist(url);
      file.href = url;
      if (isPlaylist(url)) hls = await attachHls(video, url, fail);
      else video.src = url;
      // A browser may want a click first: then the controls are there for it.
      await video.play().catch(() => undefined);
    },
  };
}

function isPlaylist(url: string): boolean {
  return new URL(url).pathname.endsWith('.m3u8');
}

/** Plays HLS by hls.js, or by the browser where hls.js cannot run, as on an iPhone. */
async function attachHls(
  video: HTMLVideoElement,
  url: string,
  fail: (text: string) => void,
): Promise<Hls | undefined> {
  const { default: Hls } = await import('hls.js');
  if (!Hls.isSupported()) {
    video.src = url;
    return undefined;
  }
  const hls = new Hls();
  hls.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) fail(`The recording cannot be played: ${details}`);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return hls;
}

function whyNot({ error }: HTMLVideoElement): string {
  return error?.message || `media error ${error?.code}`;
}
