import { expect, test } from 'vitest';
import { message, openConnection, publishing } from './rtmp-client.test-support.ts';
import { incoming, serveIngest } from './served.test-support.ts';

test.each(['live', 'live/', 'live?token=abc', 'live?token=a/b', 'live/?token=abc'])(
  'an encoder goes live at the server address %s, and its HEVC is shown',
  async (app) => {
    const setup = await serveIngest();
    const { socket } = openConnection(setup.address, publishing(setup.address, app));
    await expect.poll(() => setup.isLive()).toBe(true);
    socket.write(message({ channel: 6, type: 9 }, Buffer.from('\x91hvc1\0\0\0picture', 'latin1')));
    await expect.poll(() => incoming(setup)).toMatchObject([{ videoCodec: 'HEVC' }]);
  },
);
