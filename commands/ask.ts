import { createInterface } from 'node:readline/promises';
import { Blocked } from '../conformance/failure.ts';

/**
 * Asks the person at the terminal to do something, and waits for Enter.
 * @throws Blocked when nobody is there.
 */
export async function askPerson(text: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const gone = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new Blocked('a person to go live: the input has ended')));
  });
  try {
    await Promise.race([terminal.question(`${text}; then press Enter. `), gone]);
  } finally {
    gone.catch(() => {});
    terminal.close();
  }
}
