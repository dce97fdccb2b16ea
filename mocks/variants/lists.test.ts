import { describe, expect, test } from 'vitest';
import { clientOf } from '../http/dialect.test-support.ts';

const list = 'GET /api/stream/00000000-0000-4000-8000-000000000000/sessions?record=1';

describe.each(['400', '403', '404', '451'] as const)(
  'with unknown-streams-have-empty-lists and refusals-%s',
  (status) => {
    const variant = `unknown-streams-have-empty-lists+refusals-${status}` as const;

    test('the list of a stream that does not exist is empty', async () => {
      const { send } = await clientOf({}, { variant });
      expect(await send(list)).toMatchObject({ status: 200, json: [] });
    });

    test('a request without a key is refused', async () => {
      const { send } = await clientOf({}, { variant });
      const response = await send(list, undefined, { authorization: null });
      expect(response.status).toBe(Number(status));
    });
  },
);

test.each(['undefined', '%zz', '%00', 'a'.repeat(300)])(
  'with unknown-streams-have-empty-lists, the list of "%s" is empty',
  async (id) => {
    const { send } = await clientOf({}, { variant: 'unknown-streams-have-empty-lists' });
    const response = await send(`GET /api/stream/${id}/sessions`);
    expect(response).toMatchObject({ status: 200, json: [] });
  },
);
