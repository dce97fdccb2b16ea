import { requirements } from '../conformance/checks/catalogue.ts';
import { type Area, areas, type Level } from '../conformance/model/requirement.ts';
import type { ProviderChoice } from '../conformance/providers/choice.ts';
import type { TerminalOptions } from '../conformance/report/terminal/terminal.ts';
import { mockOrigin } from '../conformance/report/text/wording.ts';
import { type Deviations, parseDeviations } from '../conformance/run/deviations.ts';
import type { RunOptions } from '../conformance/run.ts';
import { readAddress } from '../conformance/target/target.ts';
import { controlPath } from '../mocks/http/routes.ts';
import { createMock } from '../mocks/mock.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { ArgumentError, asOptions, type OptionValues, readOptions } from './arguments.ts';
import { askPerson } from './ask.ts';
import { writeMediaFile } from './media-file.ts';
import { checkOptions } from './options.ts';
import { readText, requireReportFiles } from './report-files.ts';

type Values = OptionValues<typeof checkOptions>;

/** What a check is to judge and to write. */
interface Check {
  readonly runOptions: RunOptions;
  readonly reportFiles: readonly string[];
  readonly detail: NonNullable<TerminalOptions['detail']>;
}

/**
 * Reads the arguments of `livestream-mock check`. Media for an encoder is written to `folder`, a temporary
 * one; `signal` ends a question to the person at the terminal.
 * @throws ArgumentError
 */
export async function readCheck(
  args: string[],
  folder: string,
  signal: AbortSignal,
): Promise<Check> {
  const values = readOptions(args, checkOptions);
  requireReportFiles(values.report);
  const level = readLevel(values.level);
  requireFittingSource(values);
  const target = readTarget(values);
  const provider = await readProvider(values, folder, signal);
  const runOptions: RunOptions = {
    ...target,
    ...(provider && { provider }),
    ...(level && { level }),
    ...(values.area.length > 0 && { areas: readAreas(values.area) }),
    ...(values.only.length > 0 && { only: values.only }),
    ...(values.deviations && { deviations: await readDeviations(values.deviations) }),
    readOnly: values['read-only'],
    timeout: readTime('--timeout', values.timeout),
    patience: readTime('--patience', values.patience),
    waitFor: readTime('--wait-for', values['wait-for']),
  };
  return { runOptions, reportFiles: values.report, detail: readDetail(values) };
}

function readDetail({ quiet, verbose }: Values): Check['detail'] {
  if (quiet && verbose) {
    throw new ArgumentError('output: expected one of --quiet and --verbose, got both');
  }
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

function readTarget(values: Values): Pick<RunOptions, 'baseUrl' | 'apiKey' | 'send' | 'provider'> {
  const baseUrl = values['base-url'];
  if (values.mock === (baseUrl !== undefined)) {
    const got = values.mock ? 'both' : 'neither';
    throw new ArgumentError(`target: expected one of --base-url URL and --mock, got ${got}`);
  }
  if (baseUrl === undefined) return mockTarget(values['read-only']);
  asOptions(() => readAddress('baseUrl', baseUrl));
  return { baseUrl, apiKey: readApiKey(values['api-key']) };
}

/** The API key of the option, or of the environment. @throws ArgumentError if there is none */
export function readApiKey(given: string | undefined): string {
  const apiKey = given ?? process.env['LIVESTREAM_API_KEY'];
  if (apiKey) return apiKey;
  throw new ArgumentError(
    'option --api-key: expected a key, or one in the environment variable LIVESTREAM_API_KEY, got none',
  );
}

/** A mock in this process: it needs no port, and goes live through its control API. */
function mockTarget(readOnly: boolean): ReturnType<typeof readTarget> {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  return {
    baseUrl: mockOrigin + mock.prefix,
    apiKey: mock.apiKey,
    send: mock.fetch,
    ...(!readOnly && { provider: { controlUrl: mockOrigin + controlPath } }),
  };
}

const sources = ['recorded-stream', 'control-url', 'ingest-command', 'manual'] as const;

/** Refuses more than one source of recorded sessions, and one that does not fit the other options. */
function requireFittingSource(values: Values): void {
  const chosen = sources.filter((name) => values[name] !== undefined && values[name] !== false);
  if (values.mock && chosen.length > 0) {
    throw new ArgumentError(
      `recorded session: expected no --${chosen[0]} beside --mock, which goes live by itself`,
    );
  }
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

/** Who goes live, as the options say. @throws ArgumentError */
export async function readProvider(
  values: Pick<Values, 'recorded-stream' | 'control-url' | 'ingest-command' | 'manual'>,
  folder: string,
  signal: AbortSignal,
): Promise<ProviderChoice | undefined> {
  const recordedStream = values['recorded-stream'];
  const controlUrl = values['control-url'];
  const command = values['ingest-command'];
  if (recordedStream !== undefined) return { recordedStream };
  if (controlUrl !== undefined) {
    asOptions(() => readAddress('controlUrl', controlUrl));
    return { controlUrl };
  }
  if (command !== undefined) {
    return { ingestCommand: { command, mediaFile: await writeMediaFile(folder) } };
  }
  return values.manual ? readManual(signal) : undefined;
}

function readManual(signal: AbortSignal): ProviderChoice {
  if (process.stdin.isTTY) return { ask: (text) => askPerson(text, signal) };
  throw new ArgumentError(
    'option --manual: expected a terminal with a person at it, got input from elsewhere',
  );
}

function readAreas(names: readonly string[]): readonly Area[] {
  const unknown = names.find((name) => !areas.includes(name as Area));
  if (unknown === undefined) return names as readonly Area[];
  throw new ArgumentError(`option --area: expected one of ${areas.join(', ')}, got "${unknown}"`);
}

function readLevel(level: string | undefined): Level | undefined {
  if (level === undefined || level === 'must' || level === 'should') return level;
  throw new ArgumentError(`option --level: expected must or should, got "${level}"`);
}

async function readDeviations(file: string): Promise<Deviations> {
  try {
    return parseDeviations(await readText(file), requirements);
  } catch (error) {
    throw new ArgumentError(`option --deviations: ${file}: ${(error as Error).message}`);
  }
}

/** Milliseconds of a duration. @throws ArgumentError */
export function readTime(option: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new ArgumentError(`option ${option}: ${(error as Error).message}`);
  }
}
