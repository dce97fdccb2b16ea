import type { OpenIntegration, Setting } from './integration.test-support.ts';
import { openPlaywright, openWorker } from './open-browser.test-support.ts';
import { openCommandLine, openServer } from './open-http.test-support.ts';
import { openMsw, openMswNext } from './open-msw.test-support.ts';

/** A way from a client to a mock. */
export interface Integration {
  readonly name: string;
  /** Headers that its clients see and the mock does not send, each with why they are added. */
  readonly adds: Readonly<Record<string, string>>;
  /** Makes a mock that answers by this integration until the test ends. */
  open(setting: Setting): Promise<OpenIntegration>;
}

const countsBytes = { 'content-length': 'the bytes of JSON are counted' } as const;
const overTheWire = {
  ...countsBytes,
  date: 'a server has a clock of its own',
  connection: 'a connection serves several requests',
  'keep-alive': 'a connection serves several requests',
} as const;

/**
 * Every integration, and the headers that it adds. The rest of a response is the mock's, byte by
 * byte: no integration drops a header, and each takes every request of the script.
 */
export const integrations: readonly Integration[] = [
  { name: 'HTTP', adds: overTheWire, open: openServer },
  { name: 'the command line', adds: overTheWire, open: openCommandLine },
  { name: 'MSW 2 in Node', adds: {}, open: openMsw },
  { name: 'MSW 3 in Node', adds: {}, open: openMswNext },
  { name: 'MSW 2 in a browser', adds: {}, open: openWorker('msw') },
  { name: 'MSW 3 in a browser', adds: {}, open: openWorker('msw-next') },
  { name: 'Playwright', adds: countsBytes, open: openPlaywright },
];
