/** Runs before each test file, because the next file runs in the same worker. */
import { afterAll } from 'vitest';

const names = ['Request', 'Response'] as const;
const natives = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name) ?? {});

// A server that owns its process replaces them.
afterAll(() => {
  for (const [index, name] of names.entries()) {
    Object.defineProperty(globalThis, name, natives[index] ?? {});
  }
});
