import { createInterface } from 'node:readline/promises';
import { Blocked } from '../conformance/target/failure.ts';
import type { CommandProcess } from './process.ts';

/**
 * Asks the person at the terminal to do something, and waits for Enter.
 * @throws Blocked when the input ends; an AbortError when `signal` is aborted.
 */
export async function askPerson(
  text: string,
  { stdin, stderr }: CommandProcess,
  signal: AbortSignal,
): Promise<void> {
  const inputEnded = new Blocked('a person to go live: the input has ended');
  if (stdin.readableEnded) throw inputEnded;
  // With `terminal: true`, readline would handle Ctrl-C and the process would get no SIGINT.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(inputEnded)));
  try {
    await Promise.race([lines.question(`${text}; then press Enter. `, { signal }), ended]);
  } finally {
    ended.catch(() => {});
    lines.close();
  }
}
