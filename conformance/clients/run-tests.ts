import type { Exchange } from '../../mocks/journal/exchange.ts';
import { runShellCommand } from '../../target/providers/shell-command.ts';
import { type EvidenceServer, listenForEvidence } from './evidence-server.ts';
import type { EndedRun, PlannedRun } from './plan.ts';
import { createRunEvidence } from './run-evidence.ts';
import { tellingOutput } from './telling-output.ts';
import { serveTestedMock, type TestedMock, type TestedMockOptions } from './tested-mock.ts';
import { dialectOf } from './trials.ts';

/** The tests of an app, and how they are run. */
export interface TestsOptions extends TestedMockOptions {
  /** A command line for the shell. */
  readonly command: string;
  /** The environment that the tests inherit. */
  readonly environment: NodeJS.ProcessEnv;
  /** Further variables of the tests, in which names in braces are replaced, such as `{baseUrl}`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds after which a run that hangs is ended. */
  readonly timeout: number;
  /** Once aborted, the tests are asked to end. */
  readonly signal?: AbortSignal;
  /** Once aborted, they are killed. */
  readonly killSignal?: AbortSignal;
}

/** What an option for a variable can refer to, by its name in braces. */
export type RunFacts = ReturnType<typeof factsOf>;

/** How long tests have to end when asked: a browser and a server of theirs end with them. */
const graceToEnd = 10_000;

/** How much of what tests write is read, and how much of that is kept, in characters. */
const longest = { read: 2_000_000, kept: 20_000 };

/** Runs the tests of an app once, against a mock that only this run uses. */
export async function runTests(
  { purpose, trials }: PlannedRun,
  options: TestsOptions,
  onExchange: (exchange: Exchange) => void,
): Promise<EndedRun> {
  const { command, environment, variables, timeout, signal, killSignal } = options;
  const evidence = createRunEvidence(trials, onExchange);
  const reports = await listenForEvidence(evidence.add, dialectOf(trials));
  const start = performance.now();
  try {
    const mock = await serveTestedMock(trials, options);
    const facts = factsOf(mock, reports, trials);
    const { failure, output } = await runShellCommand({
      command,
      environment: { ...environment, ...standardVariables(facts), ...fillIn(variables, facts) },
      limit: timeout,
      politeSignal: 'SIGINT',
      graceToEnd,
      ...(signal && { askSignal: signal }),
      ...(killSignal && { killSignal }),
      kept: 'both',
      longestTail: longest.read,
    }).finally(async () => evidence.add(await mock.close()));
    const duration = Math.round(performance.now() - start);
    const failed = failure !== undefined && { failure };
    const end = tellingOutput(output, longest.kept);
    return { purpose, trials, ...failed, output: end, ...evidence.read(), duration };
  } finally {
    await reports.close();
  }
}

function factsOf(
  mock: TestedMock,
  { url: evidenceUrl, dialectUrl = '' }: EvidenceServer,
  trials: PlannedRun['trials'],
) {
  const { baseUrl, controlUrl, apiKey } = mock;
  const variants = trials.filter(({ dialect }) => dialect === undefined);
  const variant = variants.map(({ name }) => name).join('+');
  return { baseUrl, controlUrl, apiKey, variant, dialectUrl, evidenceUrl };
}

/** The names of all that an option for a variable can refer to. */
export const factNames: readonly (keyof RunFacts)[] = [
  'baseUrl',
  'controlUrl',
  'apiKey',
  'variant',
  'dialectUrl',
  'evidenceUrl',
];

/** The variables that every run has. Those without a value are unset, whatever the tests inherit. */
function standardVariables(facts: RunFacts): NodeJS.ProcessEnv {
  return {
    LIVESTREAM_BASE_URL: facts.baseUrl,
    LIVESTREAM_CONTROL_URL: facts.controlUrl,
    LIVESTREAM_API_KEY: facts.apiKey,
    LIVESTREAM_EVIDENCE_URL: facts.evidenceUrl,
    LIVESTREAM_VARIANT: facts.variant || undefined,
    LIVESTREAM_DIALECT_URL: facts.dialectUrl || undefined,
  };
}

function fillIn(
  variables: Readonly<Record<string, string>>,
  facts: RunFacts,
): Record<string, string> {
  const filled = Object.entries(variables).map(([name, text]) => [
    name,
    factNames.reduce((before, fact) => before.replaceAll(`{${fact}}`, facts[fact]), text),
  ]);
  return Object.fromEntries(filled);
}
