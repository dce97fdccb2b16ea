import { createRequire } from 'node:module';
import type HlsPlayer from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Profile } from '../../interface/types.ts';
import { serveMock } from '../../target/servers.test-support.ts';

const require = createRequire(import.meta.url);

/** The players that watch, each with its script; Chromium has one of its own. */
const playerScripts = {
  'hls.js': require.resolve('hls.js/dist/hls.min.js'),
  'video.js': require.resolve('video.js/dist/video.min.js'),
  shaka: require.resolve('shaka-player/dist/shaka-player.compiled.js'),
  'shaka without dates': require.resolve('shaka-player/dist/shaka-player.compiled.js'),
  chromium: undefined,
} as const;

type PlayerName = keyof typeof playerScripts;

/** The player in a page, as its scripts show it there. */
declare global {
  interface Window {
    Hls: typeof HlsPlayer;
    videojs: (
      video: HTMLVideoElement,
      options: object,
    ) => {
      src(source: { src: string; type: string }): void;
      error(): unknown;
      on(event: 'error', listener: () => void): void;
    };
    shaka: {
      Player: new () => {
        attach(video: HTMLVideoElement): Promise<void>;
        load(url: string): Promise<void>;
        configure(option: string, value: boolean): boolean;
      };
    };
    /** Seconds that the video has really played. */
    secondsPlayed: number;
  }
}

/** A page that watches an address. */
export interface Watcher {
  readonly name: PlayerName;
  readonly page: Page;
  /** Waits until the page has fetched media of a session. */
  expectMediaOf(sessionId: string): Promise<void>;
  /** Waits until the video has played all that it had at this call, and two seconds more. */
  expectGoingOn(): Promise<void>;
  /** Waits until the video has really played a number of seconds. It may take two minutes more. */
  expectPlayed(seconds: number): Promise<void>;
  /** Waits until the video has fired `ended`. */
  expectEnded(): Promise<void>;
  /** Waits until the player knows that the broadcast is over: its duration is known, and all of it has been played. */
  expectOver(): Promise<void>;
}

/** Serves a stream in real time, and opens players that watch it; with `notYetLive`, before its first segment. */
export async function watchStream(
  browser: Browser,
  names: readonly PlayerName[],
  {
    notYetLive = false,
    profiles = recommendedProfiles,
  }: { readonly notYetLive?: boolean; readonly profiles?: readonly Profile[] } = {},
) {
  const { mock, origin } = await serveMock();
  const world = await mock.world();
  const { id, playbackId } = await world.createStream({
    name: 'watched',
    record: true,
    profiles: [...profiles],
  });
  if (!notYetLive) await world.start(id);
  const watchers = await watch(browser, `${origin}/hls/${playbackId}/index.m3u8`, names);
  const setProfiles = async (next: readonly Profile[]) => {
    const response = await fetch(`${origin}/api/stream/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ profiles: next }),
    });
    expect(response.ok).toBe(true);
  };
  return { world, id, setProfiles, watchers };
}

/** Opens a page that watches an address with each player. Like any app, it loads the address again after a failure. */
export function watch(
  browser: Browser,
  url: string,
  names: readonly PlayerName[],
): Promise<Watcher[]> {
  return Promise.all(names.map((name) => openWatcher(browser, url, name)));
}

async function openWatcher(browser: Browser, url: string, name: PlayerName): Promise<Watcher> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const fetched: string[] = [];
  page.on('response', (response) => {
    if (response.ok() && response.url().endsWith('.m4s')) fetched.push(response.url());
  });
  await page.setContent('<video muted playsinline></video>');
  const script = playerScripts[name];
  if (script !== undefined) await page.addScriptTag({ path: script });
  await page.evaluate(startWatching, { name, url });
  const look = () => page.evaluate(lookAtVideo);
  const poll = { timeout: 60_000, interval: 100 };
  return {
    name,
    page,
    expectMediaOf: (sessionId) =>
      expect
        .poll(() => fetched.some((address) => address.includes(sessionId)), {
          ...poll,
          message: `${name} fetches media of ${sessionId}`,
        })
        .toBe(true),
    async expectGoingOn() {
      const { played, ahead } = await look();
      await expect
        .poll(async () => (await look()).played, { ...poll, message: `${name} goes on` })
        .toBeGreaterThan(played + ahead + 2);
    },
    expectPlayed: (seconds) =>
      expect
        .poll(async () => (await look()).played, {
          timeout: (seconds + 120) * 1000,
          interval: 200,
          message: `${name} plays ${seconds} s`,
        })
        .toBeGreaterThan(seconds),
    expectEnded: () =>
      expect
        .poll(async () => (await look()).ended, { ...poll, message: `${name} ends` })
        .toBe(true),
    expectOver: () =>
      expect
        .poll(async () => (await look()).left, { ...poll, message: `${name} knows the end` })
        .toBeLessThan(0.1),
  };
}

/** Waits until each of the players has played all that it has now, and two seconds more. */
export async function expectGoingOn(watchers: readonly Watcher[]): Promise<void> {
  await Promise.all(watchers.map((watcher) => watcher.expectGoingOn()));
}

/** Runs in the page: the state of its video. */
function lookAtVideo() {
  const video = document.querySelector('video') as HTMLVideoElement;
  const { buffered, currentTime, duration, ended } = video;
  const ranges = Array.from({ length: buffered.length }, (_, index) => index);
  const current = ranges.find((index) => {
    return buffered.start(index) <= currentTime && currentTime <= buffered.end(index);
  });
  const ahead = current === undefined ? 0 : buffered.end(current) - currentTime;
  return { played: window.secondsPlayed, ahead, left: duration - currentTime, ended };
}

/** Runs in the page. */
function startWatching({ name, url }: { name: PlayerName; url: string }): void {
  const video = document.querySelector('video') as HTMLVideoElement;
  window.secondsPlayed = 0;
  let lastTime = 0;
  video.addEventListener('timeupdate', () => {
    const step = video.currentTime - lastTime;
    // A greater step is a seek.
    if (step > 0 && step < 2 * video.playbackRate) window.secondsPlayed += step;
    lastTime = video.currentTime;
  });
  const play = () => void video.play().catch(() => {});
  const again = (load: () => void) => setTimeout(load, 500);
  const startShaka = (ignoresDates: boolean) => {
    const player = new window.shaka.Player();
    player.configure('manifest.hls.ignoreManifestProgramDateTime', ignoresDates);
    const load = () =>
      player
        .load(url)
        .then(play)
        .catch(() => again(load));
    void player.attach(video).then(load);
  };
  const players: Record<PlayerName, () => void> = {
    'hls.js'() {
      const player = new window.Hls();
      player.attachMedia(video);
      player.on(window.Hls.Events.MANIFEST_PARSED, play);
      player.on(window.Hls.Events.ERROR, (_, { fatal }) => {
        if (fatal) again(() => player.loadSource(url));
      });
      player.loadSource(url);
    },
    'video.js'() {
      const player = window.videojs(video, { autoplay: true, muted: true });
      const load = () => player.src({ src: url, type: 'application/x-mpegURL' });
      player.on('error', () => again(load));
      load();
    },
    shaka: () => startShaka(false),
    'shaka without dates': () => startShaka(true),
    chromium() {
      const load = () => {
        video.src = url;
        play();
      };
      video.addEventListener('error', () => again(load));
      load();
    },
  };
  players[name]();
}
