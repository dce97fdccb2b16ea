import './promise-with-resolvers.test-support.ts';
import { onTestFinished, vi } from 'vitest';
import { createMock } from '../mock.ts';
import { mockOptions, type OpenIntegration, type Setting } from './integration.test-support.ts';

/** MSW in this process: the mock answers what its `fetch` sends. */
export async function openMsw(setting: Setting): Promise<OpenIntegration> {
  const { setupServer } = await import('msw/node');
  const { handlers } = await import('./msw/msw.ts');
  const origin = 'http://livestream.test';
  const baseUrl = `${origin}/api`;
  const server = setupServer(...handlers(createMock(mockOptions(setting)), { baseUrl }));
  server.listen();
  onTestFinished(() => server.close());
  return { origin, send: (request) => fetch(request) };
}

/** The same with MSW 3 in the place of MSW 2. */
export function openMswNext(setting: Setting): Promise<OpenIntegration> {
  vi.doMock('msw', () => import('msw-next'));
  vi.doMock('msw/node', () => import('msw-next/node'));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('msw');
    vi.doUnmock('msw/node');
    vi.resetModules();
  });
  return openMsw(setting);
}
