import { test } from 'vitest';
import { sendRandomRequests } from './fuzz.run.test-support.ts';

test('each of 10,000 requests is answered, and those refused change nothing', () =>
  sendRandomRequests(10_000));
