import { describe, expect, test } from 'vitest';
import { clientOf } from '../http/dialect.test-support.ts';

describe('with optional-operations-are-pages', () => {
  test.each([
    '/api/stream',
    '/api/stream/ID',
    '/api/session',
    '/api/session/ID',
    '/api/playback/ID',
  ])('GET %s returns a page of HTML', async (path) => {
    const { send, world } = await clientOf({}, { variant: 'optional-operations-are-pages' });
    const { id } = await world.createStream({ name: 'Quay' });
    const { status, headers } = await send(`GET ${path.replace('ID', id)}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
  });

  test.each(['PATCH /api/stream/ID', 'DELETE /api/stream/ID', 'DELETE /api/stream/ID/terminate'])(
    '%s is refused',
    async (line) => {
      const { send, list, world } = await clientOf(
        {},
        { variant: 'optional-operations-are-pages' },
      );
      const { id } = await world.createStream({ name: 'Quay' });
      const body = line.startsWith('PATCH') ? { record: true } : undefined;
      expect((await send(line.replace('ID', id), body)).status).toBe(404);
      expect(await list(`/api/stream/${id}/sessions?record=1`)).toEqual([]);
    },
  );
});
