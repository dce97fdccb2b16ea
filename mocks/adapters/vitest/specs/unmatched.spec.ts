import { test } from '../vitest.ts';

const fault = { effect: 'status', status: 503, operation: 'createStream' } as const;

test('has an unmatched fault', ({ mock }) => void mock.addFault(fault));

test('removes its unmatched fault', ({ mock }) => {
  mock.addFault(fault);
  mock.removeFaults();
});
