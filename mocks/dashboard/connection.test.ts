import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../adapters/node/node.ts';
import { expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a server that comes back is found again, and what was missed is shown', async () => {
  const { page, mock, server, world } = await openDashboard({ refuses: true });
  await expectShown(page.getByText('connected', { exact: true }));
  await server.close();
  await expectShown(page.getByText('reconnecting'));
  const stopped = page.getByText('The server does not respond.');
  const create = page.getByRole('button', { name: 'Create stream' });
  await expectShown(stopped);
  expect(await create.isDisabled()).toBe(true);
  await world.createStream({ name: 'Missed' });
  const again = await serve(mock, { port: Number(new URL(server.origin).port) });
  onTestFinished(() => again.close());
  await expectShown(page.getByText('connected', { exact: true }));
  await expectShown(page.getByRole('button', { name: 'Missed', disabled: false }));
  expect(await stopped.count()).toBe(0);
});

test('a world that another process has for a while is shown when it is free', async () => {
  const { page, world } = await openDashboard({ refuses: true });
  await world.createStream({ name: 'Elsewhere for a while' });
  const refusal = { status: 503, json: { errors: ['world: expected one that is free'] } };
  await page.route('**/_mock/events', (route) => route.fulfill(refusal), { times: 1 });
  await page.reload();
  await expectShown(page.getByText('reconnecting'));
  await expectShown(page.getByText('connected', { exact: true }));
  await expectShown(page.getByRole('button', { name: 'Elsewhere for a while' }));
});
