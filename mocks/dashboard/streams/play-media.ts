import type { Media } from './playing.ts';

const hlsType = 'application/vnd.apple.mpegurl';

/**
 * Plays media in a video element: HLS if there is a playlist, and MP4 where that fails. hls.js is loaded
 * only where the browser does not play HLS by itself. The function returned ends it.
 */
export function playMedia(
  video: HTMLVideoElement,
  { hls, mp4 }: Media,
  fail: (why: string) => void,
): () => void {
  let detach = (): void => {};
  let isOver = false;
  const playNative = (source: string): void => {
    video.src = source;
    // A refusal to play shows as an error of the video, and without leave its controls are there.
    video.play().catch(() => {});
  };
  const fallBack = (why: string): void => {
    // What is played by then may be something else.
    if (isOver) return;
    detach();
    detach = () => {};
    if (mp4 === undefined || video.src === mp4) fail(why);
    else playNative(mp4);
  };
  const onError = (): void => {
    if (video.hasAttribute('src')) fallBack(video.error?.message || 'the browser does not say why');
  };
  video.addEventListener('error', onError);
  if (hls === undefined) fallBack('there is no source');
  else if (video.canPlayType(hlsType) !== '') playNative(hls);
  else {
    attachHls(video, hls, fallBack)
      .then((end) => {
        if (isOver) end();
        else detach = end;
      })
      .catch((error: Error) => fallBack(error.message));
  }
  return () => {
    isOver = true;
    video.removeEventListener('error', onError);
    detach();
    video.removeAttribute('src');
    video.load();
  };
}

async function attachHls(
  video: HTMLVideoElement,
  source: string,
  fail: (why: string) => void,
): Promise<() => void> {
  const { default: Hls } = await import('hls.js');
  if (!Hls.isSupported()) {
    fail('this browser has neither HLS nor media source extensions');
    return () => {};
  }
  // A worker would be a script from an address that the policy of the page does not allow.
  const player = new Hls({ enableWorker: false });
  player.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal) fail(details);
  });
  player.on(Hls.Events.MANIFEST_PARSED, () => {
    video.play().catch(() => {});
  });
  player.loadSource(source);
  player.attachMedia(video);
  return () => player.destroy();
}
