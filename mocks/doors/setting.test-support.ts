import type { Send } from '../../conformance/exchange.ts';
import type { WorldName } from '../../fixtures/worlds.ts';
import type { MockOptions } from '../mock.ts';

/** What the mock behind a door is made from; it travels into other processes. */
export interface Setting {
  readonly world: WorldName;
  readonly seed: string;
  readonly recordingDelay: number;
  readonly clock: 'still' | 'running';
}

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
