import type { Evidence } from '../../target/requests/evidence.ts';
import { howMany } from '../../text/phrases.ts';
import { withVisibleStrings } from '../../text/visible.ts';
import { isViolation, type Report, type Result } from '../model/report.ts';
import type { Area } from '../model/requirement-facts.ts';
import { exitStatus, groundsOf, groupByMessage } from '../run/verdict.ts';
import {
  areasOf,
  causesOf,
  clausesInOrder,
  describeCounts,
  facts,
  type Mark,
  marks,
  type Sections,
  type WordedExchange,
  type WordedResult,
} from './sections.ts';
import {
  describeDuration,
  describeTarget,
  explainClauses,
  headline,
  runFacts,
  verdictWords,
} from './wording.ts';

/** Headings of the areas. */
const areaTitles: Readonly<Record<Area, string>> = {
  create: 'Create a stream',
  record: 'Turn recording on or off',
  inheritance: 'What sessions inherit',
  list: 'List recorded sessions',
  authentication: 'Authentication',
  media: 'Recordings',
  observe: 'Where the interface is silent',
};

/** What every format shows of the suite's report on a service. */
export function sectionsOf(rawReport: Report): Sections {
  const visibleReport = withVisibleStrings(rawReport);
  const { unjudgeable, interrupted } = visibleReport;
  const report =
    unjudgeable === undefined ? visibleReport : { ...visibleReport, results: [], reasons: [] };
  const { suite, target, startedAt, duration, leftBehind } = report;
  const results = report.results.map(wordResult);
  const { open, remarks, exceptions, untestable } = groundsOf(report);
  const untested = [...open.filter(({ outcome }) => outcome === 'untested'), ...untestable];
  return {
    category: 'conformance',
    version: suite,
    subject: target,
    startedAt,
    duration,
    exitStatus: exitStatus(report),
    opening: `livestream-mock ${suite} judged ${describeTarget(report)} in ${describeDuration(duration)}`,
    headline: headline(report),
    mark: verdictWords[report.verdict].mark,
    sentence: unjudgeable ?? verdictWords[report.verdict].sentence,
    isUnjudgeable: unjudgeable !== undefined,
    counts: describeCounts(results, marks),
    facts: runFacts(report),
    reasons: report.reasons,
    remarks: unjudgeable === undefined ? remarks : [],
    closing: [...groupByMessage(untested), ...remarks, ...groupByMessage(exceptions)],
    results,
    citedClauses: clausesInOrder(results),
    areas: areasOf(results, areaTitles, marks),
    failed: { title: 'What failed', causes: causesOf(results, ['fail', 'error']) },
    unmet: { title: 'Recommendations not met', causes: causesOf(results, ['unmet']) },
    known: { title: 'Known deviations', causes: causesOf(results, ['expected']) },
    blocked: {
      title: 'What would complete the run',
      word: 'Blocked',
      causes: causesOf(results, ['blocked']),
    },
    notes: [
      {
        id: 'waited',
        title: 'Limited by the target',
        words: 'limit on requests',
        texts: report.waits === undefined ? [] : [describeWaits(report.waits)],
      },
      {
        id: 'left',
        title: 'Left behind on the target',
        words: 'left behind',
        texts: leftBehind,
        // A target that cannot delete keeps every stream of the run.
        ...(!interrupted && { most: { number: 2, hint: '--verbose lists all' } }),
      },
    ],
  };
}

/** How long a target that limits requests made the run wait, and what avoids it. */
function describeWaits({ times, duration }: NonNullable<Report['waits']>): string {
  return `The run waited ${describeDuration(duration)}, as the target asked ${howMany(times, 'time')} (429, or 503 with Retry-After). With --rate N, it sends at most N requests a second.`;
}

function wordResult(result: Result): WordedResult {
  const { id, area, level, clause, statement, outcome, deviation, message } = result;
  const { basis, observations, duration } = result;
  const mark: Mark = isViolation(result) && deviation !== undefined ? 'expected' : outcome;
  const why = describeBasis(result);
  const known = describeDeviation(result);
  return {
    id,
    area,
    level,
    binds: level === 'must',
    clause,
    statement,
    ...marks[mark],
    mark,
    message: message ?? 'No reason was given.',
    line: `${id} (${level}, ${clause}): ${statement}`,
    derivation: basis.kind === 'derived' ? why : undefined,
    known,
    observations,
    facts: [
      ...facts('Found', message),
      ...facts('Why', why),
      ...facts('Clause', ...explainClauses([result])),
      ...facts('Deviation', known),
      ...facts('Observed', ...observations),
    ],
    exchanges: result.evidence.map(wordExchange),
    duration,
  };
}

/** Why a requirement holds. */
function describeBasis({ basis, clause }: Pick<Result, 'basis' | 'clause'>): string {
  return basis.kind === 'stated'
    ? `Stated in ${clause}.`
    : `Follows from ${clause}: ${basis.because}`;
}

/** What the owner's list of deviations says about a result; `undefined` if it says nothing. */
function describeDeviation({ deviation }: Result): string | undefined {
  if (deviation === undefined) return undefined;
  const until = deviation.expires === undefined ? '' : ` until ${deviation.expires}`;
  return `Known deviation, accepted${until}: ${deviation.reason}`;
}

function wordExchange(
  exchange: Evidence,
  index: number,
  exchanges: readonly Evidence[],
): WordedExchange {
  const { curl, status, failure, element, body = '' } = exchange;
  const headers = Object.entries(exchange.headers ?? {}).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const time = `in ${describeDuration(exchange.duration)}`;
  const end = failure === undefined ? '' : `, then ${failure}`;
  const order = index === 0 ? 'Decided by' : 'Also sent';
  return {
    title: exchanges.length === 1 ? 'Sent' : order,
    command: curl,
    responseTitle: 'Received',
    response:
      status === undefined
        ? `no response ${time}: ${failure ?? 'the reason is not known'}`
        : `${status} ${time}${end}`,
    headers,
    ...(element !== undefined && { element }),
    body,
    telling: 'beginning',
  };
}
