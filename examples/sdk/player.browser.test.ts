import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectProgress, look } from '../../mocks/adapters/video.test-support.ts';
import type { World } from '../../mocks/service/testers/world-handle.ts';
import { serveMock } from '../../target/servers.test-support.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { serveApp, type WebApp } from '../../tools/web-app.test-support.ts';

const browser = useBrowser();
let app: WebApp;
beforeAll(async () => {
  app = await serveApp(`
    import { play } from './examples/sdk/player.tsx';
    const [serverURL, id] = location.hash.slice(1).split(',');
    await play(serverURL, id);
  `);
  return () => app.close();
}, 60_000);

/** Opens the page, which plays what a world has under an id; `open` returns that id. */
async function play(open: (world: World) => Promise<string>) {
  const { mock, origin } = await serveMock();
  const id = await open(await mock.world());
  const page = await browser().newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  onTestFinished(() => page.close());
  await page.goto(`${app.origin}/#${origin}/api,${id}`);
  const paths = () =>
    requests.filter((url) => url.startsWith(origin)).map((url) => new URL(url).pathname);
  return { page, paths };
}

test("the player of the field's React components plays a live stream", async () => {
  const { page, paths } = await play(async (world) => {
    const { id, playbackId } = await world.createStream({ name: 'live' });
    await world.start(id);
    world.clock.advance('29s');
    return playbackId;
  });
  await expect.poll(async () => (await look(page)).size).toBe('1280x720');
  await expectProgress(page);
  expect(paths()).toContainEqual(expect.stringMatching(/^\/hls\/\w+\/index\.m3u8$/));
});

test("the player of the field's React components plays a recording", async () => {
  const { page, paths } = await play(async (world) => {
    const { id } = await world.createStream({ name: 'recorded', record: true });
    return (await world.start(id, { duration: 60 })).id;
  });
  await expect.poll(async () => (await look(page)).duration).toBeCloseTo(60, 1);
  await expectProgress(page);
  expect(paths()).toContainEqual(expect.stringMatching(/^\/recordings\/[\w-]+\/source\.mp4$/));
});
