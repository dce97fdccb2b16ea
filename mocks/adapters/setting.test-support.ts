import type { Send } from '../../conformance/target/exchange.ts';
import type { WorldName } from '../../fixtures/worlds.ts';
import type { MockOptions } from '../mock.ts';

/** What the mock behind a door is made from; it travels into other processes. */
export interface Setting {
  readonly world: WorldName;
  readonly seed: string;
  readonly recordingDelay: number;
  readonly clock: 'still' | 'running';
}

/** For answers that are to be the same byte by byte. */
export const still: Setting = {
  world: 'demo',
  seed: 'parity',
  recordingDelay: 0,
  clock: 'still',
};

/** For the suite, which makes what it needs and knows real time alone. */
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

/** A door with a mock of its own behind it, until the test ends. */
export interface OpenDoor {
  readonly origin: string;
  /** Sends a request as a client of this door does. */
  readonly send: Send;
}
