import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OptionTable, OptionValues } from './options.ts';
import {
  type Command,
  type CommandProcess,
  createStatusLine,
  describeInternalError,
  write,
} from './process.ts';
import { readArguments } from './read-arguments.ts';

/** What is passed to a command that may be interrupted. */
export interface InterruptibleRun {
  readonly host: CommandProcess;
  readonly interruption: Interruption;
  /** A folder that is deleted at the end. */
  readonly folder: string;
  /** Shows the progress on a terminal. */
  readonly showProgress: (text: string) => void;
}

/** How a signal or an uncaught error interrupts a run. */
type Interruption = ReturnType<typeof listenForInterruption>['interruption'];

/** How a run ended: the text for standard output, and the exit status unless it was interrupted. */
export interface Ended {
  readonly text: string;
  readonly exitStatus: number;
  /** Writes files once the text is printed, so that the text is not lost if one cannot be written. */
  readonly writeFiles?: () => Promise<void>;
}

/**
 * Runs a command that may be interrupted.
 * @param advice what happens when it is interrupted, and what a second signal does
 */
export function interruptible<Table extends OptionTable>(
  options: Table,
  advice: string,
  work: (values: OptionValues<Table>, run: InterruptibleRun) => Promise<Ended>,
): Command['run'] {
  return async (args, host) => {
    const { interruption, interruptedAs, release } = listenForInterruption(host, advice);
    const showProgress = createStatusLine(host.stderr);
    const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
    try {
      const run = { host, interruption, folder, showProgress };
      const { text, exitStatus, writeFiles } = await work(await readArguments(args, options), run);
      showProgress('');
      const isWritten = await write(host.stdout, text);
      await writeFiles?.();
      return interruptedAs() ?? (isWritten ? exitStatus : 3);
    } finally {
      showProgress('');
      release();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** The exit status after each signal. Closing a terminal sends SIGHUP. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for signals until it is released, and for uncaught exceptions until the process ends. */
function listenForInterruption({ signals, stderr }: CommandProcess, advice: string) {
  const first = new AbortController();
  const second = new AbortController();
  let status: number | undefined;
  const interrupt = (reason: string, next: number): void => {
    status = next;
    stderr.write(`\n${reason}: ${advice}\n`);
    first.abort();
  };
  const listen = (name: NodeJS.Signals): void => {
    if (!first.signal.aborted) {
      interrupt(name, statuses[name as keyof typeof statuses]);
    } else {
      second.abort();
      release();
    }
  };
  const release = (): void => {
    for (const name of Object.keys(statuses)) signals.off(name, listen);
  };
  const onInternalError = (exception: unknown): void => {
    if (!first.signal.aborted) interrupt(describeInternalError(exception), 3);
  };
  for (const name of Object.keys(statuses)) signals.on(name, listen);
  // A late error must not end the process with a stack trace either.
  signals.on('uncaughtException', onInternalError);
  const interruption = {
    /** Aborted by the first signal, and by a bug. */
    signal: first.signal,
    /** Aborted by the second signal. A third ends the process by default. */
    cleanUpSignal: second.signal,
    /** Interrupts the run because of a bug in this program, which stderr explains in a sentence. */
    onInternalError,
  };
  return { interruption, interruptedAs: () => status, release };
}
