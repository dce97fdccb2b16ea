import type { ProviderChoice } from '../conformance/providers/choice.ts';
import { readAddress } from '../conformance/target/target.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { ArgumentError, asOptions, type OptionValues } from './arguments.ts';
import { askPerson } from './ask.ts';
import { writeMediaFile } from './media-file.ts';
import type { TargetOptions } from './options.ts';
import type { Run } from './run-on-target.ts';

/** The options that every command has which sends requests to a service. */
type TargetValues = OptionValues<TargetOptions>;

/** The base address and the API key, from the option or the environment. @throws ArgumentError */
export function readAddressAndKey(
  baseUrl: string,
  key: string | undefined,
  env: NodeJS.ProcessEnv,
): { baseUrl: string; apiKey: string } {
  asOptions(() => readAddress('baseUrl', baseUrl));
  const apiKey = key ?? env['LIVESTREAM_API_KEY'];
  if (!apiKey) {
    throw new ArgumentError(
      'option --api-key: expected a key, or one in the environment variable LIVESTREAM_API_KEY, got none',
    );
  }
  return { baseUrl, apiKey };
}

/** The key of another account. @throws ArgumentError for the account's own key */
export function readOtherKey(otherApiKey: string | undefined, apiKey: string): string | undefined {
  if (otherApiKey !== apiKey) return otherApiKey;
  throw new ArgumentError(
    'option --other-api-key: expected the key of another account, got the same key as for --api-key',
  );
}

/** The `Origin` of a page. @throws ArgumentError */
export function readPageOrigin(origin: string | undefined): { origin?: string } {
  if (origin === undefined) return {};
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/i.test(origin)) return { origin };
  throw new ArgumentError(
    `option --origin: expected one such as https://app.example.test, got ${JSON.stringify(origin)}`,
  );
}

/** The times of a command, in milliseconds. @throws ArgumentError */
export function readTimes(
  values: Pick<TargetValues, 'timeout' | 'patience' | 'wait-for'>,
): Record<'timeout' | 'patience' | 'waitFor', number> {
  return {
    timeout: readTime('--timeout', values.timeout),
    patience: readTime('--patience', values.patience),
    waitFor: readTime('--wait-for', values['wait-for']),
  };
}

/** Milliseconds of a duration. @throws ArgumentError */
export function readTime(option: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new ArgumentError(`option ${option}: ${(error as Error).message}`);
  }
}

const sources = ['recorded-stream', 'control-url', 'ingest-command', 'manual'] as const;

/** The given sources of recorded sessions. */
export function chosenSources(values: Pick<TargetValues, (typeof sources)[number]>): string[] {
  return sources.filter((name) => values[name] !== undefined && values[name] !== false);
}

/** Refuses more than one source of recorded sessions, and one that does not fit the other options. */
export function requireFittingSource(values: TargetValues): void {
  const chosen = chosenSources(values);
  if (chosen.length > 1) {
    throw new ArgumentError(
      'recorded session: expected one of --recorded-stream, --control-url, --ingest-command and --manual, got more',
    );
  }
  if (values['read-only'] && chosen.some((name) => name !== 'recorded-stream')) {
    throw new ArgumentError(
      `option --read-only: expected no option that goes live beside it, got --${chosen}; give --recorded-stream instead`,
    );
  }
}

/** Where sessions come from. Media for an encoder is written to the folder of the run. @throws ArgumentError */
export async function readProvider(
  values: Pick<TargetValues, (typeof sources)[number]>,
  run: Run,
): Promise<ProviderChoice | undefined> {
  const recordedStream = values['recorded-stream'];
  const controlUrl = values['control-url'];
  const command = values['ingest-command'];
  if (recordedStream === '') {
    throw new ArgumentError(
      'option --recorded-stream: expected the id of a stream, got an empty text',
    );
  }
  if (recordedStream !== undefined) return { recordedStream };
  if (controlUrl !== undefined) {
    asOptions(() => readAddress('controlUrl', controlUrl));
    return { controlUrl };
  }
  if (command !== undefined) {
    return { ingestCommand: { command, mediaFile: await writeMediaFile(run.folder) } };
  }
  return values.manual ? readManual(run) : undefined;
}

function readManual({ own, signal }: Run): ProviderChoice {
  if (own.stdin.isTTY) return { ask: (text) => askPerson(text, own, signal) };
  throw new ArgumentError(
    'option --manual: expected a terminal with a person at it, got input from elsewhere',
  );
}
