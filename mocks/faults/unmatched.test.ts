import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { describeFault, describeUnmatched } from './describe.ts';
import type { Fault } from './fault.ts';
import { requireFaultsMet } from './unmatched.ts';

test.each<[Fault, string]>([
  [
    { effect: 'status', status: 503, operation: 'createStream' },
    'fault 1 (status 503 on createStream) never met a request',
  ],
  [{ effect: 'reset' }, 'fault 1 (reset on any request) never met a request'],
  [
    { effect: 'delay', delay: '1s', operation: 'retrieveStream', id: 'abc' },
    'fault 1 (delay on retrieveStream of abc, after 1s) never met a request',
  ],
  [
    { effect: 'drip', bytesPerSecond: 500, delay: { from: 20, to: '3s' }, times: 2 },
    'fault 1 (drip on any request, after 20ms to 3s, bytesPerSecond 500, times 2) never met a request',
  ],
  [
    { effect: 'status', status: 500, body: { why: 'a test' } },
    'fault 1 (status 500 on any request, body {"why":"a test"}) never met a request',
  ],
  [
    { effect: 'segment-missing', segment: 3 },
    'fault 1 (segment-missing 3 on any request) never met a request',
  ],
  [
    { effect: 'recording-failed', id: 'abc' },
    'fault 1 (recording-failed on any recording of abc) never met a recording',
  ],
])('%j is named in few words', (fault, text) => {
  const report = { id: 1, fault, matched: 0 };
  expect(describeUnmatched(report)).toBe(text);
  expect(text).toContain(`(${describeFault(fault)})`);
});

test('a fault that has met nothing is asked for', async () => {
  const mock = createMock();
  const world = await mock.world();
  world.addFault({ effect: 'status', status: 503, operation: 'createStream' });
  world.addFault({ effect: 'status', status: 500, operation: 'listStreams' });
  world.addFault({ effect: 'recording-failed' });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  await mock.fetch(new Request('http://mock.test/api/stream', { headers }));
  expect(() => requireFaultsMet(world)).toThrow(
    'fault 1 (status 503 on createStream) never met a request; fault 3 (recording-failed on any recording) never met a recording; if that is meant to be so, end with mock.removeFaults()',
  );
  world.removeFaults();
  requireFaultsMet(world);
});
