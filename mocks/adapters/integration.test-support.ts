import type { Page } from 'playwright-core';
import type { Send } from '../../conformance/target/exchange.ts';
import type { WorldName } from '../../fixtures/worlds.ts';
import type { Dialect } from '../../interface/dialect.ts';
import type { MockOptions } from '../mock-options.ts';

/** What the mock of an integration is made from; it can be sent to another process. */
export interface Setting {
  readonly world: WorldName;
  readonly seed: string;
  readonly recordingDelay: number;
  readonly clock: 'still' | 'running';
  readonly dialect?: Dialect;
}

/** For responses that must be the same byte by byte. */
export const still: Setting = {
  world: 'demo',
  seed: 'parity',
  recordingDelay: 0,
  clock: 'still',
};

/** For the suite, which creates what it needs and measures real time. */
export const running: Setting = {
  world: 'empty',
  seed: 'parity',
  recordingDelay: 0,
  clock: 'running',
};

/** The setting as options of `createMock`. */
export function mockOptions({ clock, ...options }: Setting): MockOptions {
  return { ...options, ...(clock === 'running' && { now: Date.now }) };
}

/** A mock of its own behind one integration, until the test ends. */
export interface OpenIntegration {
  readonly origin: string;
  /** Sends a request as a client of this integration does. */
  readonly send: Send;
  /** The page that sends the requests, where one does. */
  readonly page?: Page;
}
