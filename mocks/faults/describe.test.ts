import { expect, test } from 'vitest';
import { describeFault, describeUnmatched, faultSentence } from './describe.ts';
import type { Fault } from './effects/effects.ts';

test.each<{ fault: Fault; text: string; target?: 'recording' }>([
  {
    fault: { effect: 'status', status: 503, operation: 'createStream' },
    text: 'status 503 on createStream',
  },
  { fault: { effect: 'reset' }, text: 'reset on any request' },
  {
    fault: { effect: 'delay', delay: '1s', operation: 'retrieveStream', id: 'abc' },
    text: 'delay on retrieveStream of abc, after 1 s',
  },
  {
    fault: { effect: 'drip', bytesPerSecond: 500, delay: { from: 20, to: '3s' }, times: 2 },
    text: 'drip on any request, after 20 ms to 3 s, bytesPerSecond 500, times 2',
  },
  {
    fault: { effect: 'status', status: 500, body: { why: 'a test' } },
    text: 'status 500 on any request, body {"why":"a test"}',
  },
  { fault: { effect: 'segment-missing', segment: 3 }, text: 'segment-missing 3 on any request' },
  {
    fault: { effect: 'recording-failed', id: 'abc' },
    text: 'recording-failed on any recording of abc',
    target: 'recording',
  },
])('$fault is described as "$text"', ({ fault, text, target = 'request' }) => {
  expect(describeFault(fault)).toBe(text);
  expect(describeUnmatched({ id: 1, fault, matched: 0 })).toBe(
    `fault 1 (${text}) matched no ${target}`,
  );
});

test.each<[Fault, string]>([
  [
    { effect: 'delay', delay: 500, operation: 'listSessions', times: 2 },
    'Delay listSessions by 500 ms for the next 2 requests',
  ],
  [
    { effect: 'status', status: 503, delay: { from: '1s', to: '3s' }, probability: 0.5 },
    'Refuse any request with 503, after 1 s to 3 s, with a chance of 50 %',
  ],
  [{ effect: 'segment-missing' }, 'Lose every segment of any request'],
  [
    { effect: 'recording-failed', id: 'abc', times: 1 },
    'Fail any recording of abc for the next recording',
  ],
])('%o reads as "%s"', (fault, sentence) => {
  expect(faultSentence(fault)).toBe(sentence);
});
