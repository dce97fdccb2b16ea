import { isDeepStrictEqual } from 'node:util';
import { createMock, type MockOptions } from 'livestream-mock';
import type { Send } from '../../conformance/target/exchange.ts';
import { findValues, type Step, script } from './script.test-support.ts';

/** A response, as far as a client can see it. */
interface SeenResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly base64: string;
}

/** A request to which a client got another response than the mock itself gives. */
interface Difference {
  readonly line: string;
  readonly own: SeenResponse;
  readonly seen: SeenResponse;
}

/** How the responses that a client sees differ from those of the mock itself. */
interface Comparison {
  readonly differences: readonly Difference[];
  /** Names of the headers that the client sees and the mock does not send. */
  readonly added: readonly string[];
}

/**
 * Sends the script to the mock at `origin` by `send`, and to an equal mock by its `fetch`.
 * @throws Error when the mock responds with another status than the script says.
 */
export async function compareResponses(
  options: MockOptions,
  origin: string,
  send: Send,
): Promise<Comparison> {
  const { fetch } = createMock(options);
  const values = await findValues(options);
  const added = new Set<string>();
  const differences: Difference[] = [];
  for (const step of script) {
    const [status, line] = step;
    const own = await sendStep(step, origin, values, fetch);
    const seen = await sendStep(step, origin, values, send);
    if (own.status !== status) {
      throw new Error(`${line}: expected the mock to respond with ${status}, got ${own.status}`);
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

/** Sends a step of the script to the mock at `origin`, and reads the response to its end. */
async function sendStep(
  [, line, parts = {}]: Step,
  origin: string,
  values: ReadonlyMap<string, string>,
  send: Send,
): Promise<SeenResponse> {
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name) => values.get(name) ?? whole);
  const { authorization = 'Bearer test-demo', body } = parts;
  const [method = '', path = ''] = line.split(' ');
  const response = await send(
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
    status: response.status,
    headers: Object.fromEntries(response.headers),
    base64: Buffer.from(await response.arrayBuffer()).toString('base64'),
  };
}
