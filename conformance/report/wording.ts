import type { Area } from '../requirement.ts';
import { exceptionsIn } from '../verdict.ts';
import type { ProviderName, Report, Result, Verdict } from './report.ts';

/** Headings of the areas. */
export const areaTitles: Readonly<Record<Area, string>> = {
  create: 'Create a stream',
  record: 'Turn recording on or off',
  inheritance: 'What sessions inherit',
  list: 'List recorded sessions',
  authentication: 'Authentication',
  media: 'Recordings',
  observe: 'Where the interface is silent',
};

const verdictTitles: Readonly<Record<Verdict, string>> = {
  conformant: 'Conformant',
  'conformant-with-deviations': 'Conformant',
  nonconformant: 'Not conformant',
  incomplete: 'Incomplete',
};

/**
 * What every report begins with: the verdict, the areas that it is of where they are not all, and
 * what the target's owner excepts, such as `Conformant in create, with 1 known deviation`.
 */
export function headline(report: Report): string {
  const { verdict, areas, unjudgeable, interrupted, results, startedAt } = report;
  if (unjudgeable !== undefined) return 'Cannot be judged';
  const exceptions =
    verdict === 'conformant-with-deviations' ? exceptionsIn(results, startedAt.slice(0, 10)) : [];
  const inapplicable = exceptions.filter(({ outcome }) => outcome === 'inapplicable').length;
  const known = exceptions.length - inapplicable;
  const counts = [
    ...(known > 0 ? [`${known} known ${known === 1 ? 'deviation' : 'deviations'}`] : []),
    ...(inapplicable > 0
      ? [`${inapplicable} inapplicable ${inapplicable === 1 ? 'requirement' : 'requirements'}`]
      : []),
  ];
  return [
    verdictTitles[verdict] + (areas === undefined ? '' : ` in ${conjoin(areas)}`),
    ...(interrupted ? ['interrupted'] : []),
    ...(counts.length === 0 ? [] : [`with ${conjoin(counts)}`]),
  ].join(', ');
}

function conjoin(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
}

/** What the verdicts say, in a sentence. */
export const verdictSentences: Readonly<Record<Verdict, string>> = {
  conformant: 'Every requirement that decides was tested, and the target keeps it.',
  'conformant-with-deviations':
    'The target keeps every requirement that decides, but for those that its owner excepts.',
  nonconformant: 'The target breaks the interface.',
  incomplete: 'Too little could be tested to say whether the target keeps the interface.',
};

/** Where recorded sessions came from, in words. */
const providerWords: Readonly<Record<ProviderName, string>> = {
  none: 'none',
  given: 'a stream that was given',
  control: 'the control API',
  command: 'an ingest command',
  manual: 'a person who went live',
};

/** Why a requirement holds. */
export function describeBasis({ basis, clause }: Pick<Result, 'basis' | 'clause'>): string {
  return basis.kind === 'stated'
    ? `Stated in ${clause}.`
    : `Follows from ${clause}: ${basis.because}`;
}

/** What the owner's list of deviations says of a result; `undefined` where it says nothing. */
export function describeDeviation({ outcome, deviation }: Result): string | undefined {
  if (deviation === undefined) return undefined;
  const until = deviation.expires === undefined ? '' : ` until ${deviation.expires}`;
  const entry = `accepted${until}: ${deviation.reason}`;
  return outcome === 'pass'
    ? `No longer deviates, so the known deviation can be struck (${entry})`
    : `Known deviation, ${entry}`;
}

/** Whether there is more to say of a result than that it passed. */
export function isNotable({ outcome, deviation }: Result): boolean {
  return outcome !== 'pass' || deviation !== undefined;
}

/** Milliseconds in the unit that suits them. */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** When a run began, and how long it took. */
export function describeTime({ startedAt, duration }: Report): string {
  const start = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return `${start}, took ${describeDuration(duration)}`;
}

/** Where recorded sessions came from, and whether the run was to write. */
export function describeMode({ provider, readOnly }: Report): string {
  return readOnly ? `${providerWords[provider]}; read only` : providerWords[provider];
}
