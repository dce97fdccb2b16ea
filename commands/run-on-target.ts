import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { asArgumentError } from './arguments.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { type CommandProcess, write } from './process.ts';
import { createStatusLine } from './status-line.ts';

/** What a command that sends requests to a target is given. */
export interface Run extends Pick<Interruption, 'signal' | 'cleanUpSignal' | 'onFault'> {
  readonly own: CommandProcess;
  /** A folder that is deleted in the end. */
  readonly folder: string;
  /** Shows on a terminal how far it is. */
  readonly showProgress: (text: string) => void;
}

/** How it ended: the text for standard output, and the exit status unless it was interrupted. */
interface Ended {
  readonly text: string;
  readonly exitStatus: number;
}

/**
 * Runs a command that sends requests to a target and may be interrupted; resolves to the exit status.
 * @throws ArgumentError
 */
export async function runOnTarget(
  own: CommandProcess,
  command: (run: Run) => Promise<Ended>,
): Promise<number> {
  // By default garbage piles up to hundreds of megabytes where a target sends large responses.
  if (own.ownsProcess) setFlagsFromString('--heap-growing-percent=30');
  const interruption = listenForInterruption(own);
  const { signal, cleanUpSignal, onFault } = interruption;
  const status = createStatusLine(own.stderr);
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
  try {
    const run = { own, folder, signal, cleanUpSignal, onFault, showProgress: status.show };
    const { text, exitStatus } = await command(run).finally(async () => {
      status.end();
      await rm(folder, { recursive: true, force: true });
    });
    const isWritten = await write(own.stdout, text);
    return interruption.status() ?? (isWritten ? exitStatus : 3);
  } catch (error) {
    throw asArgumentError(error);
  } finally {
    interruption.release();
  }
}
