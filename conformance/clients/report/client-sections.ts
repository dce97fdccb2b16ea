import { howMany } from '../../../text/phrases.ts';
import { withVisibleStrings } from '../../../text/visible.ts';
import {
  areasOf,
  causesOf,
  clausesInOrder,
  describeCounts,
  facts,
  type Mark,
  type MarkLook,
  marks,
  type Sections,
  type WordedExchange,
  type WordedResult,
} from '../../report/sections.ts';
import { describeDuration, explainClauses } from '../../report/wording.ts';
import type {
  ClientReport,
  ClientVerdict,
  FailedRun,
  TrialKind,
  TrialResult,
} from '../client-report.ts';
import { clientExitStatus, countVariants } from '../client-verdict.ts';
import type { TrialOutcome } from '../outcomes.ts';
import type { SentNote, SentRequests } from '../sent-requests.ts';

/** The mark of each outcome. What is known to break the app is `expected`, and what is apart does not count, like an unmet recommendation. */
const marksOfOutcomes = {
  survived: 'pass',
  broken: 'fail',
  unsteady: 'error',
  unconfirmed: 'error',
  'not-met': 'blocked',
  'not-tried': 'untested',
} as const satisfies Record<TrialOutcome, Mark>;

/** How each mark reads in a report on an app. */
const looks = {
  pass: { ...marks.pass, words: 'survived' },
  fail: { ...marks.fail, words: 'breaks the app', plural: 'break the app' },
  error: { ...marks.error, words: 'undecided' },
  expected: { ...marks.expected, words: 'known to break it' },
  blocked: { ...marks.blocked, words: 'not met' },
  untested: { ...marks.untested, words: 'not tried' },
  unmet: {
    ...marks.unmet,
    words: 'breaks it, but does not count',
    plural: 'break it, but do not count',
  },
} as const satisfies Partial<Record<Mark, MarkLook>>;

/** The heading of each kind. */
const areaTitles = {
  variant: 'Services that keep the interface',
  combination: 'Several of these at once',
  dialect: 'Dialects',
  apart: 'Services that most apps or their tests cannot survive',
} as const satisfies Record<TrialKind, string>;

/** What each verdict means, and its mark. */
const verdictWords = {
  survives: {
    mark: 'pass',
    sentence: 'Its tests pass, whatever they met of what the interface leaves open.',
  },
  breaks: {
    mark: 'fail',
    sentence: 'The app relies on something that the interface does not promise.',
  },
  undecided: {
    mark: 'expected',
    sentence: 'It cannot be said yet whether the app survives every service that conforms.',
  },
} as const satisfies Record<ClientVerdict, object>;

/** What it means if only what is known to break the app does. */
const survivesButForKnown =
  'Its tests pass, except with what is known to break the app, whatever else they met of what the interface leaves open.';

/** What every format shows of a report on an app. */
export function clientSectionsOf(rawReport: ClientReport): Sections {
  const report = withVisibleStrings(rawReport);
  const { suite, tests, startedAt, duration, runs, verdict, unjudgeable, reasons } = report;
  const isUnjudgeable = unjudgeable !== undefined;
  const results = isUnjudgeable ? [] : report.results.map(wordResult);
  const plain = report.plainFailure && plainResult(report.plainFailure);
  const shown = plain === undefined ? results : [plain, ...results];
  const { mark, sentence } = verdictWords[verdict];
  const isKnownToBreak = verdict === 'survives' && results.some(({ known }) => known !== undefined);
  return {
    category: 'client',
    version: suite,
    subject: tests,
    startedAt,
    duration,
    exitStatus: clientExitStatus(report),
    opening: `livestream-mock ${suite} ran the tests ${howMany(runs, 'time')} in ${describeDuration(duration)}`,
    headline: headlineOf(report),
    mark,
    sentence: unjudgeable ?? (isKnownToBreak ? survivesButForKnown : sentence),
    isUnjudgeable,
    // The headline counts the same ones.
    counts: describeCounts(
      results.filter(({ binds }) => binds),
      looks,
    ),
    facts: [
      ['Tests', tests],
      ['Started', `${startedAt}, took ${describeDuration(duration)}`],
      ['Runs', `${runs}`],
    ],
    reasons: isUnjudgeable ? [] : reasons,
    remarks: isUnjudgeable ? [] : reasons,
    closing: isUnjudgeable ? [] : reasons,
    results: shown,
    citedClauses: clausesInOrder(shown),
    areas: areasOf(shown, { plain: 'The plain mock', ...areaTitles }, looks),
    failed: { title: 'What breaks the app', causes: causesOf(shown, ['fail', 'error']) },
    unmet: { title: 'What breaks it, but does not count', causes: causesOf(shown, ['unmet']) },
    known: { title: 'Known to break the app', causes: causesOf(shown, ['expected']) },
    blocked: {
      title: 'Not met, and what a test would have to do',
      word: 'Not met',
      causes: causesOf(shown, ['blocked']),
    },
    notes: isUnjudgeable ? [] : notesOf(report.sent),
  };
}

