import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { visible } from '../text/visible.ts';
import type { OptionTable } from './options.ts';

/** The parts of a process that a command uses. `process` is one; a test passes its own. */
export interface CommandProcess {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Emits signals by name, and `uncaughtException`. */
  readonly signals: EventEmitter;
  /** Whether nothing else runs in the process, so that a server may replace globals. */
  readonly ownsProcess: boolean;
}

/** A stream, possibly a terminal. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

/** A command of `livestream-mock`. */
export interface Command {
  /** What follows `livestream-mock`. */
  readonly synopsis: string;
  /** Whether it does nothing without arguments: then the synopsis says which ones it needs. */
  readonly needsArguments: boolean;
  readonly options: OptionTable;
  /** What the help says below the options. */
  readonly notes?: string;
  /** Resolves to the exit status. @throws ArgumentError for wrong arguments. */
  readonly run: (args: string[], host: CommandProcess) => Promise<number>;
}

/** Writes the whole text; resolves to false if nobody reads the output any more. */
export function write(output: Output, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (exception) => resolve(!exception));
  });
}

/** Only terminals get colours, and none with `NO_COLOR`; `FORCE_COLOR` sets how many colours a terminal has. */
export function lookOf(output: Output, widest: number): { colours: boolean; width?: number } {
  if (!output.isTTY) return { colours: false };
  // Some terminals report 0 columns.
  const columns = output.columns || widest;
  return { colours: output.hasColors?.() ?? false, width: Math.min(columns, widest) };
}

/** A status line on a terminal: each text replaces the previous one. Elsewhere nothing is written. */
export function createStatusLine(stream: Output): (text: string) => void {
  return (text) => {
    if (!stream.isTTY) return;
    const line = visible(text.replaceAll(/\s+/g, ' ')).slice(0, 79);
    stream.write(`\r\u001b[2K${line}`);
  };
}

/** The message for a bug in this program. */
export function describeInternalError(exception: unknown): string {
  const message = exception instanceof Error ? exception.message : String(exception);
  const shortMessage = visible(message).slice(0, 500);
  return `livestream-mock: internal error; please report it: ${shortMessage}`;
}
