import { expect, test } from 'vitest';
import type { Exchange } from '../journal/exchange.ts';
import {
  expectSaid,
  expectShown,
  openView,
  type Setup,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Shows a journal with one exchange, that of a request with a key to `url`, and unfolds it. */
async function showImported({ page, world }: Setup, url: string): Promise<void> {
  const exchange: Exchange = {
    number: 1,
    startedAt: 0,
    at: 0,
    request: { method: 'GET', url, headers: { authorization: 'Bearer [API key]' } },
    answer: { status: 200, headers: {} },
  };
  await world.importState({ ...world.exportState(), journal: [exchange] });
  await openView(page, 'Requests');
  await page.getByRole('region', { name: 'Requests' }).getByText(/^GET /).click();
  await expectShown(page.getByRole('group', { name: 'Request: headers' }));
}

test.each<[string, (origin: string) => string]>([
  ['another host', () => 'http://elsewhere.test/api'],
  ['another port of this host', () => 'http://127.0.0.1:1/api'],
  ['a host behind what looks like this one', (origin) => `${origin}@elsewhere.test/api`],
])('a line for %s has no key', async (_, addressOf) => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const setup = await openDashboard({ context });
  const url = addressOf(setup.server.origin);
  await showImported(setup, url);
  await setup.page.getByRole('button', { name: 'Copy as curl without the key' }).click();
  await expectSaid(setup.page, 'Copied as curl without the key.');
  const line = await setup.page.evaluate(() => navigator.clipboard.readText());
  expect(line).toBe(
    `curl -i --globoff -H 'authorization: Bearer [API key]' --url '${new URL(url).href}'`,
  );
});

test('a line for this host is of the address that it was judged by', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const setup = await openDashboard({ context });
  const { origin } = setup.server;
  // To curl as it stands, this is an address of elsewhere.test; to a browser it is not.
  await showImported(setup, `${origin}\\@elsewhere.test/api`);
  await setup.page.getByRole('button', { name: 'Copy as curl', exact: true }).click();
  await expectSaid(setup.page, 'Copied as curl.');
  expect(await setup.page.evaluate(() => navigator.clipboard.readText())).toBe(
    `curl -i --globoff -H 'authorization: Bearer test-demo' --url '${origin}/@elsewhere.test/api'`,
  );
});

test('what had a key for a host is shown, and cannot be copied as a line', async () => {
  const setup = await openDashboard();
  await showImported(setup, 'http://[API key]/api');
  expect(await setup.page.getByRole('button', { name: /^Copy as curl/ }).count()).toBe(0);
});
