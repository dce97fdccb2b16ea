import { usualManners } from '../../../interface/dialect.ts';
import { Problem } from '../../problems/problem.ts';
import { nextTurn } from '../../state/next-turn.ts';
import { createJsonReader } from './json-reader.ts';
import { readChunks, requireJsonType } from './read-body.ts';

/** The size of a body. */
export interface BodySize {
  bytes: number;
  /** Keys and values. */
  parts: number;
}

/**
 * The limit of a body: about what a mock with so many records exports. It takes less than 1 GB of memory
 * for every 400,000 records.
 */
export function largestBody(mostRecords: number): BodySize {
  const times = Math.max(1, mostRecords / 400_000);
  return { bytes: times * 256 * 1024 * 1024, parts: times * 16_000_000 };
}

const usualReader = { manners: usualManners, asked: 'createStream' } as const;

/** The large bodies that a mock is reading or using. */
export interface LargeBodies {
  /**
   * Reads the JSON in a body and passes it to `use`. Several bodies are read at once, so that a slow
   * client does not delay others.
   * @throws Problem 429 when all bodies together are too large, 413 when this one is, and as `readJson`
   * does.
   */
  read<Result>(request: Request, use: (body: unknown) => Promise<Result>): Promise<Result>;
}

/** Reads the large bodies of one mock, which together may be as large as two of the largest. */
export function createLargeBodies(largest: BodySize): LargeBodies {
  const held = new Set<BodySize>();
  const refuseTooMuch = (size: BodySize, kind: keyof BodySize, what: string): void => {
    const most = 2 * largest[kind];
    let sum = 0;
    for (const body of held) sum += body[kind];
    if (sum <= most) return;
    // Removed at once, so that only this body is refused.
    held.delete(size);
    throw tooMuch(`${most} ${what}`);
  };
  return {
    async read(request, use) {
      const size: BodySize = { bytes: 0, parts: 0 };
      const reader = createJsonReader(largest.parts);
      held.add(size);
      try {
        await readChunks(request, largest.bytes, async (chunk) => {
          if (size.bytes === 0) requireJsonType(request.headers, usualReader);
          size.bytes += chunk.length;
          refuseTooMuch(size, 'bytes', 'bytes');
          size.parts += reader.write(chunk);
          refuseTooMuch(size, 'parts', 'keys and values');
          await nextTurn();
        });
        return await use(size.bytes === 0 ? undefined : reader.end());
      } finally {
        held.delete(size);
      }
    },
  };
}

function tooMuch(most: string): Problem {
  return new Problem('full', {
    path: 'body',
    expected: `at most ${most} of all large bodies together`,
    got: 'more',
    advice: 'send it again when others have been read',
  });
}
