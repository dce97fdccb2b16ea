import { quote } from '../curl.ts';
import type { LearnOptions } from '../fidelity/learn/ask-target.ts';
import { type AskedRoute, parseRoutes } from '../fidelity/learn/routes-file.ts';
import { ArgumentError, type OptionValues, readOptions, readWhole } from './arguments.ts';
import { checkOptions, learnOptions } from './options.ts';
import { readReviewed, requireFolder } from './report-files.ts';
import type { Run } from './run-on-target.ts';
import {
  readAddressAndKey,
  readOtherKey,
  readPageOrigin,
  readProvider,
  readTimes,
  requireFittingSource,
} from './target-options.ts';

/** The options of `livestream-mock learn` as they were given. */
export type LearnValues = OptionValues<typeof learnOptions>;

/** What is to be learned and written. */
interface Learn {
  readonly options: LearnOptions;
  readonly values: LearnValues;
}

/** Reads the arguments of `livestream-mock learn`. @throws ArgumentError */
export async function readLearn(args: string[], run: Run): Promise<Learn> {
  const values = readOptions(args, learnOptions);
  requireOutput(values);
  requireFittingSource(values);
  const baseUrl = values['base-url'];
  if (baseUrl === undefined) {
    throw new ArgumentError('target: expected --base-url URL, got none');
  }
  const target = readAddressAndKey(baseUrl, values['api-key'], run.own.env);
  const otherApiKey = readOtherKey(values['other-api-key'], target.apiKey);
  const streams = readWhole('--streams', values.streams, 3, 100_000);
  const provider = await readProvider(values, run);
  const options: LearnOptions = {
    ...target,
    ...(otherApiKey !== undefined && { otherApiKey }),
    ...(provider && { provider }),
    ...readPageOrigin(values.origin),
    readOnly: values['read-only'],
    streams,
    ...(await readRoutes(values, target.baseUrl)),
    ...readTimes(values),
  };
  return { options, values };
}

const writingMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Reads which routes are asked for, and with which methods that write. @throws ArgumentError */
async function readRoutes(
  { routes, allow, check, 'read-only': readOnly }: LearnValues,
  baseUrl: string,
): Promise<Pick<LearnOptions, 'routes' | 'allow'>> {
  const other = allow.find((method) => !writingMethods.includes(method));
  if (other !== undefined) {
    throw new ArgumentError(
      `option --allow: expected one of ${writingMethods.join(', ')}, got "${other}"`,
    );
  }
  if (allow.length > 0 && readOnly) {
    throw new ArgumentError('option --allow: expected no --read-only beside it, got both');
  }
  if (allow.length > 0 && (routes ?? check) === undefined) {
    throw new ArgumentError('option --allow: expected --routes FILE beside it, got none');
  }
  if (routes === undefined) return { allow };
  const parse = (text: string): AskedRoute[] => parseRoutes(text, baseUrl);
  return { allow, routes: await readReviewed('--routes', routes, parse) };
}

/** Refuses more or less than one output, and a file in a folder that does not exist, before a long run. */
function requireOutput({ out, check, evidence, force }: LearnValues): void {
  if ((out === undefined) === (check === undefined)) {
    const got = out === undefined ? 'neither' : 'both';
    throw new ArgumentError(`output: expected one of --out FILE and --check FILE, got ${got}`);
  }
  const needsOut = evidence !== undefined ? 'evidence' : force ? 'force' : undefined;
  if (check !== undefined && needsOut !== undefined) {
    throw new ArgumentError(`option --${needsOut}: expected --out beside it, got --check`);
  }
  for (const file of [out, evidence]) if (file !== undefined) requireFolder('output', file);
}

/** The `check` command for the same service, without its key. */
export function checkCommandOf(values: LearnValues): string {
  const words = Object.entries(learnOptions).flatMap(([name, option]) => {
    const value = values[name as keyof LearnValues];
    const isUsual = value === undefined || ('default' in option && value === option.default);
    if (isUsual || value === false || name.endsWith('api-key') || !(name in checkOptions))
      return [];
    return value === true ? [`--${name}`] : [`--${name}`, asWord(String(value))];
  });
  return ['livestream-mock check', ...words].join(' ');
}

/** A value as one word of a shell. */
function asWord(value: string): string {
  return /^[\w./:@%+=,-]+$/.test(value) ? value : quote(value);
}
