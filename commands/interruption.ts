import { visible } from '../conformance/model/visible.ts';
import type { CommandProcess } from './process.ts';

/** How far signals, or an error that nobody caught, have interrupted a run. */
export interface Interruption {
  /** Aborted by the first signal, and by a fault. */
  readonly signal: AbortSignal;
  /** Aborted by the next signal. A third ends the process, as signals do. */
  readonly cleanUpSignal: AbortSignal;
  /** Interrupted by a fault of this program, which is told on stderr in a sentence. */
  readonly onFault: (error: unknown) => void;
  /** The exit status that names what interrupted first; `undefined` where nothing did. */
  readonly status: () => number | undefined;
  /** Stops listening to signals, so that they end the process again. */
  readonly release: () => void;
}

/** A closed terminal is SIGHUP. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const ofFault = 3;
const longestMessage = 500;

/** Listens for signals, and for errors that nobody caught. */
export function listenForInterruption({ signals, stderr }: CommandProcess): Interruption {
  const [first, second] = [new AbortController(), new AbortController()];
  let status: number | undefined;
  const interrupt = (reason: string, next: number): void => {
    status = next;
    stderr.write(`\n${reason}: deleting what was created; once more to leave it there\n`);
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
    if (!first.signal.aborted) interrupt(describeFault(error), ofFault);
  };
  for (const name of Object.keys(statuses)) signals.on(name, listen);
  // It listens to the end of the process: what comes late must not end it with a trace either.
  signals.on('uncaughtException', onFault);
  return {
    signal: first.signal,
    cleanUpSignal: second.signal,
    onFault,
    status: () => status,
    release,
  };
}

/** What an error that is a fault of this program is called. */
export function describeFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const shown = visible(message).slice(0, longestMessage);
  return `livestream-mock: internal error in livestream-mock, please report it: ${shown}`;
}
