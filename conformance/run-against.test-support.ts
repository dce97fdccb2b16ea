import type { Report } from './model/report.ts';
import { type RunOptions, run } from './run-suite.ts';

/** Judges a mock, or a changed one, in this process. */
export function runAgainst(
  send: (request: Request) => Promise<Response>,
  more: Partial<RunOptions> = {},
): Promise<Report> {
  return run({
    baseUrl: 'http://mock.test/api',
    apiKey: 'test-demo',
    provider: { controlUrl: 'http://mock.test/_mock' },
    patience: 1,
    send,
    ...more,
  });
}
