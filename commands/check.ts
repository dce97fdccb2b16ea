import { appendFile } from 'node:fs/promises';
import { requirements } from '../conformance/checks/catalogue.ts';
import type { Report } from '../conformance/model/report.ts';
import { areas } from '../conformance/model/requirement.ts';
import { renderAnnotations, renderMarkdown } from '../conformance/report/github.ts';
import { rendererFor } from '../conformance/report/render.ts';
import { renderTerminal, type TerminalOptions } from '../conformance/report/terminal.ts';
import { mockOrigin } from '../conformance/report/wording.ts';
import { parseDeviations } from '../conformance/run/deviations.ts';
import { exitStatus } from '../conformance/run/verdict.ts';
import { type RunOptions, run } from '../conformance/run.ts';
import { controlPath } from '../mocks/http/routes.ts';
import { createMock } from '../mocks/mock.ts';
import { fileOf, reportFile, writeReports } from './files.ts';
import {
  ArgumentError,
  asText,
  defined,
  flag,
  type OptionValues,
  oneOf,
  optional,
  refuseTogether,
  repeatable,
} from './options.ts';
import { type Command, type CommandProcess, lookOf } from './process.ts';
import { type Ended, onTarget, type TargetRun } from './run-on-target.ts';
import { access, readAccess, readUrl, sources, times } from './target-options.ts';

const readDeviations = fileOf((text) => parseDeviations(text, requirements));
const readLevel = oneOf(['must', 'should']);

const options = {
  baseUrl: optional('URL', '', 'judge the service at this base address', readUrl('baseUrl')),
  mock: flag('judge the mock itself'),
  ...access,
  level: optional('LEVEL', 'everything', 'must, or should (which includes must)', readLevel),
  area: repeatable('AREA', 'all', 'only this area; repeatable', oneOf(areas)),
  only: repeatable('ID', '', 'only this requirement; repeatable', asText),
  deviations: optional('FILE', '', 'known deviations of the target', readDeviations),
  report: repeatable(
    'FILE',
    '',
    'write .json .xml .html .md .svg; repeatable',
    reportFile(rendererFor),
  ),
  ...times,
  verbose: flag('show every result and observation'),
  quiet: flag('show only one line'),
};

type Values = OptionValues<typeof options>;

/** `livestream-mock check`: judges a target. */
export const checkCommand: Command = {
  synopsis: 'check (--base-url URL | --mock) [options]',
  options,
  notes: `  Areas: ${areas.join(', ')}.
  Exit status: 0 conformant, with known deviations or without; 1 not conformant;
  2 incomplete; 3 wrong arguments, or the suite itself failed; 4 the target
  cannot be judged; 129, 130 or 143 interrupted.`,
  run: onTarget(options, check),
};

async function check(values: Values, started: TargetRun): Promise<Ended> {
  const { own, interruption, showProgress } = started;
  refuseTogether(values, [
    ['baseUrl', 'mock'],
    ['mock', ...sources],
    ['quiet', 'verbose'],
  ]);
  const runOptions = await readRun(values, started);
  const onProgress = (done: number, total: number, id: string): void =>
    showProgress(done === total ? '' : `${done}/${total} ${id}`);
  const report = await run({ ...runOptions, ...interruption, onProgress });
  await writeReports(values.report, (file) => rendererFor(file)(report), own.stderr);
  const annotations = await reportToGitHub(report, own);
  const look = { ...lookOf(own.stdout, 100), detail: readDetail(values) };
  return { text: renderTerminal(report, look) + annotations, exitStatus: exitStatus(report) };
}

function readDetail({ quiet, verbose }: Values): NonNullable<TerminalOptions['detail']> {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

async function readRun(values: Values, started: TargetRun): Promise<RunOptions> {
  const { mock, baseUrl, area: areas, readOnly } = values;
  if (mock) return { ...defined({ ...values, areas }), ...mockTarget(readOnly) };
  if (baseUrl === undefined) {
    throw new ArgumentError('target: expected --base-url URL or --mock, got neither');
  }
  return defined({ ...values, ...(await readAccess(values, started)), baseUrl, areas });
}

/** A mock in this process: it needs no port, and goes live through its control API. */
function mockTarget(
  readOnly: boolean,
): Pick<RunOptions, 'baseUrl' | 'apiKey' | 'send' | 'provider'> {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  return {
    baseUrl: mockOrigin + mock.prefix,
    apiKey: mock.apiKey,
    send: mock.fetch,
    ...(!readOnly && { provider: { controlUrl: mockOrigin + controlPath } }),
  };
}

/**
 * In a job on GitHub, adds the Markdown report to the summary of the step and returns annotations for
 * stdout; does nothing elsewhere. A summary that cannot be written is a line on stderr.
 */
async function reportToGitHub(report: Report, { env, stderr }: CommandProcess): Promise<string> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = env;
  if (GITHUB_ACTIONS !== 'true') return '';
  try {
    if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, renderMarkdown(report));
  } catch (error) {
    stderr.write(`no summary of this step: ${(error as Error).message}\n`);
  }
  return renderAnnotations(report);
}
