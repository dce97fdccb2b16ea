import { expect, test } from 'vitest';
import { clientOf } from '../http/dialect.test-support.ts';
import { testRequest } from '../http/request.test-support.ts';
import { variantNames } from './families.ts';

/** What variants do to requests that are sent once each. Whether the seventh is a HEAD does not matter. */
const names = variantNames.filter((name) => !name.startsWith('too-many-requests'));

test.each(names)(
  'with %s, HEAD has the status and the headers of GET, and no body',
  async (variant) => {
    const { mock, list, world } = await clientOf({}, { variant, recordingDelay: 0 });
    const { id } = await world.createStream({ name: 'Quay', record: true });
    await world.start(id, { duration: 4 });
    world.clock.advance('1m');
    const sessions = await list(`/api/stream/${id}/sessions?record=1`);
    const ask = async (method: string, address: string) => {
      const { status, headers, body } = await mock.fetch(
        address.startsWith('/')
          ? testRequest(`${method} ${address}`)
          : new Request(address, { method }),
      );
      return { status, headers: [...headers], hasBody: body !== null };
    };
    const addresses = sessions.flatMap(({ recordingUrl, mp4URL }) => [
      `${recordingUrl}`,
      `${mp4URL}`,
    ]);
    expect(addresses).toHaveLength(2);
    for (const address of ['/api/stream', `/api/stream/${id}/sessions?record=1`, ...addresses]) {
      const plain = await ask('GET', address);
      expect(await ask('HEAD', address)).toEqual({ ...plain, hasBody: false });
    }
  },
);
