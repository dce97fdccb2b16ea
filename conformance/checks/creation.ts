import type { Answer } from '../exchange.ts';
import { fail, type JsonObject, readObject } from '../expectations.ts';
import type { Call } from '../target.ts';

/** An id that no target has given to a stream. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** The request that creates a stream (interface 4.1). */
export function post(body: unknown): Call {
  return { method: 'POST', path: '/stream', body };
}

/** Expects a created stream, whichever status of success it comes with. */
export function readCreated(answer: Answer): JsonObject {
  if (answer.status < 200 || answer.status > 299) {
    fail(`expected a created stream, got status ${answer.status}`);
  }
  return readObject(answer);
}
