import type Hls from 'hls.js';
import { element } from './dom.ts';

/** Plays recordings. */
export interface Player {
  readonly element: HTMLElement;
  play(url: string, title: string): Promise<void>;
  stop(): void;
}

/** Makes a player that is hidden until it plays; errors go to `fail`. */
export function createPlayer(fail: (text: string) => void): Player {
  const video = element('video', {
    controls: true,
    muted: true,
    playsInline: true,
    // Without this, a service worker does not see the range: https://github.com/mswjs/msw/issues/2552
    crossOrigin: 'anonymous',
  });
  const heading = element('h3');
  const file = element('a', { target: '_blank' }, 'Open the file');
  const section = element(
    'section',
    { hidden: true, ariaLabel: 'Player' },
    heading,
    video,
    element('p', {}, file),
  );
  let run = 0;
  let detach = (): void => undefined;
  const stop = (): void => {
    run += 1;
    detach();
    detach = () => undefined;
    section.hidden = true;
  };
  const failed = (why: string): void => fail(`The recording cannot be played: ${why}`);
  video.addEventListener('error', () =>
    failed(video.error?.message || `media error ${video.error?.code}`),
  );
  return {
    element: section,
    stop,
    async play(url, title) {
      stop();
      const mine = run;
      const playlist = new URL(url).pathname.endsWith('.m3u8');
      const { default: HlsPlayer } = playlist ? await import('hls.js') : {};
      if (mine !== run) return;
      // hls.js does not run everywhere, but an iPhone plays HLS natively.
      detach = HlsPlayer?.isSupported()
        ? attachHls(HlsPlayer, video, url, failed)
        : attachFile(video, url);
      heading.textContent = title;
      // MSW's service worker handles a page's requests, but not navigation to the file.
      file.hidden = playlist || import.meta.env.VITE_MOCK === 'worker';
      file.href = url;
      section.hidden = false;
      section.scrollIntoView({ block: 'nearest' });
      // A browser may require a click first; the user has the controls for that.
      await video.play().catch(() => undefined);
    },
  };
}

function attachFile(video: HTMLVideoElement, url: string): () => void {
  video.src = url;
  return () => {
    video.removeAttribute('src');
    video.load();
  };
}

function attachHls(
  HlsPlayer: typeof Hls,
  video: HTMLVideoElement,
  url: string,
  failed: (why: string) => void,
): () => void {
  const hls = new HlsPlayer();
  hls.on(HlsPlayer.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) failed(details);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return () => hls.destroy();
}
