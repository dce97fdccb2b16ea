import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { serve } from '../mocks/adapters/node/node.ts';
import { createMock, type Mock } from '../mocks/mock.ts';
import { findProgram } from './programs.ts';

/** A picture of the dashboard for the docs. */
interface Picture {
  /** Its file in docs/pictures. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** Which view it shows. */
  readonly view: string;
  /** Brings the page to what it shows. */
  readonly prepare: (page: Page) => Promise<unknown>;
}

const desktop = { width: 1280, height: 860 } as const;

/** All pictures of the docs. The requests come before a player adds its own. */
export const pictures: readonly Picture[] = [
  {
    ...desktop,
    name: 'dashboard-requests.png',
    colorScheme: 'light',
    view: 'requests',
    prepare: (page) => page.getByText('GET /api/session').click(),
  },
  {
    ...desktop,
    name: 'dashboard-streams.png',
    colorScheme: 'light',
    view: 'streams',
    async prepare(page) {
      await page
        .getByRole('button', { name: /^Play recording of/ })
        .first()
        .click();
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 2);
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
  {
    ...desktop,
    name: 'dashboard-faults.png',
    colorScheme: 'dark',
    view: 'faults',
    prepare: (page) => page.getByRole('button', { name: 'Remove all faults' }).waitFor(),
  },
  {
    name: 'dashboard-phone.png',
    width: 390,
    height: 844,
    colorScheme: 'dark',
    view: 'streams',
    prepare: (page) => page.getByRole('article').waitFor(),
  },
];

/** Makes the pictures in a folder, from a mock of its own. */
export async function makePictures(folder: string, executablePath: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const mock = createMock({ world: 'demo', now: Date.now, recordingDelay: 0 });
  const server = await serve(mock);
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
  try {
    await tellStory(mock, server.baseUrl);
    for (const { name, width, height, colorScheme, view, prepare } of pictures) {
      const viewport = { width, height };
      const page = await browser.newPage({ viewport, colorScheme, locale: 'en-GB' });
      await page.goto(`${server.origin}/#${view}`);
      await prepare(page);
      await page.screenshot({ path: join(folder, name) });
      await page.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** What an app and a tester did before the pictures were taken. */
async function tellStory(mock: Mock, baseUrl: string): Promise<void> {
  const world = await mock.world();
  const headers = {
    authorization: `Bearer ${mock.apiKey}`,
    'content-type': 'application/json',
  };
  const send = (method: string, path: string, body?: object) =>
    fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  await send('POST', '/stream', { name: 'Harbour camera' });
  const [{ id } = { id: '' }] = world.streams();
  await world.start(id);
  world.clock.advance('4m');
  await world.stop(id);
  world.clock.advance('1h');
  await send('PATCH', `/stream/${id}/record`, { record: true });
  await world.start(id);
  world.clock.advance('12m');
  await world.stop(id);
  world.clock.advance('30m');
  await world.start(id);
  world.clock.advance('90s');
  world.addFault({ effect: 'status', status: 503, operation: 'listSessions', times: 2 });
  world.addFault({
    effect: 'delay',
    delay: { from: '1s', to: '3s' },
    operation: 'recordingSegment',
  });
  world.addFault({ effect: 'recording-failed', probability: 0.5 });
  await send('GET', '/stream?limit=20');
  await send('GET', `/stream/${id}`);
  await send('GET', '/session');
  await send('GET', `/stream/${id}/sessions?record=1`);
  await send('GET', '/stream/unknown');
}

if (process.argv[1] === import.meta.filename) {
  await makePictures(resolve(import.meta.dirname, '../docs/pictures'), findProgram('browser'));
}
