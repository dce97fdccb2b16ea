import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { serveMock } from '../../target/servers.test-support.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { expectSeek, look, startPlaying } from './video.test-support.ts';

const browser = useBrowser();

const tenHours = 36_000;

test.each(['source.mp4', 'index.m3u8'])('a %s of ten hours plays, and seeks far', async (file) => {
  const { mock, origin } = await serveMock();
  const world = await mock.world();
  const profiles = [...recommendedProfiles];
  const { id } = await world.createStream({ name: 'recorded', record: true, profiles });
  const session = await world.start(id, { duration: tenHours });
  const page = await browser().newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.setContent('<video muted></video>');
  const url = `${origin}/recordings/${session.id}/${file}`;
  await page.locator('video').evaluate(startPlaying, url);
  const { duration, size } = await look(page);
  expect(duration).toBeCloseTo(tenHours, 2);
  expect(['1280x720', '854x480', '640x360']).toContain(size);
  await expectSeek(page, 30_000);
  await page.close();
  expect(complaints).toEqual([]);
});
