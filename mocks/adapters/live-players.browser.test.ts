import { test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { expectGoingOn, watchStream } from './live-players.test-support.ts';

const browser = useBrowser();

test('hls.js goes on when an encoder was killed and has come back', async () => {
  const { world, id, watchers } = await watchStream(browser(), ['hls.js']);
  await expectGoingOn(watchers);
  await world.stop(id);
  const { id: secondId } = await world.start(id);
  for (const watcher of watchers) await watcher.expectMediaOf(secondId);
  await expectGoingOn(watchers);
});
