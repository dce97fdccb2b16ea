import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { createBroadcasts } from '../adapters/ingest/broadcasts.ts';
import {
  copied,
  expectPlaying,
  expectSaid,
  expectShown,
  openView,
  press,
  reply,
  rowsOf,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a stream is created, recorded, goes live, ends, and its recording plays', async () => {
  const { page, world } = await openDashboard();
  await expectShown(page.getByText('No streams yet.'));
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour camera');
  await press(page, 'Create stream');
  await expectSaid(page, 'Created Harbour camera.');
  await expectShown(page.getByRole('heading', { name: 'Harbour camera' }));
  expect(world.streams()).toMatchObject([
    { name: 'Harbour camera', record: false, profiles: recommendedProfiles },
  ]);
  await page.getByRole('switch', { name: 'Recording' }).click();
  await expectSaid(page, 'Future sessions will be recorded.');
  expect(world.streams()).toMatchObject([{ record: true }]);

  await press(page, 'Start');
  await expectSaid(page, 'An encoder connected: the stream is live.');
  await expectShown(page.getByRole('button', { name: 'Harbour camera live rec' }));
  await expectShown(page.getByRole('switch', { name: 'Recording', disabled: true }));
  const sessions = rowsOf(page, 'Sessions');
  await expectShown(sessions.getByText('live', { exact: true }));
  await press(page, '+1 min');
  await expectSaid(page, 'Advanced the clock by 1m.');
  await press(page, 'Stop');
  await expectShown(page.getByRole('switch', { name: 'Recording', disabled: false }));
  await expectShown(sessions.getByText('waiting'));
  await press(page, '+1 s');
  await expectShown(sessions.getByText('ready'));
  await expectShown(sessions.getByText('1 min', { exact: true }));
  expect(await sessions.count()).toBe(1);

  for (const name of [/^Play recording of/, /^MP4 of/]) {
    await press(page, name);
    await expectPlaying(page);
  }
  await press(page, 'Close player');
  expect(await page.locator('video').isVisible()).toBe(false);
});

test('the page opens with a live stream, and finds streams by name or only live ones', async () => {
  const { page, server, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'On air' });
  await world.start(id);
  await world.createStream({ name: 'Needle in the hay' });
  // Without the stream in the URL, the page chooses again.
  await page.goto(`${server.origin}/`);
  await expectShown(page.getByRole('heading', { name: 'On air' }));
  const rows = rowsOf(page, 'Streams');
  await page.getByLabel('Find by name').fill('needle');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Needle in the hay']);
  await page.getByLabel('Find by name').fill('none of these');
  await expectShown(page.getByText('No streams match.'));
  await page.getByLabel('Find by name').fill('');
  await page.getByLabel('Live only').check();
  await expect.poll(() => rows.allInnerTexts()).toEqual(['On air\nlive']);
});

test('the list shows the live stream with which the page opens, however far down it is', async () => {
  const { page } = await openDashboard({ world: 'crowded', streams: 200 });
  const chosen = rowsOf(page, 'Streams').locator('[aria-current]');
  await expectShown(chosen.getByText('live'));
  const isInList = () =>
    chosen.evaluate((button) => {
      const row = button.getBoundingClientRect();
      const list = button.closest('ul')?.getBoundingClientRect();
      return list !== undefined && list.top <= row.top && row.bottom <= list.bottom;
    });
  await expect.poll(isInList).toBe(true);
});

test('with more than a thousand streams, the newest are listed and all are found by name', async () => {
  const { page, world } = await openDashboard({ world: 'crowded', streams: 1000 });
  const oldest = world.streams().at(-1)?.name ?? '';
  await world.createStream({ name: 'The newest' });
  const rows = rowsOf(page, 'Streams');
  await expectShown(rows.getByText('The newest'));
  expect(await rows.count()).toBe(1000);
  await expectShown(page.getByText('Search by name to find older streams.'));
  await page.getByLabel('Find by name').fill(oldest);
  await expectShown(rows.last().getByText(oldest, { exact: true }));
});

test('a finished recording is added if recording is on', async () => {
  const { page, world } = await openDashboard({ recordingDelay: 0 });
  await world.createStream({ name: 'Unrecorded' });
  const form = page.getByRole('group', { name: 'Add a finished recording' });
  await expectShown(form.getByText('Turn recording on first.'));
  await expectShown(form.getByRole('button', { name: 'Add', exact: true, disabled: true }));
  await page.getByRole('switch', { name: 'Recording' }).click();
  await expectShown(form.getByText(/^Adds a session that ends now/));
  await form.getByLabel('or seconds').fill('90.5');
  await press(page, 'Add');
  await expectSaid(page, 'Added a recording of 1 min 30 s.');
  expect(world.sessions()).toMatchObject([{ record: true, recordingStatus: 'ready' }]);
});

