import { isDeepStrictEqual } from 'node:util';
import { createMock, type MockOptions } from 'livestream-mock';
import type { Send } from '../../conformance/target/exchange.ts';
import { findPlaces, type Step, script } from './script.test-support.ts';

/** An answer, as far as a client can see it. */
interface SeenAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly base64: string;
}

/** What a client saw of an answer where the mock itself had given another. */
interface Difference {
  readonly line: string;
  readonly own: SeenAnswer;
  readonly seen: SeenAnswer;
}

/** What there is between what a client sees of a mock and what such a mock answers. */
interface Comparison {
  readonly differences: readonly Difference[];
  /** Names of the headers that the client sees where the mock sends none. */
  readonly added: readonly string[];
}

/**
 * Plays the script to the mock at `origin` through `send`, and to the same mock through its `fetch`.
 * @throws Error when the mock answers with another status than the script says.
 */
export async function compareAnswers(
  options: MockOptions,
  origin: string,
  send: Send,
): Promise<Comparison> {
  const { fetch } = createMock(options);
  const places = await findPlaces(options);
  const added = new Set<string>();
  const differences: Difference[] = [];
  for (const step of script) {
    const [status, line] = step;
    const own = await sendStep(step, origin, places, fetch);
    const seen = await sendStep(step, origin, places, send);
    if (own.status !== status) {
      throw new Error(`${line}: expected the mock to answer ${status}, got ${own.status}`);
    }
    for (const name of Object.keys(seen.headers)) {
      if (name in own.headers) continue;
      added.add(name);
      delete seen.headers[name];
    }
    if (!isDeepStrictEqual(seen, own)) differences.push({ line, own, seen });
  }
  return { differences, added: [...added].sort() };
}

/** Sends a step of the script to the mock at `origin`, and reads its answer to the end. */
async function sendStep(
  [, line, parts = {}]: Step,
  origin: string,
  places: ReadonlyMap<string, string>,
  send: Send,
): Promise<SeenAnswer> {
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name) => places.get(name) ?? whole);
  const { authorization = 'Bearer test-demo', body } = parts;
  const [method = '', path = ''] = line.split(' ');
  const answer = await send(
    new Request(origin + fill(path), {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...parts.headers,
      },
      ...(body !== undefined && { body: fill(body) }),
    }),
  );
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    base64: Buffer.from(await answer.arrayBuffer()).toString('base64'),
  };
}
