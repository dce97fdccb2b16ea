import { expect, test } from 'vitest';
import { serveTestedMock } from './tested-mock.ts';

test.each([
  ['a reset', 'POST', '/reset'],
  ['the end of the world', 'DELETE', '/world'],
])('what the app sent before and after %s is known', async (_, method, path) => {
  const { baseUrl, controlUrl, apiKey, close } = await serveTestedMock([], {
    world: 'demo',
    port: 0,
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  await fetch(`${baseUrl}/stream`, { headers });
  await fetch(`${baseUrl}/session`, { headers });
  await fetch(controlUrl + path, { method, headers });
  await fetch(`${baseUrl}/stream/unknown`, { headers });
  const { exchanges } = await close();
  expect(exchanges.map(({ operation }) => operation)).toEqual([
    'listStreams',
    'listSessions',
    'retrieveStream',
  ]);
});
