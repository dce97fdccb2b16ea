import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type OptionTable, type OptionValues, readArguments } from './options.ts';
import {
  type Command,
  type CommandProcess,
  createStatusLine,
  describeInternalError,
  write,
} from './process.ts';

/** What a command that sends requests to a target is given. */
export interface TargetRun {
  readonly own: CommandProcess;
  readonly interruption: Interruption;
  /** A folder that is deleted in the end. */
  readonly folder: string;
  /** Shows on a terminal how far it is. */
  readonly showProgress: (text: string) => void;
}

/** How signals, or an error that nobody caught, interrupt a run. */
interface Interruption {
  /** Aborted by the first signal, and by a fault. */
  readonly signal: AbortSignal;
  /** Aborted by the next signal. A third ends the process, as signals do. */
  readonly cleanUpSignal: AbortSignal;
  /** Interrupted by a fault of this program, which stderr explains in a sentence. */
  readonly onFault: (error: unknown) => void;
}

/** How it ended: the text for standard output, and the exit status unless it was interrupted. */
export interface Ended {
  readonly text: string;
  readonly exitStatus: number;
}

/** What a command does that sends requests to a target and may be interrupted, given its options. */
export function onTarget<Table extends OptionTable>(
  options: Table,
  work: (values: OptionValues<Table>, run: TargetRun) => Promise<Ended>,
): Command['run'] {
  return async (args, own) => {
    // By default garbage piles up to hundreds of megabytes where a target sends large responses.
    if (own.ownsProcess) setFlagsFromString('--heap-growing-percent=30');
    const { interruption, interruptedAs, release } = listenForInterruption(own);
    const showProgress = createStatusLine(own.stderr);
    const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
    try {
      const run = { own, interruption, folder, showProgress };
      const { text, exitStatus } = await work(await readArguments(args, options), run);
      showProgress('');
      const isWritten = await write(own.stdout, text);
      return interruptedAs() ?? (isWritten ? exitStatus : 3);
    } finally {
      showProgress('');
      release();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** A closed terminal is SIGHUP. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for signals, until it is released, and for errors that nobody caught, to the end of the process. */
function listenForInterruption({ signals, stderr }: CommandProcess) {
  const first = new AbortController();
  const second = new AbortController();
  let status: number | undefined;
  const interrupt = (reason: string, next: number): void => {
    status = next;
    stderr.write(`\n${reason}: deleting what was created; interrupt again to leave it there\n`);
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
  const onFault = (error: unknown): void => {
    if (!first.signal.aborted) interrupt(describeInternalError(error), 3);
  };
  for (const name of Object.keys(statuses)) signals.on(name, listen);
  // What comes late must not end the process with a trace either.
  signals.on('uncaughtException', onFault);
  const interruption = { signal: first.signal, cleanUpSignal: second.signal, onFault };
  return { interruption, interruptedAs: () => status, release };
}
