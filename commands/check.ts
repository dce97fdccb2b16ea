import { requirements } from '../conformance/checks/catalogue.ts';
import { areas } from '../conformance/model/requirement-facts.ts';
import { rendererFor } from '../conformance/report/renderer-for.ts';
import { sectionsOf } from '../conformance/report/report-sections.ts';
import { renderTerminal } from '../conformance/report/terminal.ts';
import { parseDeviations } from '../conformance/run/deviations.ts';
import { exitStatus } from '../conformance/run/verdict.ts';
import { type RunOptions, run as runSuite } from '../conformance/run-suite.ts';
import { controlPath } from '../mocks/messages/tester-request.ts';
import { createMock } from '../mocks/mock.ts';
import { mockOrigin } from '../target/requests/well-known.ts';
import { fileOf, reportFile, writeReports } from './files.ts';
import { reportToGitHub } from './github.ts';
import type { Ended, InterruptibleRun } from './interruptible-run.ts';
import { asText, oneOf } from './option-values.ts';
import { flag, type OptionValues, onlyDefined, optional, repeatable } from './options.ts';
import { type Command, lookOf } from './process.ts';
import { ArgumentError, refuseTogether } from './read-arguments.ts';
import { onTarget } from './run-on-target.ts';
import { access, asUrl, readAccess, sources, timeLimits } from './target-options.ts';

const readDeviations = fileOf((text) => parseDeviations(text, requirements));
const readLevel = oneOf(['must', 'should']);
const readReport = reportFile(rendererFor);

const options = {
  baseUrl: optional('URL', '', 'base URL of the service to judge', asUrl),
  mock: flag('judge the mock itself'),
  ...access,
  level: optional('LEVEL', 'everything', 'must, or should (which includes must)', readLevel),
  area: repeatable('AREA', 'all', 'only this area; repeatable', oneOf(areas)),
  only: repeatable('ID', '', 'only this requirement; repeatable', asText),
  deviations: optional('FILE', '', "the target's known deviations", readDeviations),
  report: repeatable('FILE', '', 'write .json .xml .html .md .svg; repeatable', readReport),
  ...timeLimits,
  verbose: flag('print every result and observation'),
  quiet: flag('print only one line'),
};

type Values = OptionValues<typeof options>;

/** `livestream-mock check`: judges a target. */
export const checkCommand: Command = {
  synopsis: 'check (--base-url URL | --mock) [options]',
  needsArguments: true,
  options,
  notes: `  Areas: ${areas.join(', ')}.
  Exit status: 0 conformant, with or without known deviations; 1 not conformant;
  2 incomplete; 3 wrong arguments, or the suite itself failed; 4 the target
  cannot be judged; 129, 130 or 143 interrupted.`,
  run: onTarget(options, check),
};

async function check(values: Values, run: InterruptibleRun): Promise<Ended> {
  const { host, interruption, showProgress } = run;
  refuseTogether(values, [
    ['baseUrl', 'mock'],
    ['mock', ...sources],
    ['mock', 'apiKey'],
    ['mock', 'header'],
    ['quiet', 'verbose'],
  ]);
  const runOptions = await readRun(values, run);
  const onProgress = (done: number, total: number, id: string): void =>
    showProgress(done === total ? '' : `${done}/${total} ${id}`);
  const report = await runSuite({ ...runOptions, ...interruption, onProgress });
  const annotations = await reportToGitHub(sectionsOf(report), host);
  const detail = (['quiet', 'verbose'] as const).find((name) => values[name]) ?? 'normal';
  const text = renderTerminal(report, { ...lookOf(host.stdout, 100), detail });
  const writeFiles = () => writeReports(values.report, report, host.stderr);
  return { text: text + annotations, exitStatus: exitStatus(report), writeFiles };
}

async function readRun(values: Values, run: InterruptibleRun): Promise<RunOptions> {
  const { mock, baseUrl, area: areas, readOnly } = values;
  if (mock) return { ...onlyDefined({ ...values, areas }), ...mockTarget(readOnly) };
  if (baseUrl === undefined) {
    throw new ArgumentError('target: expected --base-url URL or --mock, got neither');
  }
  return onlyDefined({ ...values, ...(await readAccess(values, run)), baseUrl, areas });
}

/** A mock in this process: it needs no port, and goes live through its control API. */
function mockTarget(readOnly: boolean) {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  return {
    baseUrl: mockOrigin + mock.prefix,
    apiKey: mock.apiKey,
    send: mock.fetch,
    ...(!readOnly && { provider: { controlUrl: mockOrigin + controlPath } }),
  } satisfies Partial<RunOptions>;
}
