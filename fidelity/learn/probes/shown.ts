import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import {
  isSuccess,
  type JsonObject,
  readObject,
} from '../../../conformance/target/expectations.ts';
import { Blocked, CheckFailure } from '../../../conformance/target/failure.ts';
import { documentedKeys } from '../../../interface/silent-creation.ts';
import { Inexpressible, type ProbeContext, type Question } from '../questions/probe.ts';
import { plainStream, showStream } from '../questions/streams.ts';

/** What the body of a response to a change of a stream shows. */
export async function readShown(
  { ask }: ProbeContext,
  response: TargetResponse,
): Promise<'nothing' | 'stream'> {
  if (!isSuccess(response)) throw new Blocked(`a change that is accepted: got ${response.status}`);
  if (response.text === '') return 'nothing';
  const body = readBody(response);
  if (body === undefined) {
    throw new Inexpressible('expected no body, or the stream, got something else');
  }
  const missing = (await ask(shownKeys)).filter((key) => !(key in body));
  if (missing.length === 0) return 'stream';
  throw new Inexpressible(
    `expected no body, or the stream, got an object without ${missing.join(', ')}`,
  );
}

/** The documented keys of a stream that a service shows: it may show some only when it creates one. */
const shownKeys: Question<readonly string[]> = async (context) => {
  const { id, shown: created } = await context.ask(plainStream);
  const shown = await showStream(context, id).catch((error: unknown) => {
    if (error instanceof Blocked) return created;
    throw error;
  });
  return documentedKeys.stream.filter((key) => key in shown);
};

function readBody(response: TargetResponse): JsonObject | undefined {
  try {
    return readObject(response);
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}
