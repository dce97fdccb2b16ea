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
    'fault 1 (delay on retrieveStream of abc) never met a request',
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
  expect(text.startsWith(describeFault(report))).toBe(true);
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
