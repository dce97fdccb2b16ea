import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

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

/** A command; it resolves to its exit status. @throws ArgumentError */
export type Command = (args: string[], own: CommandProcess) => Promise<number>;

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
