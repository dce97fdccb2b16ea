import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { visible } from '../conformance/model/visible.ts';
import type { OptionTable } from './options.ts';

/** What a command uses of its process. `process` is one; a test passes its own. */
export interface CommandProcess {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Emits signals by their names, and `uncaughtException`. */
  readonly signals: EventEmitter;
  /** Whether nothing else runs there, so that a server may replace globals. */
  readonly ownsProcess: boolean;
}

/** A stream, which a terminal may show. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

/** A command of `livestream-mock`. */
export interface Command {
  /** The words behind `livestream-mock`. */
  readonly synopsis: string;
  readonly options: OptionTable;
  /** What the help says below the options. */
  readonly notes?: string;
  /** Resolves to the exit status. @throws ArgumentError */
  readonly run: (args: string[], own: CommandProcess) => Promise<number>;
}

/** Writes a text to its end; false where nobody reads it any more. */
export function write(output: Output, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => resolve(!error));
  });
}

/** Colours are written only to terminals; `NO_COLOR` and `FORCE_COLOR` override. */
export function lookOf(output: Output, widest: number): { colours: boolean; width?: number } {
  if (!output.isTTY) return { colours: false };
  const { columns = widest } = output;
  return { colours: output.hasColors?.() ?? false, width: Math.min(columns, widest) };
}

/** A line on a terminal that is overwritten: each text replaces the one before. Elsewhere nothing is written. */
export function createStatusLine(stream: Output): (text: string) => void {
  return (text) => {
    if (!stream.isTTY) return;
    const line = visible(text.replaceAll(/\s+/g, ' ')).slice(0, 79);
    stream.write(`\r\u001b[2K${line}`);
  };
}

/** What an error that is a fault of this program is called. */
export function describeInternalError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const shown = visible(message).slice(0, 500);
  return `livestream-mock: internal error in livestream-mock, please report it: ${shown}`;
}
