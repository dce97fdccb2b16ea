import { expect, test } from 'vitest';
import { createTestMock, requireFaultsMatched } from './test-mock.ts';

test('a test fails at its end when a fault has matched nothing', async () => {
  const { mock, world, baseUrl } = await createTestMock({});
  world.addFault({ effect: 'status', status: 503, operation: 'createStream' });
  world.addFault({ effect: 'status', status: 500, operation: 'listStreams' });
  world.addFault({ effect: 'recording-failed' });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  await mock.fetch(new Request(`${baseUrl}/stream`, { headers }));
  expect(() => requireFaultsMatched(world)).toThrow(
    'fault 1 (status of createStream: status 503) matched no request; fault 3 (recording-failed of any recording) matched no recording; where that is intended, end the test with mock.removeFaults()',
  );
  world.removeFaults();
  requireFaultsMatched(world);
});
