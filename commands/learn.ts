import { existsSync, statSync } from 'node:fs';
import { type Drift, findDrift } from '../fidelity/learn/drift.ts';
import { type Learned, learn } from '../fidelity/learn/learn.ts';
import type { LearnOptions, ProbeReport } from '../fidelity/learn/probe-target.ts';
import type { Observation } from '../fidelity/learn/probing/prober.ts';
import { renderEvidence } from '../fidelity/learn/render-evidence.ts';
import {
  renderDialect,
  renderDrift,
  renderFailure,
  renderLearned,
} from '../fidelity/learn/render-learned.ts';
import { documentedWords, parseRoutes } from '../fidelity/learn/routes-file.ts';
import type { Dialect } from '../interface/dialect/dialect.ts';
import { differences } from '../interface/dialect/statements.ts';
import { headerSecrets } from '../target/requests/extra-headers.ts';
import { howMany } from '../text/phrases.ts';
import { schemaFor } from './dialect-schema.ts';
import { fileOf, outputFile, readDialect, writeOutput } from './files.ts';
import type { Ended, InterruptibleRun } from './interruptible-run.ts';
import { asText, integer, oneOf } from './option-values.ts';
import { flag, type OptionValues, optional, preset, repeatable } from './options.ts';
import type { Command } from './process.ts';
import { ArgumentError, readAs, refuseTogether } from './read-arguments.ts';
import { onTarget } from './run-on-target.ts';
import { access, asUrl, otherClients, readAccess, timeLimits } from './target-options.ts';

const writing = oneOf(['POST', 'PUT', 'PATCH', 'DELETE']);

const options = {
  baseUrl: preset('URL', '', 'base URL of the service to learn', asUrl),
  out: optional('FILE', '', 'write its dialect', outputFile),
  check: optional('FILE', '', 'only check that this dialect still holds', readDialect),
  evidence: optional(
    'FILE',
    '',
    'write what decided each entry, and what is left, as JSON',
    outputFile,
  ),
  force: flag('overwrite --out, and write it even if little was learned'),
  routes: optional('FILE', '', 'also learn these routes: a list, OpenAPI or a HAR', asText),
  allow: repeatable('METHOD', '', 'also send this method to --routes; repeatable', writing),
  ...access,
  ...otherClients,
  streams: preset('N', '12', 'streams to create to find the page size', integer(3, 100_000)),
  ...timeLimits,
};

type Values = OptionValues<typeof options>;

/** `livestream-mock learn`: writes the dialect of a service, or checks it. */
export const learnCommand: Command = {
  synopsis: 'learn --base-url URL (--out FILE | --check FILE) [options]',
  needsArguments: true,
  options,
  notes: `  Exit status: 0 the file was written, or the service still behaves as it says;
  1 the service has changed; 2 something could not be asked, or too little was
  learned to write the file; 3 wrong arguments; 4 the service cannot be learned;
  129, 130 or 143 interrupted.`,
  run: onTarget(options, learnTarget),
};

/** The exit status, by how the run ended. */
const exitStatuses = { same: 0, drift: 1, unknown: 2, unreachable: 4 } as const;

async function learnTarget(values: Values, run: InterruptibleRun): Promise<Ended> {
  const onProgress = (done: number, total: number, family: string): void => {
    if (!run.interruption.signal.aborted) run.showProgress(`${done}/${total} ${family}`);
  };
  const learnOptions = { ...(await readLearn(values, run)), ...run.interruption, onProgress };
  const { check, evidence } = values;
  if (check !== undefined) return checkDialect(learnOptions, check, evidence);
  return writeDialect(learnOptions, values);
}

/** What to learn, and how. @throws ArgumentError if an option is missing, or two contradict each other. */
async function readLearn(values: Values, run: InterruptibleRun): Promise<LearnOptions> {
  const { routes: file, ...otherValues } = values;
  const { baseUrl, out, check } = otherValues;
  const groups = (['out', 'force'] as const).map((name) => [name, 'check'] as const);
  refuseTogether(values, groups);
  if (out === undefined && check === undefined) {
    throw new ArgumentError('dialect: expected --out FILE or --check FILE, got neither');
  }
  const accessValues = await readAccess(values, run);
  const readRoutes = fileOf((text) => ({
    routes: parseRoutes(text, baseUrl),
    words: documentedWords(text),
  }));
  const ofFile = file === undefined ? {} : await readAs('routes', () => readRoutes(file));
  return { ...otherValues, ...accessValues, ...ofFile };
}

/** The keys, and values of headers, that no output may show. */
function keysOf({ apiKey, otherApiKey, headers }: LearnOptions): string[] {
  return [apiKey, ...(otherApiKey === undefined ? [] : [otherApiKey]), ...headerSecrets(headers)];
}

