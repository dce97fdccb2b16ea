import { Agent, request } from 'node:http';
import type { Work } from './work.ts';

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One connection that is kept open, for one request after another. */
export function connection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** Sends a request; rejects where no answer comes, or none to the end. */
export function ask(origin: string, work: Work, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = work;
    const asked = request(origin + path, { method, headers, agent: agent ?? false });
    asked.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, body: Buffer.concat(chunks) });
        });
    });
    asked.end(body);
  });
}

/** As {@link ask}; an answer of another status is an error. @throws Error */
export async function expectAnswer(origin: string, work: Work, agent?: Agent): Promise<Answer> {
  const answer = await ask(origin, work, agent);
  if (answer.status === work.status) return answer;
  const said = answer.body.toString('utf8', 0, 200);
  throw new Error(
    `${work.method} ${origin}${work.path}: expected ${work.status}, got ${answer.status} ${said}`,
  );
}

/** Milliseconds from a request to the last byte of its answer. */
export async function latency(origin: string, work: Work, agent: Agent): Promise<number> {
  const before = performance.now();
  await expectAnswer(origin, work, agent);
  return performance.now() - before;
}
