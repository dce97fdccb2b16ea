import { Problem } from '../problem.ts';
import { parseBody, readBytes, readText } from './body.ts';

/** The large bodies that a mock is reading or making use of. */
export interface LargeBodies {
  /**
   * What `use` makes of the JSON in a body. Bodies come side by side, so that a slow client holds
   * nobody up, and are parsed and made use of one at a time, so that their values do not add up.
   * @throws Problem 429 where those that have come are too much together, and as `readBody` does.
   */
  read<Result>(
    request: Request,
    limit: number,
    use: (body: unknown) => Promise<Result>,
  ): Promise<Result>;
}

/** Makes what reads the large bodies of one mock, and holds at most two of the largest. */
export function createLargeBodies(mostBytes: number = 512 * 1024 * 1024): LargeBodies {
  let held = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async read(request, limit, use) {
      let own = 0;
      const letGo = (): void => {
        held -= own;
        own = 0;
      };
      const count = (bytes: number): void => {
        own += bytes;
        held += bytes;
        if (held <= mostBytes) return;
        // At once, so that the others do not have to go as well.
        letGo();
        throw tooManyBytes(mostBytes);
      };
      try {
        const text = readText(request.headers, await readBytes(request, limit, count));
        const result = last.then(() => use(parseBody(text)));
        last = result.catch(() => {});
        return await result;
      } finally {
        letGo();
      }
    },
  };
}

function tooManyBytes(mostBytes: number): Problem {
  return new Problem(
    429,
    `body: expected at most ${mostBytes} bytes of all large bodies together, got more; send it again when others have been read`,
  );
}
