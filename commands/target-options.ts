import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readAll } from '../mocks/media/bytes.ts';
import { framesIn } from '../mocks/media/frames.ts';
import { loadLoops, sourceLoop } from '../mocks/media/loop.ts';
import { createMp4 } from '../mocks/media/mp4.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { mediaFileSeconds } from '../target/providers/command-provider.ts';
import type { ProviderChoice } from '../target/providers/provider-choice.ts';
import { readExtraHeaders } from '../target/requests/extra-headers.ts';
import { Blocked } from '../target/requests/failure.ts';
import { readAddress } from '../target/requests/target.ts';
import type { InterruptibleRun } from './interruptible-run.ts';
import { asOrigin, asText, integer } from './option-values.ts';
import { flag, type OptionValues, onlyDefined, optional, preset, repeatable } from './options.ts';
import type { CommandProcess } from './process.ts';
import { ArgumentError, refuseTogether } from './read-arguments.ts';

/** The key, and how to go live. */
export const keyAndEncoder = {
  apiKey: optional('KEY', '$LIVESTREAM_API_KEY', 'API key of the service', asText),
  header: repeatable('NAME: VALUE', '', 'also send this header; repeatable', asHeader),
  controlUrl: optional('URL', '', 'make sessions through this control API', asUrl),
  ingestCommand: optional(
    'CMD',
    '',
    'make them with this command ($STREAM_KEY, $MEDIA_FILE)',
    asText,
  ),
  manual: flag('make them by hand, when asked to go live'),
};

/** The key, where recorded sessions come from, and whether anything may be written. */
export const access = {
  ...keyAndEncoder,
  recordedStream: optional('ID', '', 'use a recorded session of this stream instead', asText),
  readOnly: flag('send no request that changes anything'),
};

/** Other clients of the service. */
export const otherClients = {
  otherApiKey: optional('KEY', '', 'API key of another account', asText),
  origin: optional('ORIGIN', '', 'origin of your page, if the service allows only some', asOrigin),
};

/** Limits of rate and time for a target. */
export const timeLimits = {
  rate: optional('N', 'no limit', 'how many requests a second to send', integer(1, 100_000)),
  timeout: preset('T', '10s', 'time limit for one response', parseDuration),
  waitFor: preset('T', '0', 'how long to wait for the target to start', parseDuration),
  patience: preset('T', '2m', 'how long to wait for a recording', parseDuration),
};

/** Checks the address of a target, or of its control API. */
export function asUrl(text: string): string {
  readAddress('baseUrl', text);
  return text;
}

/** Reads a header as curl takes it. An exception never quotes the text, as it may hold a secret. */
function asHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error('expected NAME: VALUE, such as "X-Tenant: blue", got a text without a colon');
  }
  const header = [name.trim(), value.trim()] as const;
  readExtraHeaders(Object.fromEntries([header]));
  return header;
}

/** Where sessions can come from. Only one of these can be given. */
export const sources = ['recordedStream', 'controlUrl', 'ingestCommand', 'manual'] as const;

type Access = Partial<OptionValues<typeof access & typeof otherClients>>;

/**
 * The API key, from the option or the environment, and where sessions come from.
 * @throws ArgumentError without a key.
 */
export async function readAccess(values: Access, run: InterruptibleRun) {
  // A run that only reads cannot go live.
  const goingLive = sources.slice(1).map((source) => ['readOnly', source] as const);
  refuseTogether(values, [sources, ...goingLive]);
  const { otherApiKey, apiKey = run.host.env['LIVESTREAM_API_KEY'] } = values;
  if (!apiKey) {
    throw new ArgumentError(
      'option --api-key: expected a key, or one in the environment variable LIVESTREAM_API_KEY, got none',
    );
  }
  if (otherApiKey === apiKey) {
    throw new ArgumentError(
      'option --other-api-key: expected the key of another account, got the same key as for --api-key',
    );
  }
  return onlyDefined({
    apiKey,
    headers: readHeaders(values.header),
    provider: await readProvider(values, run),
  });
}

/** All headers by their names. @throws ArgumentError if one is given twice. */
function readHeaders(headers: Access['header'] = []): Readonly<Record<string, string>> {
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return Object.fromEntries(headers);
  throw new ArgumentError(`option --header: expected ${twice} once, got it several times`);
}

async function readProvider(
  { recordedStream, controlUrl, ingestCommand: command, manual }: Access,
  { host, folder, interruption }: InterruptibleRun,
): Promise<ProviderChoice | undefined> {
  if (recordedStream !== undefined) return { recordedStream };
  if (controlUrl !== undefined) return { controlUrl };
  if (command !== undefined) {
    return { ingestCommand: { command, mediaFile: await writeMediaFile(folder) } };
  }
  if (!manual) return undefined;
  if (host.stdin.isTTY) return { ask: (text) => askPerson(text, host, interruption.signal) };
  throw new ArgumentError('option --manual: expected a terminal, got input from a pipe or file');
}

/** Writes an MP4 for an encoder to send; returns its path. */
async function writeMediaFile(folder: string): Promise<string> {
  const file = join(folder, 'media.mp4');
  const source = createMp4(sourceLoop(await loadLoops()), framesIn(mediaFileSeconds));
  await writeFile(file, readAll(source));
  return file;
}

/**
 * Asks the person at the terminal to do something, and waits for Enter.
 * @throws Blocked if the input ends, and an AbortError if `signal` is aborted.
 */
async function askPerson(
  text: string,
  { stdin, stderr }: CommandProcess,
  signal: AbortSignal,
): Promise<void> {
  const inputEnded = new Blocked('needs a person to go live, but the input has ended');
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
