import { createInterface } from 'node:readline/promises';
import { Blocked } from '../conformance/target/failure.ts';

/**
 * Asks the person at the terminal to do something, and waits for Enter.
 * @throws Blocked when the input ends; an AbortError when `signal` is aborted.
 */
export async function askPerson(text: string, signal: AbortSignal): Promise<void> {
  const gone = new Blocked('a person to go live: the input has ended');
  if (process.stdin.readableEnded) throw gone;
  // As a terminal it would take Ctrl-C away from the process.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(gone)));
  try {
    await Promise.race([lines.question(`${text}; then press Enter. `, { signal }), ended]);
  } finally {
    ended.catch(() => {});
    lines.close();
  }
}