test('a finished recording of a usual length is one click', async () => {
  const { page, world } = await openDashboard({ recordingDelay: 0 });
  await world.createStream({ name: 'Recorded', record: true });
  world.clock.advance('1d');
  await press(page, 'Add a recording of 2 h');
  await expectSaid(page, 'Added a recording of 2 h.');
  expect(world.sessions()).toMatchObject([{ sourceSegmentsDuration: 7200 }]);
});

test('a recording that a fault made fail links to that fault', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Recorded', record: true });
  const fault = world.addFault({ effect: 'recording-failed', times: 1 });
  await world.start(id, { duration: 30 });
  const sessions = rowsOf(page, 'Sessions');
  await expectShown(sessions.getByText('failed', { exact: true }));
  await sessions.getByRole('link', { name: /recording-failed on any recording, times 1/ }).click();
  const row = rowsOf(page, 'Faults').and(page.locator('[aria-current]'));
  await expectShown(row.getByText('used up'));
  world.removeFaults(fault.id);
  await page.goBack();
  await expectShown(sessions.getByText('by a fault that was removed'));
});

test('a long name ends in an ellipsis in the list, and is whole in its title', async () => {
  const { page, world } = await openDashboard();
  const name = 'A name that is far too long for one row. '.repeat(8).trim();
  await world.createStream({ name });
  const shown = page.locator('#streams').getByTitle(name);
  await expectShown(shown);
  const { isCut, height } = await shown.evaluate((element) => ({
    isCut: element.scrollWidth > element.clientWidth,
    height: element.clientHeight,
  }));
  expect(isCut).toBe(true);
  expect(height).toBeLessThan(30);
});

/** The colours and the border of an element. */
function lookOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => {
    const { color, backgroundColor, borderTopWidth } = getComputedStyle(element);
    return [color, backgroundColor, borderTopWidth].join(' ');
  });
}

test('badges of different kinds look different', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Mixed' });
  await world.start(id, { duration: 30 });
  await page.getByRole('switch', { name: 'Recording' }).click();
  const sessions = rowsOf(page, 'Sessions');
  const looks = [
    await lookOf(rowsOf(page, 'Streams').getByText('rec', { exact: true })),
    await lookOf(sessions.getByText('not recorded', { exact: true })),
  ];
  world.addFault({ effect: 'recording-failed', times: 1 });
  await press(page, 'Add a recording of 30 s');
  looks.push(await lookOf(sessions.getByText('failed', { exact: true })));
  await openView(page, 'Faults');
  looks.push(await lookOf(rowsOf(page, 'Faults').getByText('used up', { exact: true })));
  expect(new Set(looks).size).toBe(4);
});

test('a stream is deleted after a confirmation', async () => {
  const { page, world } = await openDashboard({ world: 'demo' });
  for (const [answer, left] of [
    ['dismiss', 6],
    ['accept', 5],
  ] as const) {
    reply(page, answer);
    await press(page, 'Delete');
    await expect.poll(() => world.streams().length).toBe(left);
  }
  await expectSaid(page, 'Deleted ');
});

test('a stream shows what comes in, and has lines to copy for sending to it', async () => {
  const { page, mock, server, world } = await openDashboard();
  const { id, streamKey, playbackId } = await world.createStream({ name: 'Harbour camera' });
  expect(await copied(page, 'id')).toBe(id);
  expect(await copied(page, 'stream key')).toBe(streamKey);
  expect(await copied(page, 'playback id')).toBe(playbackId);
  expect(await page.getByRole('button', { name: /OBS|ffmpeg|browser/ }).count()).toBe(0);
  const ingest = { rtmp: 'rtmp://127.0.0.1:1935/live', whip: `${server.origin}/webrtc` };
  mock.servedAt(server.origin, ingest);
  await page.reload();
  expect(await copied(page, 'OBS server')).toBe(ingest.rtmp);
  expect(await copied(page, 'ffmpeg')).toMatch(
    / -f flv 'rtmp:\/\/127\.0\.0\.1:1935\/live\/[\w-]+'$/,
  );
  expect(await copied(page, 'browser')).toBe(`${ingest.whip}/${streamKey}`);
  const broadcast = await createBroadcasts(mock).goLive('rtmp', streamKey, () => {});
  const facts = { videoCodec: 'H.264', audioCodec: 'AAC' };
  broadcast.receive(1_000_000, 30, facts);
  const incoming = page.locator('#incoming');
  await expectShown(incoming.getByText(/^RTMP H.264, AAC/));
  broadcast.receive(1_000_000, 30, {});
  await expectShown(incoming.getByText(/\d fps, AAC, \d+\.\d Mbit\/s/));
  await broadcast.end();
  await incoming.waitFor({ state: 'detached' });
});

test('a suspended stream is shown in full', async () => {
  // The page may ask for the playback of a stream that is just being suspended.
  const { page, world, send } = await openDashboard({ refuses: true });
  const { id } = await world.createStream({ name: 'On hold' });
  expect(await send(`PATCH /stream/${id}`, { suspended: true })).toBe(204);
  await page.reload();
  await expectShown(page.getByRole('heading', { name: 'On hold' }));
});
