import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ProviderChoice } from '../conformance/providers/choice.ts';
import { Blocked } from '../conformance/target/failure.ts';
import { readAddress } from '../conformance/target/target.ts';
import { readAll } from '../mocks/media/bytes.ts';
import { loadLoops, sourceLoop } from '../mocks/media/loop.ts';
import { createMp4 } from '../mocks/media/mp4.ts';
import { framesIn } from '../mocks/media/timeline.ts';
import {
  ArgumentError,
  asDuration,
  asText,
  flag,
  type OptionValues,
  optional,
  preset,
} from './options.ts';
import type { CommandProcess } from './process.ts';
import type { TargetRun } from './run-on-target.ts';

/** The key of a target. */
export const ownKey = {
  apiKey: optional('KEY', '', 'API key; or the environment variable LIVESTREAM_API_KEY', asText),
};

/** What goes live. */
export const encoder = {
  controlUrl: optional('URL', '', 'sessions come from a control API, or', readUrl('controlUrl')),
  ingestCommand: optional(
    'CMD',
    '',
    '  from a command that goes live with STREAM_KEY,\n  STREAM_ID and MEDIA_FILE in its environment, or',
    asText,
  ),
  manual: flag('  from you, when you are asked to go live'),
};

/** The key, where recorded sessions come from, and whether anything may be written. */
export const access = {
  ...ownKey,
  recordedStream: optional('ID', '', 'a recorded session comes from this stream, or', streamId),
  ...encoder,
  readOnly: flag('send no request that writes'),
};

/** How the service behaves to others. */
export const others = {
  otherApiKey: optional('KEY', '', 'a key of another account', asText),
  origin: optional('ORIGIN', '', 'origin of your page, if only some may call', pageOrigin),
};

/** How long a target may take. */
export const times = {
  timeout: preset('T', '10s', 'longest time for one response', asDuration),
  waitFor: preset('T', '0', 'longest wait for the target to start', asDuration),
  patience: preset('T', '2m', 'longest wait for a recording', asDuration),
};

/** Checks the base address of a target, or that of its control API; it stays a text. */
export function readUrl(name: 'baseUrl' | 'controlUrl'): (text: string) => string {
  return (text) => {
    readAddress(name, text);
    return text;
  };
}

function streamId(text: string): string {
  if (text !== '') return text;
  throw new Error('expected the id of a stream, got an empty text');
}

function pageOrigin(origin: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/i.test(origin)) return origin;
  throw new Error(`expected one such as https://app.example.test, got ${JSON.stringify(origin)}`);
}

/** Where sessions can come from: from one of these. */
export const encoderSources = ['controlUrl', 'ingestCommand', 'manual'] as const;
export const sources = ['recordedStream', ...encoderSources] as const;

/** What only reads cannot go live. */
export const readOnlyGroups = [
  ['readOnly', 'controlUrl'],
  ['readOnly', 'ingestCommand'],
  ['readOnly', 'manual'],
] as const;

/** The API key, from the option or the environment, and where sessions come from. @throws ArgumentError */
export async function readAccess(
  values: Sources & OptionValues<typeof ownKey> & Partial<OptionValues<typeof others>>,
  run: TargetRun,
): Promise<{ apiKey: string; provider: ProviderChoice | undefined }> {
  const apiKey = values.apiKey ?? run.own.env['LIVESTREAM_API_KEY'];
  if (!apiKey) {
    throw new ArgumentError(
      'option --api-key: expected a key, or one in the environment variable LIVESTREAM_API_KEY, got none',
    );
  }
  if (values.otherApiKey === apiKey) {
    throw new ArgumentError(
      'option --other-api-key: expected the key of another account, got the same key as for --api-key',
    );
  }
  return { apiKey, provider: await readProvider(values, run) };
}

type Sources = OptionValues<typeof encoder> &
  Partial<OptionValues<Pick<typeof access, 'recordedStream'>>>;

async function readProvider(
  { recordedStream, controlUrl, ingestCommand: command, manual }: Sources,
  { own, folder, interruption }: TargetRun,
): Promise<ProviderChoice | undefined> {
  if (recordedStream !== undefined) return { recordedStream };
  if (controlUrl !== undefined) return { controlUrl };
  if (command !== undefined) {
    return { ingestCommand: { command, mediaFile: await writeMediaFile(folder) } };
  }
  if (!manual) return undefined;
  if (own.stdin.isTTY) return { ask: (text) => askPerson(text, own, interruption.signal) };
  throw new ArgumentError('option --manual: expected a terminal, got input from a pipe or file');
}

const mediaSeconds = 10;

/** Writes an MP4 for an encoder to send into a folder; returns its path. */
async function writeMediaFile(folder: string): Promise<string> {
  const file = join(folder, 'media.mp4');
  const source = createMp4(sourceLoop(await loadLoops()), framesIn(mediaSeconds));
  await writeFile(file, readAll(source));
  return file;
}

/**
 * Asks the person at the terminal to do something, and waits for Enter.
 * @throws Blocked when the input ends; an AbortError when `signal` is aborted.
 */
async function askPerson(
  text: string,
  { stdin, stderr }: CommandProcess,
  signal: AbortSignal,
): Promise<void> {
  const inputEnded = new Blocked('a person to go live: the input has ended');
  if (stdin.readableEnded) throw inputEnded;
  // With `terminal: true`, readline would handle Ctrl-C and the process would get no SIGINT.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(inputEnded)));
  try {
    await Promise.race([lines.question(`${text}; then press Enter. `, { signal }), ended]);
  } finally {
    ended.catch(() => {});
    lines.close();
  }
}
