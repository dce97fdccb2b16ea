import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { expectSaid, expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

const sessionsOf = (page: Page) =>
  page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');

/** How far the video has played, in seconds. */
const playedOf = (page: Page) => () =>
  page.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime);

test('a stream is created, recorded, goes live, ends, and its recording plays', async () => {
  const { page, world } = await openDashboard();
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour camera');
  await page.getByRole('button', { name: 'Create stream' }).click();
  await expectSaid(page, 'Created Harbour camera.');
  await expectShown(page.getByRole('heading', { name: 'Harbour camera' }));
  expect(world.streams()).toMatchObject([
    { name: 'Harbour camera', record: false, profiles: recommendedProfiles },
  ]);

  await page.getByRole('switch', { name: 'Recording' }).click();
  await expectSaid(page, 'Future sessions are recorded.');
  expect(world.streams()).toMatchObject([{ record: true }]);

  await page.getByRole('button', { name: 'Start' }).click();
  await expectSaid(page, 'An encoder has connected: live.');
  await expectShown(page.getByRole('button', { name: 'Harbour camera live rec' }));
  await expectShown(sessionsOf(page).getByText('live', { exact: true }));
  expect(await sessionsOf(page).count()).toBe(1);

  await page.getByRole('button', { name: '+1 min' }).click();
  await expectSaid(page, 'The clock moved on by 1m.');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expectShown(sessionsOf(page).getByText('waiting'));
  await page.getByRole('button', { name: '+1 s' }).click();
  await expectShown(sessionsOf(page).getByText('ready'));
  await expectShown(sessionsOf(page).getByText('1 min', { exact: true }));

  for (const name of [/^Play recording of/, /^MP4 of/]) {
    await page.getByRole('button', { name }).click();
    await expect.poll(playedOf(page), { timeout: 10_000 }).toBeGreaterThan(0.5);
  }
  await page.getByRole('button', { name: 'Close player' }).click();
  expect(await page.locator('video').isVisible()).toBe(false);
});

test('a live stream is watched as soon as the browser can play it', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Live now' });
  await world.start(id);
  await page.getByRole('button', { name: 'Watch live' }).click();
  await expectSaid(page, 'A browser needs 3 segments');
  world.clock.advance('29s');
  await expect.poll(playedOf(page), { timeout: 10_000 }).toBeGreaterThan(0.5);
});

test('what is done elsewhere appears without a reload', async () => {
  // The page may just be asking for the stream that is deleted.
  const { page, world, send } = await openDashboard({ refuses: true });
  await expectShown(page.getByText('There is no stream yet.'));
  expect(await send('POST /stream', { name: 'From an app' })).toBe(201);
  await expectShown(page.getByRole('button', { name: 'From an app' }));
  const [stream] = world.streams();
  await world.start(stream?.id ?? '');
  await expectShown(page.getByRole('button', { name: 'From an app live' }));
  await world.deleteStream(stream?.id ?? '');
  await expectShown(page.getByText('There is no stream yet.'));
});

test('a link to another view is followed, though a stream is shown at the same moment', async () => {
  const { page, world } = await openDashboard();
  await world.createStream({ name: 'Shown' });
  const stream = page.getByRole('button', { name: 'Shown' });
  await expectShown(stream);
  // In one turn: the browser tells of the link only after that.
  await stream.evaluate((button) => {
    document.querySelector<HTMLAnchorElement>('nav a[href="#requests"]')?.click();
    (button as HTMLButtonElement).click();
  });
  await expectShown(page.getByRole('heading', { name: 'Requests' }));
});

test('the clock moves on by what is filled in', async () => {
  const { page, world } = await openDashboard();
  const before = world.clock.now();
  await page.getByLabel('Advance by', { exact: true }).fill('2h');
  await page.getByRole('button', { name: 'Advance', exact: true }).click();
  await expectSaid(page, 'The clock moved on by 2h.');
  expect(world.clock.now() - before).toBe(2 * 3_600_000);
});

test('the clock on the page runs where that of the world does, and stands where it stands', async () => {
  const shown = (page: Page) => () => page.locator('#now').getAttribute('datetime');
  const standing = await openDashboard();
  const running = await openDashboard({ now: Date.now });
  // The server tells the time when the page connects, and once more when the page asks for it.
  await expectShown(running.page.locator('#now[datetime]'));
  await expectShown(standing.page.locator('#now[datetime="2026-01-01T00:00:00.000Z"]'));
  const before = await shown(running.page)();
  await expect.poll(shown(running.page), { timeout: 10_000 }).not.toBe(before);
  const later = await shown(running.page)();
  await expect.poll(shown(running.page), { timeout: 10_000 }).not.toBe(later);
  expect(await shown(standing.page)()).toBe('2026-01-01T00:00:00.000Z');
});

test('recording cannot be switched while a stream is live, and the page says why', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Live' });
  await world.start(id);
  await expectShown(page.getByText('Stop the stream to switch its recording'));
  const recording = (disabled: boolean) =>
    page.getByRole('switch', { name: 'Recording', disabled });
  await expectShown(recording(true));
  await page.getByRole('button', { name: 'Stop' }).click();
  await expectShown(recording(false));
});

test('a stream that ends while it is watched offers its recording', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Watched', record: true });
  await world.start(id);
  await page.getByRole('button', { name: 'Watch live' }).click();
  await expectShown(page.getByRole('heading', { name: 'Watched, live' }));
  world.clock.advance('30s');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expectShown(page.getByRole('heading', { name: 'Watched, ended' }));
  await expectSaid(page, 'Its recording is not ready yet.');
  world.clock.advance('1s');
  await page.getByRole('button', { name: 'Play its recording' }).click();
  await expectShown(page.getByRole('heading', { name: 'Recording of Watched' }));
  await expect.poll(playedOf(page), { timeout: 10_000 }).toBeGreaterThan(0.5);
});

test('a value out of its range is told of beside its field', async () => {
  const { page, world } = await openDashboard();
  await world.createStream({ name: 'Unrecorded' });
  await page.getByLabel('Seconds').fill('0');
  await page.getByLabel('Seconds').press('Enter');
  await expectShown(page.locator('#once-duration-error'));
  expect(await page.getByLabel('Seconds').getAttribute('aria-invalid')).toBe('true');
  expect(world.sessions()).toEqual([]);
});

test('a refusal is a sentence beside the field that it is about', async () => {
  const { page } = await openDashboard({ refuses: true });
  await page.getByLabel('Advance by', { exact: true }).fill('soon');
  await page.getByRole('button', { name: 'Advance', exact: true }).click();
  await expectShown(
    page
      .getByRole('alert')
      .filter({ hasText: /^This must be a number of milliseconds.*"soon"\.$/ }),
  );
});

test('ids, keys and lines for a shell are copied', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, world, server } = await openDashboard({ context });
  const { id, streamKey, playbackId } = await world.createStream({ name: 'Copied' });
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
    await expectSaid(page, `Copied ${name}.`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('id')).toBe(id);
  expect(await copied('stream key')).toBe(streamKey);
  expect(await copied('playback id')).toBe(playbackId);
  await page.getByText('curl lines').click();
  expect(await copied('curl: recording on')).toBe(
    `curl -i --globoff -X 'PATCH' -H 'authorization: Bearer test-demo' -H 'content-type: application/json' --data-raw '{"record":true}' --url '${server.baseUrl}/stream/${id}/record'`,
  );
});
