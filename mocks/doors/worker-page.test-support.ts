import { setupWorker } from 'msw/browser';
import { createMock } from '../mock.ts';
import { handlers } from './msw.ts';
import { mockOptions, type Setting } from './setting.test-support.ts';

/** Runs in a page: a service worker answers its requests by a mock at its origin. */
export async function startWorker(setting: Setting): Promise<void> {
  const baseUrl = `${location.origin}/api`;
  const worker = setupWorker(...handlers(createMock(mockOptions(setting)), { baseUrl }));
  await worker.start({ quiet: true, onUnhandledRequest: 'error' });
}