async function writeDialect(learnOptions: LearnOptions, values: Values): Promise<Ended> {
  const { out = '', evidence, force = false } = values;
  if (!force && existsSync(out) && statSync(out).size > 0) {
    throw new ArgumentError(`option --out: ${out}: the file exists; --force replaces it`);
  }
  const learned = await learn(learnOptions);
  const keys = keysOf(learnOptions);
  const failed = whyNotAsked(learned, learnOptions, evidence);
  return withEvidence(
    failed ?? (await writeLearned(learned, keys, values)),
    learned,
    keys,
    evidence,
  );
}

/** The end of a run that also writes what it saw, if it saw anything. */
function withEvidence(
  ended: Ended,
  seen: Pick<Learned, 'observed' | 'leftBehind'>,
  keys: readonly string[],
  evidence: string | undefined,
): Ended {
  if (evidence === undefined || seen.observed.size + seen.leftBehind.length === 0) return ended;
  const content = renderEvidence(seen, keys);
  return { ...ended, writeFiles: () => writeOutput(evidence, content) };
}

/** Writes what was learned to a file, unless it is too little. */
async function writeLearned(learned: Learned, keys: string[], values: Values): Promise<Ended> {
  const { out = '', evidence, force = false } = values;
  const summary = renderLearned(learned, keys, evidence);
  const tooLittle = force ? undefined : whyTooLittle(learned);
  if (tooLittle !== undefined) {
    const text = `${summary}\n${out} was not written: ${tooLittle}, or add --force to write it anyway.\n`;
    return { text, exitStatus: exitStatuses.unknown };
  }
  const $schema = schemaFor(out);
  await writeOutput(out, renderDialect({ ...($schema && { $schema }), ...learned.dialect }));
  const different = differences(learned.dialect, undefined);
  const count = howMany(different.length, 'difference', 'differences');
  const text = `${summary}
Wrote ${out}, which has ${count} from the mock. This does not say whether the service
keeps the stated rules. To find out, run livestream-mock check with the same options.
`;
  return { text, exitStatus: exitStatuses.same };
}

/** Why too little was learned to write it, and what to do; `undefined` if it was enough. */
function whyTooLittle({ observed }: Learned): string | undefined {
  const count = (outcome: Observation['outcome']): number =>
    [...observed.values()].filter((observation) => observation.outcome === outcome).length;
  const now = count('observed');
  const unsteady = count('unsteady');
  const unanswered = count('unanswered');
  const inexpressible = count('inexpressible');
  // If a service answers at random, or only now and then, some of these were the same twice by coincidence.
  if (now > 3 * (unsteady + unanswered) + inexpressible) return undefined;
  const observedEntries = howMany(now, 'entry was', 'entries were');
  return `${observedEntries} observed, ${unsteady} changed between two requests, ${unanswered} got no usable response, and ${inexpressible} cannot be written in a dialect. Check --base-url and the service's responses`;
}

async function checkDialect(
  learnOptions: LearnOptions,
  dialect: Dialect,
  evidence: string | undefined,
): Promise<Ended> {
  const report = await findDrift(learnOptions, dialect);
  const keys = keysOf(learnOptions);
  const { result: drift = nothingAsked, leftBehind } = report;
  const ended = whyNotAsked(report, learnOptions, evidence) ?? {
    text: renderDrift(drift, leftBehind, keys, evidence),
    exitStatus: exitStatuses[outcomeOf(drift)],
  };
  return withEvidence(ended, { observed: drift.observed, leftBehind }, keys, evidence);
}

const nothingAsked = { changes: [], unknown: [], appeared: [], observed: new Map() };

function outcomeOf({ changes, unknown }: Drift): keyof typeof exitStatuses {
  if (changes.length > 0) return 'drift';
  return unknown.length > 0 ? 'unknown' : 'same';
}

/** Why nothing was learned; `undefined` if the service could be asked. */
function whyNotAsked(
  { unjudgeable, providerFailure, leftBehind }: Omit<ProbeReport<unknown>, 'result'>,
  { signal, ...keys }: LearnOptions,
  evidence: string | undefined,
): Ended | undefined {
  const interrupted = signal?.aborted ? 'Interrupted before everything was asked.' : undefined;
  const reason = interrupted ?? unjudgeable ?? providerFailure;
  if (reason === undefined) return undefined;
  const text = renderFailure(reason, leftBehind, keysOf(keys), evidence);
  const exitStatus = exitStatuses[unjudgeable === undefined ? 'unknown' : 'unreachable'];
  return { text, exitStatus };
}
