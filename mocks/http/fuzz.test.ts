import { test } from 'vitest';
import { sendRandomRequests } from './fuzz.run.test-support.ts';

test('each of 800 requests is answered, and those refused change nothing', () =>
  sendRandomRequests(800));
