import type { Page } from 'playwright-core';

/** What a person does from a new stream to watching its recording, whichever door the mock is at. */
export async function recordAndWatch(page: Page): Promise<void> {
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
  const hear = (text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();

  await page.getByLabel('Name').fill('Harbour camera');
  await press('Create stream');
  await hear('Harbour camera is created.');
  await page.getByRole('switch', { name: 'Record' }).check();
  await hear('Recording is on.');
  await press('Go live');
  await hear('The stream is live.');
  await press('Advance 10 min');
  await hear('Ten minutes have passed.');
  await press('Stop');
  await hear('The stream has ended.');
  await watchNewest(page);
}

/** Waits for the newest session's recording, and watches its beginning as HLS and as MP4. */
export async function watchNewest(page: Page): Promise<void> {
  const newest = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem').first();
  await newest.getByText('ready', { exact: true }).waitFor();
  await newest.getByText(/^10:\d\d$/).waitFor();
  for (const name of [/^Play (?!MP4)/, /^Play MP4/]) {
    await newest.getByRole('button', { name }).click();
    await page.waitForFunction(hasPlayed, 0.5);
  }
}

/** Runs in the page: whether ten minutes are there, and so many seconds of them have been played. */
function hasPlayed(seconds: number): boolean {
  const video = document.querySelector('video');
  return video !== null && video.duration >= 600 && video.currentTime > seconds;
}
