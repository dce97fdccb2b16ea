import { describeJsonFault } from './json-error.ts';
import { Problem } from './problem.ts';

/**
 * What JSON a text holds.
 * @throws Problem 400, which says where it is at fault, after `subject`.
 */
export function parseJson(text: string, subject = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, `${subject}expected JSON, got ${describeJsonFault(text)}`);
  }
}
