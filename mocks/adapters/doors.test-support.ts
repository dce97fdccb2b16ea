import { openPlaywright, openWorker } from './open-browser.test-support.ts';
import { openCommandLine, openServer } from './open-http.test-support.ts';
import { openMsw, openMswNext } from './open-msw.test-support.ts';
import type { OpenDoor, Setting } from './setting.test-support.ts';

/** Names of headers, and why the door owns them. */
type Reasons = Readonly<Record<string, string>>;

/** A way from a client to a mock. */
export interface Door {
  readonly name: string;
  /** Headers that clients of this door see where the mock sends none of the name. */
  readonly adds: Reasons;
  /** Makes a mock and opens this door to it, until the test ends. */
  open(setting: Setting): Promise<OpenDoor>;
}

const countsBytes = { 'content-length': 'the bytes of JSON are counted' } as const;
const overTheWire = {
  ...countsBytes,
  date: 'a server has a clock of its own',
  connection: 'a connection serves several requests',
  'keep-alive': 'a connection serves several requests',
} as const;

/**
 * Every door, and the headers that it owns. All else of an answer is the mock's, byte by byte; no
 * door drops a header, and each carries every request of the script.
 */
export const doors: readonly Door[] = [
  { name: 'HTTP', adds: overTheWire, open: openServer },
  { name: 'the command line', adds: overTheWire, open: openCommandLine },
  { name: 'MSW 2 in Node', adds: {}, open: openMsw },
  { name: 'MSW 3 in Node', adds: {}, open: openMswNext },
  { name: 'MSW 2 in a browser', adds: {}, open: openWorker('msw') },
  { name: 'MSW 3 in a browser', adds: {}, open: openWorker('msw-next') },
  { name: 'Playwright', adds: countsBytes, open: openPlaywright },
];
