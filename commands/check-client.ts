import { createHash } from 'node:crypto';
import {
  type CheckedClient,
  type ClientOptions,
  checkClient,
} from '../conformance/clients/check-client.ts';
import { clientExitStatus } from '../conformance/clients/client-verdict.ts';
import { parseKnownBreaks } from '../conformance/clients/known-breaks.ts';
import type { PlannedRun } from '../conformance/clients/plan.ts';
import { clientRendererFor } from '../conformance/clients/report/client-renderers.ts';
import { clientSectionsOf } from '../conformance/clients/report/client-sections.ts';
import { factNames } from '../conformance/clients/run-tests.ts';
import { dialectTrial, selectTrials, variantTrials } from '../conformance/clients/trials.ts';
import { terminalOf } from '../conformance/report/terminal.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { quote } from '../text/curl.ts';
import { shortestKey } from '../text/redact.ts';
import { visible, visibleJson } from '../text/visible.ts';
import {
  fileOf,
  readNamedDialect,
  reportFile,
  withName,
  writeOutput,
  writeReports,
} from './files.ts';
import { reportToGitHub } from './github.ts';
import { type Ended, type InterruptibleRun, interruptible } from './interruptible-run.ts';
import { asText, integer } from './option-values.ts';
import { type OptionValues, onlyDefined, optional, preset, repeatable } from './options.ts';
import { type Command, type CommandProcess, lookOf } from './process.ts';
import { ArgumentError, readAs } from './read-arguments.ts';
import { readWorld } from './read-world.ts';

const readReport = reportFile(clientRendererFor);
const readNamedWorld = withName(readWorld);

const options = {
  only: repeatable('NAME', 'all', 'only this variant or dialect; repeatable', asText),
  dialect: repeatable('FILE', '', 'also try this dialect; repeatable', readNamedDialect),
  known: optional('FILE', '', 'variants that are known to break the app', asText),
  budget: optional('T', 'no limit', 'how long all runs may take', parseDuration),
  timeout: preset('T', '10m', 'time limit for one run of the tests', parseDuration),
  port: preset('N', '0', 'port of the mock; 0 picks a free one', integer(0, 65_535)),
  world: preset('NAME', 'demo', 'empty, demo, crowded, or a state file', readNamedWorld),
  env: repeatable(
    'NAME=TEXT',
    '',
    'variable of the tests, with {baseUrl}; repeatable',
    readVariable,
  ),
  report: repeatable('FILE', '', 'write .json .xml .html .md; repeatable', readReport),
};

type Values = OptionValues<typeof options>;

const advice = 'ending the tests; interrupt again to kill them';

/** `livestream-mock check-client`: judges an app by its own tests. */
export const checkClientCommand: Command = {
  synopsis: 'check-client [options] -- COMMAND',
  needsArguments: true,
  options,
  notes: `  COMMAND runs the tests of an app, such as npx playwright test. It is run with
  LIVESTREAM_BASE_URL, LIVESTREAM_CONTROL_URL, LIVESTREAM_API_KEY and, for the
  fixtures, LIVESTREAM_VARIANT, LIVESTREAM_DIALECT_URL and LIVESTREAM_EVIDENCE_URL.
  TEXT may contain ${factNames.map((name) => `{${name}}`).join(' ')}.
  Exit status: 0 the app survives; 1 it does not, or what is known to break it no
  longer does; 2 undecided; 3 wrong arguments; 129, 130 or 143
  interrupted.`,
  run(args, host) {
    const end = args.indexOf('--');
    const words = end === -1 ? [] : args.slice(end + 1);
    const ownWords = end === -1 ? args : args.slice(0, end);
    const work = (values: Values, run: InterruptibleRun) => checkApp(values, run, ownWords, words);
    return interruptible(options, advice, work)(ownWords, host);
  },
};

async function checkApp(
  values: Values,
  run: InterruptibleRun,
  ownWords: readonly string[],
  words: readonly string[],
): Promise<Ended> {
  if (words.length === 0) {
    throw new ArgumentError('tests: expected -- and the command that runs them, got none');
  }
  const clientOptions = await readOptions(values, run, ownWords, words);
  const checked = await checkClient(clientOptions).catch(explainPort);
  const { report } = checked;
  const sections = clientSectionsOf(report);
  const annotations = await reportToGitHub(sections, run.host);
  const text = terminalOf(sections, lookOf(run.host.stdout, 100)) + annotations;
  const writeFiles = () => writeAll(checked, values.report, run.host);
  return { text, exitStatus: clientExitStatus(report), writeFiles };
}

