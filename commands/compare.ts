import * as z from 'zod';
import { parseArchive } from '../fidelity/compare/archive-file.ts';
import { type CompareOptions, compare } from '../fidelity/compare/compare.ts';
import {
  comparisonRenderer,
  comparisonStatus,
  renderComparison,
} from '../fidelity/compare/comparison-report.ts';
import { parseKnown } from '../fidelity/compare/known-differences.ts';
import { defaultMaxSessions } from '../fidelity/compare/search.ts';
import type { ConnectionOptions } from '../fidelity/target-connection.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { readAddress } from '../target/requests/target.ts';
import { howMany } from '../text/phrases.ts';
import { parseReviewed } from '../text/reviewed-file.ts';
import { fileOf, readNamedDialect, reportFile, withName, writeReports } from './files.ts';
import type { Ended, InterruptibleRun } from './interruptible-run.ts';
import { integer } from './option-values.ts';
import { type OptionValues, onlyDefined, optional, preset, repeatable } from './options.ts';
import { type Command, lookOf } from './process.ts';
import { refuseTogether } from './read-arguments.ts';
import { onTarget } from './run-on-target.ts';
import { asUrl, keyAndEncoder, otherClients, readAccess, timeLimits } from './target-options.ts';

const readSecond = withName(fileOf(parseSecond));
const readArchive = withName(fileOf(parseArchive));

const options = {
  baseUrl: preset('URL', '', 'base URL of the service to compare', asUrl),
  dialect: optional('FILE', 'none', 'compare with a mock using this dialect', readNamedDialect),
  with: optional('FILE', '', 'compare with the service in this file', readSecond),
  origin: otherClients.origin,
  ...keyAndEncoder,
  har: optional('FILE', '', 'replay the requests in this archive, and no random ones', readArchive),
  known: optional('FILE', '', 'known differences, each with a reason', fileOf(parseKnown)),
  seed: preset('N', '1', 'the same seed sends the same requests', integer(0, 2 ** 31 - 1)),
  maxSessions: preset(
    'N',
    String(defaultMaxSessions),
    'how many sessions to make',
    integer(0, 100_000),
  ),
  time: preset('T', '60s', 'how long to search for differences', parseDuration),
  report: repeatable('FILE', '', 'write .json .html; repeatable', reportFile(comparisonRenderer)),
  ...timeLimits,
  patience: preset('T', '10s', 'how long to wait for both sides to agree', parseDuration),
};

type Values = OptionValues<typeof options>;

/** `livestream-mock compare`: finds how a service differs from a mock, or from another service. */
export const compareCommand: Command = {
  synopsis: 'compare --base-url URL [options]',
  needsArguments: true,
  options,
  notes: `  Exit status: 0 no new difference; 1 new differences, or a known one is gone;
  2 too little could be compared; 3 wrong arguments; 4 the service cannot be
  reached; 129, 130 or 143 interrupted.`,
  run: onTarget(options, compareTarget),
};

async function compareTarget(values: Values, run: InterruptibleRun): Promise<Ended> {
  const compared = await readCompare(values, run);
  if (compared.provider !== undefined && compared.archive === undefined) {
    run.host.stderr.write(
      `making up to ${howMany(values.maxSessions, 'session')} (--max-sessions), which a service that cannot delete sessions keeps\n`,
    );
  }
  const onProgress = (operations: number, differences: number): void =>
    run.showProgress(`${howMany(operations, 'operation')}, ${howMany(differences, 'difference')}`);
  const comparison = await compare({ ...compared, ...run.interruption, onProgress });
  const text = renderComparison(comparison, lookOf(run.host.stdout, 120));
  const writeFiles = () => writeReports(values.report, comparison, run.host.stderr);
  return { text, exitStatus: comparisonStatus(comparison), writeFiles };
}

/** What to compare, and how. @throws ArgumentError if options contradict each other. */
async function readCompare(values: Values, run: InterruptibleRun): Promise<CompareOptions> {
  const { dialect, with: second, har, timeout, waitFor, patience, rate } = values;
  refuseTogether(values, [['dialect', 'with', 'har']]);
  return onlyDefined({
    ...values,
    ...(await readAccess(values, run)),
    dialect: dialect?.content,
    archive: har?.content,
    secondTarget: second && { timeout, waitFor, patience, rate, ...second.content },
    file: (dialect ?? har ?? second)?.file,
  });
}

/** The keys that are read from the line that `serve --json` prints. */
const secondSchema = z.object(
  {
    baseUrl: z.string('a string'),
    apiKey: z.string('a string'),
    controlUrl: z.string('a string').optional(),
  },
  '{"baseUrl","controlUrl","apiKey"}, as serve --json prints it',
);

function parseSecond(text: string): ConnectionOptions {
  const { baseUrl, apiKey, controlUrl } = parseReviewed(text, secondSchema, 'nothing');
  readAddress('baseUrl', baseUrl);
  if (controlUrl !== undefined) readAddress('controlUrl', controlUrl);
  return { baseUrl, apiKey, ...(controlUrl !== undefined && { provider: { controlUrl } }) };
}
