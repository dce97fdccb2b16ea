import { onTestFinished, test } from 'vitest';
import { serve } from '../adapters/node/node.ts';
import { expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a server that comes back is found again, and what was missed is shown', async () => {
  const { page, mock, server, world } = await openDashboard({ refuses: true });
  await expectShown(page.getByText('connected', { exact: true }));
  await server.close();
  await expectShown(page.getByText('reconnecting'));
  await world.createStream({ name: 'Missed' });
  const again = await serve(mock, { port: Number(new URL(server.origin).port) });
  onTestFinished(() => again.close());
  await expectShown(page.getByText('connected', { exact: true }));
  await expectShown(page.getByRole('button', { name: 'Missed' }));
});
