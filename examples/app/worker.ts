import { browserStore, createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

/** Lets a mock handle this page's requests. Its world survives a reload. */
export async function startMock(baseUrl: string): Promise<void> {
  const mock = createMock({ world: 'demo', now: Date.now, store: browserStore() });
  const worker = setupWorker(...handlers(mock, { baseUrl }));
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true });
}
