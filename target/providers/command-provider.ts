import { visible } from '../../text/visible.ts';
import { Blocked } from '../requests/failure.ts';
import type { Encoder } from './provider.ts';
import { runShellCommand } from './shell-command.ts';

/** An ingest command and its limits. */
export interface CommandOptions {
  /** A command line for the shell. Nothing from the target becomes part of it. */
  readonly command: string;
  /** A media file to send. */
  readonly mediaFile: string;
  /** Milliseconds that the command may take longer than the session lasts. */
  readonly patience: number;
  /** Aborted if the command must end at once. */
  readonly stopSignal: AbortSignal;
}

/** The length of the media file in seconds. */
export const mediaFileSeconds = 10;

/** Goes live with a command that reads `STREAM_KEY`, `STREAM_ID` and `MEDIA_FILE` from its environment. */
export function commandProvider(options: CommandOptions): Encoder {
  const { command, mediaFile, patience, stopSignal } = options;
  return {
    name: 'command',
    async broadcast({ id, streamKey }, seconds) {
      if (streamKey === undefined) {
        throw new Blocked('the ingest command needs a stream key, but the target gave none');
      }
      // The encoder does not need the suite's own key.
      const { LIVESTREAM_API_KEY: _, ...inherited } = process.env;
      const own = { STREAM_KEY: streamKey, STREAM_ID: id, MEDIA_FILE: mediaFile };
      const { failure, output } = await runShellCommand({
        command,
        environment: { ...inherited, ...own },
        limit: patience + seconds * 1000,
        politeSignal: 'SIGTERM',
        graceToEnd: 2_000,
        killSignal: stopSignal,
        kept: 'stderr',
        longestTail: 1_000,
      });
      if (failure === undefined) return undefined;
      throw new Blocked(`the ingest command ${failure}${describeOutput(output)}`);
    },
  };
}

/** The end of a command's error output, for a message; empty if it wrote nothing. */
function describeOutput(output: string): string {
  const lines = output.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : `; it wrote ${visible(lines.slice(-5).join(' / '))}`;
}
