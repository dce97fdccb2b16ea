import { Problem } from '../problems/problem.ts';
import type { Snapshot } from '../service/snapshot.ts';
import { createStateReader } from '../service/state-lines.ts';
import { readChunks } from './read-body.ts';

/** The imports that a mock is reading or using. */
export interface Imports {
  /**
   * Reads an exported state whole, and passes it to `use`. Several are read at once, so that a slow client
   * does not delay others.
   * @throws Problem 429 when all of them together are too large, 413 when this one is, and as the reader
   * of states does.
   */
  read<Result>(request: Request, use: (state: Snapshot) => Promise<Result>): Promise<Result>;
}

/** Reads imports of at most `most` bytes each, and twice as many together. */
export function createImports(most: number): Imports {
  let held = 0;
  return {
    async read(request, use) {
      const reader = createStateReader(most);
      let own = 0;
      try {
        await readChunks(request, most, async (chunk) => {
          own += chunk.length;
          held += chunk.length;
          if (held > 2 * most) throw tooMuch(2 * most);
          await reader.add(chunk);
        });
        return await use(reader.end());
      } finally {
        held -= own;
      }
    },
  };
}

function tooMuch(most: number): Problem {
  return new Problem('full', {
    path: 'body',
    expected: `at most ${most} bytes of all imports together`,
    got: 'more',
    advice: 'send it again when others have been read',
  });
}
