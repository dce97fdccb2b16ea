import { requirements } from '../conformance/checks/catalogue.ts';
import { type Area, areas, type Level } from '../conformance/model/requirement.ts';
import type { TerminalOptions } from '../conformance/report/terminal.ts';
import { mockOrigin } from '../conformance/report/wording.ts';
import { type Deviations, parseDeviations } from '../conformance/run/deviations.ts';
import type { RunOptions } from '../conformance/run.ts';
import { controlPath } from '../mocks/http/routes.ts';
import { createMock } from '../mocks/mock.ts';
import { ArgumentError, type OptionValues, readOptions } from './arguments.ts';
import { checkOptions } from './options.ts';
import { readText, requireReportFiles } from './report-files.ts';
import type { Run } from './run-on-target.ts';
import {
  chosenSources,
  readAddressAndKey,
  readProvider,
  readTimes,
  requireFittingSource,
} from './target-options.ts';

type Values = OptionValues<typeof checkOptions>;

/** What a check is to judge and to write. */
interface Check {
  readonly runOptions: RunOptions;
  readonly reportFiles: readonly string[];
  readonly detail: NonNullable<TerminalOptions['detail']>;
}

/** Reads the arguments of `livestream-mock check`. @throws ArgumentError */
export async function readCheck(args: string[], run: Run): Promise<Check> {
  const values = readOptions(args, checkOptions);
  requireReportFiles(values.report);
  const level = readLevel(values.level);
  refuseSourceBesideMock(values);
  requireFittingSource(values);
  const target = readTarget(values, run.own.env);
  const provider = await readProvider(values, run);
  const runOptions: RunOptions = {
    ...target,
    ...(provider && { provider }),
    ...(level && { level }),
    ...(values.area.length > 0 && { areas: readAreas(values.area) }),
    ...(values.only.length > 0 && { only: values.only }),
    ...(values.deviations && { deviations: await readDeviations(values.deviations) }),
    readOnly: values['read-only'],
    ...readTimes(values),
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

function readTarget(
  values: Values,
  env: NodeJS.ProcessEnv,
): Pick<RunOptions, 'baseUrl' | 'apiKey' | 'send' | 'provider'> {
  const baseUrl = values['base-url'];
  if (values.mock === (baseUrl !== undefined)) {
    const got = values.mock ? 'both' : 'neither';
    throw new ArgumentError(`target: expected one of --base-url URL and --mock, got ${got}`);
  }
  if (baseUrl === undefined) return mockTarget(values['read-only']);
  return readAddressAndKey(baseUrl, values['api-key'], env);
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

function refuseSourceBesideMock(values: Values): void {
  const [chosen] = chosenSources(values);
  if (values.mock && chosen !== undefined) {
    throw new ArgumentError(
      `recorded session: expected no --${chosen} beside --mock, which goes live by itself`,
    );
  }
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
