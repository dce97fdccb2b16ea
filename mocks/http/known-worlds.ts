import { Problem } from '../messages/problem.ts';
import type { WorldSettings } from '../service/world.ts';
import type { KnownWorld } from '../state/known-world.ts';
import type { Worlds } from '../stores/open-worlds.ts';

/**
 * The worlds that a mock has open. Somebody whose requests do not appear finds the key under which they arrived.
 * @throws Problem 403 if the mock was given its keys, which are secrets.
 */
export function listWorlds({ apiKeys }: WorldSettings, worlds: Worlds): KnownWorld[] {
  if (apiKeys !== undefined) {
    const expected = 'a mock that accepts any key of the form test-…';
    const got = 'one that was started with its own keys, which are secrets';
    throw new Problem('forbidden', { path: 'worlds', expected, got });
  }
  return worlds.opened().map(({ apiKey, journal }) => ({ apiKey, requests: journal.count() }));
}
