import { quote } from '../curl.ts';
import type { LearnOptions } from '../fidelity/learn/ask-target.ts';
import { parseRoutes } from '../fidelity/learn/routes-file.ts';
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
  requireWriting(values.allow);
  if (values.allow.length > 0 && values.routes === undefined) {
    throw new ArgumentError('option --allow: expected --routes FILE beside it, got none');
  }
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
    allow: values.allow,
    ...(values.routes !== undefined && {
      routes: await readReviewed('--routes', values.routes, (text) => parseRoutes(text, baseUrl)),
    }),
    ...readTimes(values),
  };
  return { options, values };
}

/** Refuses what is no method that writes. */
function requireWriting(methods: readonly string[]): void {
  const other = methods.find((method) => !/^(POST|PUT|PATCH|DELETE)$/.test(method));
  if (other === undefined) return;
  throw new ArgumentError(
    `option --allow: expected one of POST, PUT, PATCH, DELETE, got "${other}"`,
  );
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