/** What to try, and how. @throws ArgumentError for an unknown variant, and for a wrong file of known ones. */
async function readOptions(
  values: Values,
  { host, interruption, showProgress }: InterruptibleRun,
  ownWords: readonly string[],
  words: readonly string[],
): Promise<ClientOptions> {
  const { dialect: dialects = [], env = [], known: knownFile, report: reports = [] } = values;
  const { world, port, timeout, budget } = values;
  const all = [
    ...variantTrials(),
    ...dialects.map(({ file, content }) => dialectTrial(file, content)),
  ];
  const trials = await readAs('only', () => selectTrials(all, values.only));
  const readKnown = fileOf((text) => parseKnownBreaks(text, all));
  const known = await readAs('known', () =>
    knownFile === undefined ? new Map() : readKnown(knownFile),
  );
  // The tests get the mock's key: that of a service is of no use to them.
  const { LIVESTREAM_API_KEY: serviceKey = '', ...environment } = host.env;
  const [firstReport] = reports;
  return {
    command: commandLine(words),
    environment,
    variables: Object.fromEntries(env),
    timeout,
    world: world.content,
    port,
    trials,
    known,
    secrets: [serviceKey, ...env.filter(isSecret).map(([, text]) => text)],
    lineFor: (only) => repeatLine(ownWords, only, words),
    signal: interruption.signal,
    killSignal: interruption.cleanUpSignal,
    onProgress: (next, runsBefore) => {
      const text = describeProgress(next, runsBefore);
      // A run can take minutes, and some CI services end a job that writes nothing for ten.
      if (host.stderr.isTTY) showProgress(text);
      else host.stderr.write(`${visible(text)}\n`);
    },
    ...onlyDefined({
      budget,
      archiveFileFor: firstReport && ((name: string) => archiveFile(firstReport.file, name)),
    }),
  };
}

/** Reads a variable of the tests. @throws Error for a name that is none, and for unknown names in braces. */
function readVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([a-z_]\w*)=(.*)$/is.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error('expected a variable such as NAME={baseUrl}, got another text');
  }
  const known = factNames.map((fact) => `{${fact}}`);
  const unknown = value.match(/\{\w+\}/g)?.find((fact) => !known.includes(fact));
  if (unknown === undefined) return [name, value];
  throw new Error(`expected only ${known.join(', ')} in braces, got ${unknown}`);
}

/** Whether the name of a variable says that its value is a secret. Short values are switches, such as `1`, which any report contains. */
function isSecret([name, value]: [name: string, value: string]): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2');
  return (
    /(^|_)((api)?key|token|secret|password)(_|$)/i.test(words) &&
    !/\{\w+\}/.test(value) &&
    value.length >= shortestKey
  );
}

/** The command that was given: one word is a line for the shell, several are words as they are. */
function commandLine(words: readonly string[]): string {
  const [first = ''] = words;
  return words.length === 1 ? first : words.map(asWord).join(' ');
}

/** A text as one word for a shell, without quotation marks if it needs none. */
function asWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quote(text);
}

/** Options that choose what is run or where reports go. A command that repeats one run has its own. */
const leftOutInRepetitions = /^--(only|report|budget)(=|$)/;

/** The line for a shell that runs the tests again with these trials only. */
function repeatLine(
  ownWords: readonly string[],
  only: readonly string[],
  words: readonly string[],
): string {
  const kept = ownWords.filter((word, index) => {
    const before = ownWords[index - 1] ?? '';
    const isValueOf = leftOutInRepetitions.test(before) && !before.includes('=');
    return !leftOutInRepetitions.test(word) && !isValueOf;
  });
  const chosen = only.flatMap((name) => ['--only', name]);
  const own = [...kept, ...chosen].map(asWord).join(' ');
  const start = `npx --no-install livestream-mock check-client ${own}`.trimEnd();
  return `${start} -- ${words.map(asWord).join(' ')}`;
}

/** The file for the requests of a failed run, beside a report. */
function archiveFile(report: string, name: string): string {
  return `${report.replace(/\.\w+$/, '')}.${asFileName(name)}.har`;
}

/** How many characters of a name are part of a file's name. */
const longestFileName = 60;

/** A name as part of a file's name. What is shortened or replaced is told apart by a hash of all. */
function asFileName(name: string): string {
  const safe = name.replace(/[^\w.+-]+/g, '-');
  if (safe === name && name.length <= longestFileName) return name;
  const [first = ''] = safe.split('+');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${first.slice(-longestFileName)}-${hash}`;
}

function describeProgress({ purpose, trials }: PlannedRun, runsBefore: number): string {
  const names = trials.map(({ name }) => name).join(', ') || 'the plain mock';
  return `run ${runsBefore + 1} (${purpose}): ${names}`;
}

/** Writes the reports, and the requests of each run that failed. */
async function writeAll(
  { report, archives }: CheckedClient,
  reports: Values['report'],
  { stderr }: CommandProcess,
): Promise<void> {
  await writeReports(reports, report, stderr);
  for (const [file, archive] of archives) {
    await writeOutput(file, `${visibleJson(JSON.stringify(archive, undefined, 2))}\n`);
    stderr.write(`wrote ${file}\n`);
  }
}

/** @throws ArgumentError if a mock could not listen on its port. */
function explainPort(exception: NodeJS.ErrnoException): never {
  if (exception.code === undefined || exception.syscall !== 'listen') throw exception;
  throw new ArgumentError(
    `option --port: cannot listen there: ${exception.message}; --port 0 picks a free port`,
  );
}
