import { Problem } from './problem.ts';

/**
 * What JSON a text holds.
 * @throws Problem 400, which says where it is at fault, after `subject`.
 */
export async function parseJson(text: string, subject = ''): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { describeJsonFault } = await import('./json-fault.ts');
    const fault = describeJsonFault(text, error as Error);
    throw new Problem(400, `${subject}expected JSON, got ${fault}`);
  }
}
