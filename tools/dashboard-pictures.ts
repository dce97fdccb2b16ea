/** `npm run pictures` makes the pictures of the dashboard for the docs anew, from a mock of its own. */
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { serve } from '../mocks/adapters/node/node.ts';
import { createMock, type Mock } from '../mocks/mock.ts';
import { findPrograms, thisMachine } from './programs.ts';

const desktop = { width: 1280, height: 860 } as const;
const phone = { width: 390, height: 844 } as const;

/** All pictures: the view that each shows, and what brings the page there. The player adds requests, so it is last. */
const pictures = [
  { view: 'requests', viewport: desktop, colorScheme: 'light', prepare: showRequest },
  { view: 'faults', viewport: desktop, colorScheme: 'dark', prepare: showFaults },
  { view: 'phone', viewport: phone, colorScheme: 'dark', prepare: showStreams },
  { view: 'streams', viewport: desktop, colorScheme: 'light', prepare: play },
] as const;

async function showRequest(page: Page): Promise<void> {
  await page.getByText('GET /api/session').click();
}

async function showFaults(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remove all faults' }).waitFor();
}

async function showStreams(page: Page): Promise<void> {
  await page.getByRole('article').waitFor();
}

async function play(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: /^Play recording of/ });
  await buttons.first().click();
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 2);
  await page.evaluate(() => scrollTo(0, 0));
}

/** What an app and a tester did before. */
async function tellStory(mock: Mock, baseUrl: string): Promise<void> {
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'Harbour camera', record: true });
  await world.start(id);
  world.clock.advance('12m');
  await world.stop(id);
  world.clock.advance('30m');
  await world.start(id);
  world.clock.advance('90s');
  world.addFault({ effect: 'status', status: 503, operation: 'listSessions', times: 2 });
  const delay = { from: '1s', to: '3s' };
  world.addFault({ effect: 'delay', delay, operation: 'recordingSegment' });
  world.addFault({ effect: 'recording-failed', probability: 0.5 });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  for (const path of ['stream?limit=20', `stream/${id}`, 'session', `stream/${id}/sessions`]) {
    await fetch(`${baseUrl}/${path}`, { headers });
  }
}

const mock = createMock({ world: 'demo', now: Date.now, recordingDelay: 0 });
const server = await serve(mock);
const { browser: executablePath = '' } = findPrograms(thisMachine());
const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'];
const browser = await chromium.launch({ executablePath, args });
try {
  await tellStory(mock, server.baseUrl);
  for (const { view, viewport, colorScheme, prepare } of pictures) {
    const page = await browser.newPage({ viewport, colorScheme, locale: 'en-GB' });
    await page.goto(`${server.origin}/#${view}`);
    await prepare(page);
    const folder = resolve(import.meta.dirname, '../docs/pictures');
    await page.screenshot({ path: join(folder, `dashboard-${view}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
