import { visible } from '../conformance/model/visible.ts';
import { renderProgress } from '../conformance/report/terminal.ts';
import { redact } from '../conformance/run/redact.ts';
import type { AskedTarget, LearnOptions } from '../fidelity/learn/ask-target.ts';
import type { Observation } from '../fidelity/learn/asking/asking.ts';
import { findDrift, statedNames } from '../fidelity/learn/drift.ts';
import { renderEvidence } from '../fidelity/learn/evidence.ts';
import { type Learned, learn } from '../fidelity/learn/learn.ts';
import { renderDrift, renderLearned } from '../fidelity/learn/terminal.ts';
import { readDialect, renderDialect } from './dialect-file.ts';
import { checkCommandOf, type LearnValues, readLearn } from './learn-options.ts';
import type { CommandProcess } from './process.ts';
import { writeOutput } from './report-files.ts';
import { runOnTarget } from './run-on-target.ts';

/** What ends the process, by what came of it. */
const exitStatuses = { same: 0, drift: 1, unknown: 2, unreachable: 4 } as const;

/** What came of it, and what is written about it. */
interface Result {
  readonly exit: keyof typeof exitStatuses;
  readonly text: string;
}

/** `livestream-mock learn`: writes the dialect of a service, or compares it. @throws ArgumentError */
export function learnCommand(args: string[], own: CommandProcess): Promise<number> {
  return runOnTarget(own, async (started) => {
    const { signal, cleanUpSignal, onFault, showProgress } = started;
    const { options, values } = await readLearn(args, started);
    const onProgress = (done: number, total: number, id: string): void =>
      showProgress(renderProgress(done, total, id));
    const ask = values.check === undefined ? writeDialect : checkDialect;
    const { exit, text } = await ask(
      { ...options, onProgress, signal, cleanUpSignal, onFault },
      values,
    );
    return { text, exitStatus: exitStatuses[exit] };
  });
}

/** The keys that nothing may show. */
function keysOf({ apiKey, otherApiKey }: LearnOptions): string[] {
  return [apiKey, ...(otherApiKey === undefined ? [] : [otherApiKey])];
}

async function writeDialect(options: LearnOptions, values: LearnValues): Promise<Result> {
  const { out = '', evidence } = values;
  const keys = keysOf(options);
  const learned = await learn(options);
  const failed = whyNotAsked(learned, options);
  if (failed !== undefined) return failed;
  const found = renderLearned(learned, keys);
  const tooLittle = values.force ? undefined : await whyTooLittle(learned, out);
  if (tooLittle !== undefined) return { exit: 'unknown', text: `${found}\n${tooLittle}\n` };
  await writeOutput('output', out, renderDialect(learned.dialect));
  if (evidence !== undefined) {
    await writeOutput('output', evidence, renderEvidence(learned.observed, keys));
  }
  const withKey =
    values['api-key'] === undefined ? '' : ' (it reads the key from LIVESTREAM_API_KEY)';
  const count = statedNames(learned.dialect).length;
  const text = `${found}
${out} is written, with ${count} entries: where the service does other than the mock. This tells whether the service keeps the stated rules${withKey}:
  ${redact(checkCommandOf(values), keys)}
`;
  return { exit: 'same', text };
}

/** Why what was learned is not written, in a sentence; `undefined` if it says enough. */
async function whyTooLittle({ observed }: Learned, out: string): Promise<string | undefined> {
  const count = (wanted: Observation['outcome']): number =>
    [...observed.values()].filter(({ outcome }) => outcome === wanted).length;
  const [now, unsteady, unsayable] = [count('observed'), count('unsteady'), count('unsayable')];
  const ending =
    'Check --base-url and what the service says, or give --force to write it all the same.';
  // Of a service that answers by chance, more entries than these were the same twice.
  if (now <= 3 * unsteady + unsayable) {
    return `${out} is not written: ${now} entries were observed, ${unsteady} were not the same twice, and of ${unsayable} no dialect can say what the service does. ${ending}`;
  }
  const before = await entriesIn(out);
  const again = before.filter((name) => observed.get(name)?.outcome === 'observed').length;
  if (2 * again >= before.length) return undefined;
  return `${out} stays as it is: it has ${before.length} entries, of which ${again} were observed now. ${ending}`;
}

/** What a dialect in a file states of single operations and rows; nothing where there is none. */
async function entriesIn(file: string): Promise<string[]> {
  try {
    return statedNames(await readDialect('--out', file)).filter((name) => !name.includes('*'));
  } catch {
    return [];
  }
}

async function checkDialect(options: LearnOptions, { check = '' }: LearnValues): Promise<Result> {
  const dialect = await readDialect('--check', check);
  const drift = await findDrift(options, dialect);
  const failed = whyNotAsked(drift, options);
  if (failed !== undefined) return failed;
  const { found = { changes: [], unknown: [] }, leftBehind } = drift;
  const text = renderDrift(found, leftBehind, keysOf(options));
  if (found.changes.length > 0) return { exit: 'drift', text };
  return { exit: found.unknown.length > 0 ? 'unknown' : 'same', text };
}

/** Why nothing is known, if the service could not be asked; `undefined` if it was. */
function whyNotAsked(
  { unreachable, withoutSessions, leftBehind }: Omit<AskedTarget<unknown>, 'found'>,
  { signal, ...options }: LearnOptions,
): Result | undefined {
  const interrupted = signal?.aborted ? 'Interrupted: nothing is known.' : undefined;
  const reason = interrupted ?? unreachable ?? withoutSessions;
  if (reason === undefined) return undefined;
  const lines = [reason, ...leftBehind.map((line) => `left on the service: ${line}`)];
  const text = redact(lines, keysOf(options)).map((line) => `${visible(line)}\n`);
  return { exit: unreachable === undefined ? 'unknown' : 'unreachable', text: text.join('') };
}
