import type { Page } from 'playwright-core';

/** Creates a stream, goes live, and watches the recording, as a user would, with any integration. */
export async function recordAndWatch(page: Page): Promise<void> {
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
  const expectStatus = (text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();

  await page.getByLabel('Name').fill('Harbour camera');
  await press('Create stream');
  await expectStatus('Harbour camera was created.');
  const record = page.getByRole('switch', { name: 'Record' });
  // A service may record every stream unless it is told otherwise.
  if (!(await record.isChecked())) {
    await record.check();
    await expectStatus('Recording is on.');
  }
  await press('Go live');
  await expectStatus('The stream is live.');
  await press('Advance 10 min');
  await expectStatus('Ten minutes have passed.');
  await press('Stop');
  await expectStatus('The stream has ended.');
  await watchNewest(page);
}

/** Waits for the newest session's recording, and watches its beginning as HLS and as MP4. */
export async function watchNewest(page: Page): Promise<void> {
  const newest = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem').first();
  await newest.getByText('ready', { exact: true }).waitFor();
  // The interface does not say how exact the duration of a session is.
  await newest.getByText(/^(9:5|10:\d)\d$/).waitFor();
  for (const name of [/^Play (?!MP4)/, /^Play MP4/]) {
    await newest.getByRole('button', { name }).click();
    await page.waitForFunction(hasPlayed, 0.5);
  }
}

/** Runs in the page: whether the video has ten minutes, and has played more than `seconds` of them. */
function hasPlayed(seconds: number): boolean {
  const video = document.querySelector('video');
  return video !== null && video.duration >= 600 && video.currentTime > seconds;
}
