import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Blocked } from '../failure.ts';
import type { Encoder } from './provider.ts';

/** What an ingest command is told. */
export interface CommandOptions {
  /** The owner's own command line, run by the shell. Nothing from the target becomes part of it. */
  readonly command: string;
  /** A media file to send. */
  readonly mediaFile: string;
  /** Milliseconds after which the command is ended, beyond the session's own length. */
  readonly patience: number;
}

/** Goes live by a command, which finds `STREAM_KEY`, `STREAM_ID` and `MEDIA_FILE` in its environment. */
export function commandProvider({ command, mediaFile, patience }: CommandOptions): Encoder {
  return {
    name: 'command',
    async broadcast({ id, streamKey }, seconds) {
      if (streamKey === undefined) {
        throw new Blocked('going live by a command: the target gave no streamKey to ingest with');
      }
      const environment = { STREAM_KEY: streamKey, STREAM_ID: id, MEDIA_FILE: mediaFile };
      // The shell runs in a group of its own, so that what it started ends with it.
      const child = spawn(command, {
        shell: true,
        stdio: 'ignore',
        detached: true,
        env: { ...process.env, ...withoutNul(environment) },
      });
      const timer = setTimeout(() => endGroup(child.pid), patience + seconds * 1000);
      const [status] = await once(child, 'close').finally(() => clearTimeout(timer));
      if (status !== 0) {
        throw new Blocked(
          `going live by a command: expected it to end with status 0, got ${status ?? 'a signal, as it took too long'}`,
        );
      }
      return undefined;
    },
  };
}

/** The environment cannot carry NUL; a target that sends one gets nothing through. */
function withoutNul(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replaceAll('\0', '')]),
  );
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
