import { expect, test } from 'vitest';
import { faultSentence } from './effects.ts';
import type { Fault } from './fault.ts';

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