/** Such as `Survives 21 of 24 variants that its tests met; 9 were not met`. */
function headlineOf({ unjudgeable, interrupted, results }: ClientReport): string {
  if (unjudgeable !== undefined) return 'Cannot be said';
  const { survived, met, notMet, notTried } = countVariants(results);
  const combinations = results.filter(
    ({ kind, outcome, known }) =>
      kind === 'combination' && outcome === 'broken' && known === undefined,
  );
  const rest = [
    ...(combinations.length === 0 ? [] : [describeCombinations(combinations.length)]),
    ...(notMet === 0 ? [] : [`${howMany(notMet, 'was', 'were')} not met`]),
    ...(notTried === 0 ? [] : [`${howMany(notTried, 'was', 'were')} not tried`]),
    ...(interrupted ? ['the run was interrupted'] : []),
  ];
  const first = `Survives ${survived} of ${howMany(met, 'variant')} that its tests met`;
  return [first, ...rest].join('; ');
}

/** The headline counts variants, and each may survive alone. */
function describeCombinations(count: number): string {
  return `breaks with ${count === 1 ? 'a combination' : `${count} combinations`}`;
}

function wordResult(result: TrialResult): WordedResult {
  const { name, kind, outcome, statement, clause, argument, changed, known, evidence } = result;
  const mark = markOf(result);
  const { message = 'Its tests passed.' } = result;
  return {
    id: name,
    area: kind,
    level: kind,
    binds: kind !== 'apart',
    clause: clause ?? '',
    statement,
    ...looks[mark],
    mark,
    message,
    line: `${name} (${[kind, ...(clause === undefined ? [] : [clause])].join(', ')}): ${statement}`,
    derivation: outcome === 'broken' ? argument : undefined,
    known: known === undefined ? undefined : `Known to break the app: ${known}`,
    observations: [],
    facts: [
      ...facts('Found', result.message),
      ...facts('Why', argument),
      ...facts('Clause', ...(clause === undefined ? [] : explainClauses([{ clause }]))),
      ...facts('Known', known),
      ...facts('Changed', changed === 0 ? undefined : howMany(changed, 'response')),
      ...facts('Requests', evidence && describeRequests(evidence)),
    ],
    exchanges: evidence === undefined ? [] : [wordRun(evidence)],
    duration: evidence?.duration ?? 0,
  };
}

/** The mark of a result; what is apart does not count. */
function markOf({ outcome, kind, known }: TrialResult): keyof typeof looks {
  if (outcome !== 'broken') return marksOfOutcomes[outcome];
  if (kind === 'apart') return 'unmet';
  return known === undefined ? 'fail' : 'expected';
}

/** The run with the plain mock in which the tests failed. */
function plainResult(run: FailedRun): WordedResult {
  const statement = 'The tests failed with the plain mock.';
  return {
    id: 'plain',
    area: 'plain',
    level: 'plain mock',
    binds: true,
    clause: '',
    statement,
    ...looks.error,
    mark: 'error',
    message: `With the plain mock, the tests ${run.failure}.`,
    line: statement,
    derivation: undefined,
    known: undefined,
    observations: [],
    facts: facts('Requests', describeRequests(run)),
    exchanges: [wordRun(run)],
    duration: run.duration,
  };
}

function describeRequests({ requests, archive }: FailedRun): string | undefined {
  if (requests === 0) return undefined;
  const where =
    archive === undefined ? '; --report FILE also writes them as a HAR' : ` in ${archive}`;
  return howMany(requests, 'request') + where;
}

function wordRun({ command, failure, output, duration }: FailedRun): WordedExchange {
  return {
    title: 'Run again',
    command,
    responseTitle: 'The tests',
    response: `${failure} in ${describeDuration(duration)}`,
    headers: [],
    body: output.trim(),
    telling: 'end',
  };
}

/** How many notes of each kind a terminal shows. */
const mostNotes = { number: 5, hint: '--report FILE lists all' };

/** What the app sent, in words. */
function notesOf({ unused, undescribed, refused }: SentRequests): Sections['notes'] {
  return [
    {
      id: 'unused',
      title: 'Stated operations that the tests never used',
      words: 'unused',
      texts: unused,
    },
    {
      id: 'undescribed',
      title: 'Sent, but described by no clause',
      words: 'described by no clause',
      texts: undescribed.map(describeNote),
      most: mostNotes,
    },
    {
      id: 'refused',
      title: 'Refused by the plain mock',
      words: 'refused by the plain mock',
      texts: refused.map(describeNote),
      most: mostNotes,
    },
  ];
}

function describeNote({ text, times }: SentNote): string {
  return `${text} (${howMany(times, 'time')})`;
}
