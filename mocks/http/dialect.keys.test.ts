import { expect, test } from 'vitest';
import { clientOf } from './dialect.test-support.ts';

test('a stream shows more keys once it was live, and a session more by where it shows', async () => {
  const { send, list, world } = await clientOf({
    behaviours: {
      'keys.by-place': {
        streamOnceLive: { tenant: 'text' },
        retrieveSession: { version: 'text' },
        listSessions: { parentStream: { id: 'text' } },
      },
    },
  });
  const { json } = await send('POST /api/stream', { name: 'a' });
  const id = String(json['id']);
  const session = await world.start(id, { duration: 5 });
  const keysAt = async (path: string): Promise<string[]> =>
    Object.keys([await list(path)].flat()[0] ?? {}).filter((key) =>
      ['tenant', 'version', 'parentStream'].includes(key),
    );
  expect(Object.keys(json)).not.toContain('tenant');
  expect(await keysAt(`/api/stream/${id}`)).toEqual(['tenant']);
  expect(await keysAt('/api/session')).toEqual(['parentStream']);
  expect(await keysAt(`/api/stream/${id}/sessions`)).toEqual([]);
  expect(await keysAt(`/api/session/${session.id}`)).toEqual(['version']);
});

test('a child stream may have keys that its session has not', async () => {
  const keys = { id: 'text', name: 'text', parentId: 'text', sessionId: 'text' };
  const { send, list, world } = await clientOf({
    behaviours: { 'list.sessions-among-streams': { children: keys } },
  });
  const id = String((await send('POST /api/stream', { name: 'a' })).json['id']);
  const { id: sessionId } = await world.start(id, { duration: 5 });
  const child = (await list('/api/stream')).find(({ parentId }) => parentId === id);
  expect(Object.keys(child ?? {})).toEqual(Object.keys(keys));
  expect(child?.['id']).not.toBe(sessionId);
  expect((await send(`GET /api/stream/${child?.['id']}`)).json).toEqual(child);
});
