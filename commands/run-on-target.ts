import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asArgumentError } from './arguments.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { createStatusLine } from './status-line.ts';

/** What a command that sends requests to a target is given. */
interface Run extends Pick<Interruption, 'signal' | 'cleanUpSignal' | 'onFault'> {
  /** A folder that is deleted in the end. */
  readonly folder: string;
  /** Shows on a terminal how far it is. */
  readonly showProgress: (text: string) => void;
}

/** How it ended: the text for standard output, and the status of the process unless it was interrupted. */
interface Ended {
  readonly text: string;
  readonly exitStatus: number;
}

/** Runs a command that sends requests to a target and may be interrupted. @throws ArgumentError */
export async function runOnTarget(command: (run: Run) => Promise<Ended>): Promise<void> {
  // If the process ends before the result is written, it must not exit with 0.
  process.exitCode = 3;
  const interruption = listenForInterruption();
  const { signal, cleanUpSignal, onFault } = interruption;
  const status = createStatusLine(process.stderr);
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
  try {
    const run = { folder, signal, cleanUpSignal, onFault, showProgress: status.show };
    const { text, exitStatus } = await command(run).finally(async () => {
      status.end();
      await rm(folder, { recursive: true, force: true });
    });
    // Where nobody reads it any more, the process ends while it is written.
    process.exitCode = interruption.status() ?? 3;
    await write(text);
    process.exitCode = interruption.status() ?? exitStatus;
  } catch (error) {
    throw asArgumentError(error);
  } finally {
    interruption.release();
  }
  // A request that was interrupted may still be under way.
  if (signal.aborted) process.exit();
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Colours are written only to terminals; `NO_COLOR` and `FORCE_COLOR` override. */
export function lookOf(
  stream: NodeJS.WriteStream,
  widest: number,
): { colours: boolean; width?: number } {
  if (!stream.isTTY) return { colours: false };
  return { colours: stream.hasColors(), width: Math.min(stream.columns, widest) };
}
