import { expect, test } from 'vitest';
import { openConnection } from '../../target/connection.ts';
import { serveMock, serveProxy } from '../../target/servers.test-support.ts';
import { createSharedSessions } from './shared-sessions.ts';

test('every live session is stopped, even if a request and a stop fail', async () => {
  const { received, baseUrl, controlUrl } = await serveProxy(await serveMock(), ({ url }) =>
    /record=1$|stop$/.test(url) ? new Response(null, { status: 500 }) : undefined,
  );
  const provider = { controlUrl };
  const connection = openConnection({ baseUrl, apiKey: 'test-live', provider });
  await expect(createSharedSessions(connection).liveSwitches()).rejects.toThrow('got 500');
  expect(received.filter(({ url }) => url.endsWith('/stop'))).toHaveLength(3);
});
