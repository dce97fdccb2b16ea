import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveMock } from '../../../target/servers.test-support.ts';

test('a dev server passes requests on to the mock, and media has the address of the mock', async () => {
  const mock = await serveMock({ world: 'demo' });
  vi.stubEnv('LIVESTREAM_ORIGIN', mock.origin);
  onTestFinished(() => void vi.unstubAllEnvs());
  const app = await createServer({
    root: fileURLToPath(new URL('.', import.meta.url)),
    server: { port: 0, host: '127.0.0.1' },
    optimizeDeps: { noDiscovery: true },
    logLevel: 'error',
  });
  onTestFinished(() => app.close());
  await app.listen();
  const headers = { authorization: 'Bearer test-demo' };
  const response = await fetch(`${app.resolvedUrls?.local[0]}api/session?record=1`, { headers });
  const sessions: { mp4URL?: string }[] = await response.json();
  const { mp4URL = '' } = sessions.find(({ mp4URL }) => mp4URL !== undefined) ?? {};
  expect(mp4URL).toMatch(`${mock.origin}/`);
  const media = await fetch(mp4URL, {
    headers: { range: 'bytes=0-99', origin: 'http://app.test' },
  });
  expect(media.status).toBe(206);
  expect(media.headers.get('access-control-allow-origin')).toBe('http://app.test');
});
