import { browserStore, createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

/** Has a mock answer the requests of this page. Its world outlives a reload. */
export async function startMock(baseUrl: string): Promise<void> {
  const mock = createMock({ world: 'demo', now: Date.now, store: browserStore() });
  const worker = setupWorker(...handlers(mock, { baseUrl }));
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true });
}
