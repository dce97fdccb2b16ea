import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { visible } from '../conformance/model/visible.ts';
import { renderProgress } from '../conformance/report/terminal/terminal.ts';
import type { LearnOptions } from '../fidelity/learn/ask-target.ts';
import { findDrift } from '../fidelity/learn/drift.ts';
import { renderEvidence } from '../fidelity/learn/evidence.ts';
import { learn } from '../fidelity/learn/learn.ts';
import { renderDrift, renderLearned } from '../fidelity/learn/terminal.ts';
import {
  ArgumentError,
  asArgumentError,
  type OptionValues,
  readOptions,
  readWhole,
} from './arguments.ts';
import { readDialect, renderDialect } from './dialect-file.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { learnOptions } from './options.ts';
import { createStatusLine } from './status-line.ts';
import {
  readAddressAndKey,
  readProvider,
  readTimes,
  requireFittingSource,
} from './target-options.ts';

type Values = OptionValues<typeof learnOptions>;

/** What ends the process, by what came of it. */
const exitStatuses = { same: 0, drift: 1, unknown: 2, unreachable: 4 } as const;

type Exit = keyof typeof exitStatuses;

/** `livestream-mock learn`: writes the dialect of a service, or compares it. @throws ArgumentError */
export async function learnCommand(args: string[]): Promise<void> {
  // If the process ends before the result is written, it must not exit with 0.
  process.exitCode = 3;
  const interruption = listenForInterruption();
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
  try {
    const values = readValues(args);
    const options = await readLearn(values, folder, interruption);
    const exit = values.check === undefined ? learnTo : compareWith;
    const outcome = await exit(options, values, interruption.signal);
    process.exitCode = interruption.status() ?? exitStatuses[outcome];
  } catch (error) {
    throw asArgumentError(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
    interruption.release();
  }
}

function readValues(args: string[]): Values {
  const values = readOptions(args, learnOptions);
  const { out, check } = values;
  if ((out === undefined) === (check === undefined)) {
    const got = out === undefined ? 'neither' : 'both';
    throw new ArgumentError(`output: expected one of --out FILE and --check FILE, got ${got}`);
  }
  if (check !== undefined && values.evidence !== undefined) {
    throw new ArgumentError('option --evidence: expected --out beside it, got --check');
  }
  for (const file of [out, values.evidence]) {
    if (file !== undefined && !existsSync(dirname(file))) {
      throw new ArgumentError(
        `output: ${file}: the folder ${dirname(file)} does not exist; make it first`,
      );
    }
  }
  requireFittingSource(values);
  return values;
}

async function readLearn(
  values: Values,
  folder: string,
  { signal, cleanUpSignal }: Interruption,
): Promise<LearnOptions> {
  const { 'base-url': baseUrl, 'other-api-key': otherApiKey } = values;
  if (baseUrl === undefined) {
    throw new ArgumentError('target: expected --base-url URL, got none');
  }
  const provider = await readProvider(values, folder, signal);
  const status = createStatusLine(process.stderr);
  return {
    ...readAddressAndKey(baseUrl, values['api-key']),
    ...(otherApiKey !== undefined && { otherApiKey }),
    ...(provider && { provider }),
    readOnly: values['read-only'],
    streams: readWhole('--streams', values.streams, 3, 100_000),
    ...readTimes(values),
    ...{ signal, cleanUpSignal },
    onProgress: (done, total, id) =>
      status.show(done === total ? '' : renderProgress(done, total, id)),
  };
}

/** The keys that nothing may show. */
function keysOf({ apiKey, otherApiKey }: LearnOptions): string[] {
  return [apiKey, ...(otherApiKey === undefined ? [] : [otherApiKey])];
}

async function learnTo(
  options: LearnOptions,
  { out = '', evidence }: Values,
  stop: AbortSignal,
): Promise<Exit> {
  const learned = await learn(options);
  if (learned.unreachable !== undefined) return sayUnreachable(learned.unreachable);
  if (stop.aborted) return sayInterrupted(learned.leftBehind);
  await write(out, renderDialect(learned.dialect));
  if (evidence !== undefined) await write(evidence, renderEvidence(learned.rows, keysOf(options)));
  process.stdout.write(
    `${renderLearned(learned, keysOf(options))}
${out} is written. To see whether the service keeps the rules that the interface states:
livestream-mock check --base-url ${options.baseUrl}
`,
  );
  return 'same';
}

async function compareWith(
  options: LearnOptions,
  { check = '' }: Values,
  stop: AbortSignal,
): Promise<Exit> {
  const dialect = await readDialect('--check', check);
  const { found, unreachable = '', leftBehind } = await findDrift(options, dialect);
  if (found === undefined) return sayUnreachable(unreachable);
  process.stdout.write(renderDrift(found, leftBehind, keysOf(options)));
  if (stop.aborted) return 'unknown';
  if (found.changes.length > 0) return 'drift';
  return found.unknown.length > 0 ? 'unknown' : 'same';
}

function sayInterrupted(leftBehind: readonly string[]): Exit {
  const left = leftBehind.map((line) => `left on the service: ${visible(line)}\n`);
  process.stdout.write(`Interrupted; nothing is written.\n${left.join('')}`);
  return 'unknown';
}

function sayUnreachable(why: string): Exit {
  process.stdout.write(`${why}\n`);
  return 'unreachable';
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new ArgumentError(`output: cannot write ${file}: ${(error as Error).message}`);
  }
}
