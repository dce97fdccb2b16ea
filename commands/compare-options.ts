import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { readAddress } from '../conformance/target/target.ts';
import type { ComparedTarget, CompareOptions } from '../fidelity/compare/options.ts';
import { comparisonRenderer } from '../fidelity/compare/report/render.ts';
import { type KnownDifference, parseKnown, pathPattern } from '../fidelity/compare/search/known.ts';
import { ArgumentError, readOptions, readWhole } from './arguments.ts';
import { readDialect } from './dialect-file.ts';
import { compareOptions } from './options.ts';
import { readText } from './report-files.ts';
import {
  readAddressAndKey,
  readOtherKey,
  readProvider,
  readTime,
  readTimes,
} from './target-options.ts';

/** What is to be compared and written. */
interface Compare {
  readonly options: CompareOptions;
  readonly reportFiles: readonly string[];
}

/**
 * Reads the arguments of `livestream-mock compare`. Media for an encoder is written to `folder`, a
 * temporary one; `signal` ends a question to the person at the terminal.
 * @throws ArgumentError
 */
export async function readCompare(
  args: string[],
  folder: string,
  signal: AbortSignal,
): Promise<Compare> {
  const values = readOptions(args, compareOptions);
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
  requireReports(values.report);
  const target = readAddressAndKey(baseUrl, values['api-key']);
  const otherApiKey = readOtherKey(values['other-api-key'], target.apiKey);
  const provider = await readProvider({ ...values, 'recorded-stream': undefined }, folder, signal);
  const limits = readTimes(values);
  const options: CompareOptions = {
    ...target,
    ...limits,
    ...(otherApiKey !== undefined && { otherApiKey }),
    ...(provider && { provider }),
    ...(values.dialect !== undefined && {
      dialect: await readDialect('--dialect', values.dialect),
      dialectFile: values.dialect,
    }),
    ...(values.with !== undefined && { other: { ...limits, ...(await readSecond(values.with)) } }),
    ...(values.known !== undefined && { known: await readKnown(values.known) }),
    ...(values.path !== undefined && { path: readPath(values.path) }),
    seed: readWhole('--seed', values.seed, 0, 2 ** 31 - 1),
    time: readTime('--time', values.time),
  };
  return { options, reportFiles: values.report };
}

const secondSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  controlUrl: z.string().optional(),
});

async function readSecond(file: string): Promise<ComparedTarget> {
  const text = await readText(file).catch((error: Error) => {
    throw new ArgumentError(`option --with: ${file}: ${error.message}`);
  });
  try {
    const { baseUrl, apiKey, controlUrl } = secondSchema.parse(JSON.parse(text));
    readAddress('baseUrl', baseUrl);
    return { file, baseUrl, apiKey, ...(controlUrl !== undefined && { provider: { controlUrl } }) };
  } catch {
    throw new ArgumentError(
      `option --with: ${file}: expected a file with {"baseUrl","controlUrl","apiKey"}, as serve --json prints it`,
    );
  }
}

async function readKnown(file: string): Promise<readonly KnownDifference[]> {
  try {
    return parseKnown(await readText(file));
  } catch (error) {
    throw new ArgumentError(`option --known: ${file}: ${(error as Error).message}`);
  }
}

function readPath(path: string): string {
  if (pathPattern.test(path)) return path;
  throw new ArgumentError(`option --path: expected a path such as 17:0,4, got "${path}"`);
}

function requireReports(files: readonly string[]): void {
  for (const file of files) {
    try {
      comparisonRenderer(file);
    } catch (error) {
      throw new ArgumentError(`option --report: ${(error as Error).message}`);
    }
    if (!existsSync(dirname(file))) {
      throw new ArgumentError(
        `option --report: ${file}: the folder ${dirname(file)} does not exist; make it first`,
      );
    }
  }
}
