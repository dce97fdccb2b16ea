import { expect, test } from 'vitest';
import type { StaticRoute } from '../../interface/dialect.ts';
import { clientOf } from './dialect.test-support.ts';

const routes: readonly StaticRoute[] = [
  { method: 'GET', path: '/user/me', status: 200, json: { email: 'text' } },
  { method: 'GET', path: '/asset/{id}', status: 200, type: 'application/vnd.a+json', json: [] },
  { method: 'POST', path: '/webhook', status: 201, text: 'made' },
  { method: 'GET', path: '/stream', status: 500 },
];

test('a dialect has static answers at paths that the interface lacks, and the journal marks them', async () => {
  const { send, world } = await clientOf({ routes });
  const me = await send('GET /api/user/me');
  expect([me.status, me.json]).toEqual([200, { email: 'text' }]);
  const asset = await send('GET /api/asset/17');
  expect([asset.text, asset.headers.get('content-type')]).toEqual(['[]', 'application/vnd.a+json']);
  expect((await send('POST /api/webhook', {})).text).toBe('made');
  expect((await send('GET /api/asset/17/more')).status).toBe(404);
  expect(world.requests().map((exchange) => exchange.static)).toEqual([
    true,
    true,
    true,
    undefined,
  ]);
});

test('the interface comes first, and a key is asked for as elsewhere', async () => {
  const { send } = await clientOf({ routes });
  expect((await send('GET /api/stream')).status).toBe(200);
  expect((await send('GET /api/user/me', undefined, { authorization: null })).status).toBe(401);
  expect((await send('GET /api/user/me', undefined, { authorization: 'Basic x' })).status).toBe(
    401,
  );
});

test.each([
  [{ method: 'GET', path: '/../secret', status: 200 }, 'a path such as /user/{id}'],
  [
    { method: 'GET', path: '/a', status: 200, headers: { 'set-cookie': 'a=b' } },
    'an object with method',
  ],
  [{ method: 'GET', path: '/a', status: 99 }, 'status from 200 to 599'],
])('an invalid route is refused: %j', async (route, message) => {
  await expect(clientOf({ routes: [route as never] })).rejects.toThrow(message);
});
