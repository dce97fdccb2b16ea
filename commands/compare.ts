import * as z from 'zod';
import { parseReviewed } from '../conformance/run/reviewed-file.ts';
import { readAddress } from '../conformance/target/target.ts';
import { type ComparedTarget, type CompareOptions, compare } from '../fidelity/compare/compare.ts';
import { comparisonStatus, parseKnown } from '../fidelity/compare/comparison.ts';
import { parseArchive } from '../fidelity/compare/replay.ts';
import { comparisonRenderer, howMany, renderComparison } from '../fidelity/compare/report.ts';
import { ArgumentError, type OptionValues, readOptions, readWhole } from './arguments.ts';
import { readDialect } from './dialect-file.ts';
import { compareOptions } from './options.ts';
import { type CommandProcess, lookOf } from './process.ts';
import { readReviewed, readText, requireFolder, writeOutput } from './report-files.ts';
import { type Run, runOnTarget } from './run-on-target.ts';
import {
  readAddressAndKey,
  readOtherKey,
  readPageOrigin,
  readProvider,
  readTime,
  readTimes,
} from './target-options.ts';

/** `livestream-mock compare`: finds out how a service differs from a mock, or from another service. @throws ArgumentError */
export function compareCommand(args: string[], own: CommandProcess): Promise<number> {
  return runOnTarget(own, async (started) => {
    const { signal, cleanUpSignal, onFault, showProgress } = started;
    const values = readOptions(args, compareOptions);
    const options = await readCompare(values, started);
    const onProgress = (operations: number, differences: number): void =>
      showProgress(`${howMany(operations, 'operation')}, ${howMany(differences, 'difference')}`);
    const comparison = await compare({ ...options, onProgress, signal, cleanUpSignal, onFault });
    showProgress('');
    for (const file of values.report) {
      await writeOutput('option --report', file, comparisonRenderer(file)(comparison));
    }
    const look = { width: 100, ...lookOf(own.stdout, 120) };
    return { text: renderComparison(comparison, look), exitStatus: comparisonStatus(comparison) };
  });
}

/** What is compared, and how. @throws ArgumentError */
async function readCompare(
  values: OptionValues<typeof compareOptions>,
  run: Run,
): Promise<CompareOptions> {
  const baseUrl = values['base-url'];
  if (baseUrl === undefined) {
    throw new ArgumentError('option --base-url: expected the base address of a service, got none');
  }
  if (values.dialect !== undefined && values.with !== undefined) {
    throw new ArgumentError('options: expected one of --dialect and --with, got both');
  }
  if (values['other-api-key'] !== undefined && values.with !== undefined) {
    throw new ArgumentError(
      'option --other-api-key: expected no --with beside it, as the second service has only one key',
    );
  }
  if (values.har !== undefined && (values.dialect ?? values.with) !== undefined) {
    throw new ArgumentError(
      'option --har: expected no --dialect and no --with beside it, as the archive is what is compared with',
    );
  }
  requireReports(values.report);
  const target = readAddressAndKey(baseUrl, values['api-key'], run.own.env);
  const otherApiKey = readOtherKey(values['other-api-key'], target.apiKey);
  const provider = await readProvider({ ...values, 'recorded-stream': undefined }, run);
  const limits = readTimes(values);
  return {
    ...target,
    ...limits,
    ...(otherApiKey !== undefined && { otherApiKey }),
    ...readPageOrigin(values.origin),
    ...(provider && { provider }),
    ...(values.dialect !== undefined && {
      dialect: await readDialect('--dialect', values.dialect),
      dialectFile: values.dialect,
    }),
    ...(values.har !== undefined && {
      archive: await readReviewed('--har', values.har, parseArchive),
      archiveFile: values.har,
    }),
    ...(values.with !== undefined && { other: { ...limits, ...(await readSecond(values.with)) } }),
    ...(values.known !== undefined && {
      known: await readReviewed('--known', values.known, parseKnown),
    }),
    seed: readWhole('--seed', values.seed, 0, 2 ** 31 - 1),
    time: readSearchTime(values.time),
  };
}

/** The keys of the line that `serve --json` prints; it may have others. */
const secondSchema = z.object(
  {
    baseUrl: z.string('a text'),
    apiKey: z.string('a text'),
    controlUrl: z.string('a text').optional(),
  },
  '{"baseUrl","controlUrl","apiKey"}, as serve --json prints it',
);

async function readSecond(file: string): Promise<ComparedTarget> {
  try {
    const { baseUrl, apiKey, controlUrl } = parseReviewed(await readText(file), secondSchema);
    readAddress('baseUrl', baseUrl);
    if (controlUrl === undefined) return { file, baseUrl, apiKey };
    readAddress('controlUrl', controlUrl);
    return { file, baseUrl, apiKey, provider: { controlUrl } };
  } catch (error) {
    throw new ArgumentError(`option --with: ${file}: ${(error as Error).message}`);
  }
}

function readSearchTime(text: string): number {
  const time = readTime('--time', text);
  if (time > 0) return time;
  throw new ArgumentError(`option --time: expected a time above 0, such as 60s, got "${text}"`);
}

function requireReports(files: readonly string[]): void {
  for (const file of files) {
    try {
      comparisonRenderer(file);
    } catch (error) {
      throw new ArgumentError(`option --report: ${(error as Error).message}`);
    }
    requireFolder('option --report', file);
  }
}
