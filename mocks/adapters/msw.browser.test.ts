import { expect, test } from 'vitest';
import { integrations } from './integrations.test-support.ts';

test.each(['MSW 2 in Node', 'MSW 3 in Node'] as const)(
  'with %s, events end when the client aborts, however often they are requested',
  async (name) => {
    const { origin, send } = await integrations[name].open({ world: 'empty', clock: 'still' });
    const headers = { authorization: 'Bearer test-demo' };
    for (let count = 0; count < 60; count++) {
      const client = new AbortController();
      const { signal } = client;
      const response = await send(new Request(`${origin}/_mock/events`, { headers, signal }));
      expect(response.status).toBe(200);
      const reader = response.body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: clock');
      client.abort();
      await expect(reader?.read()).rejects.toThrow('aborted');
    }
  },
);
