import type { ProviderName, Report, Result, Verdict } from '../../model/report.ts';
import type { Area } from '../../model/requirement.ts';
import { withVisibleStrings } from '../../model/visible.ts';
import { groundsOf } from '../../run/verdict.ts';

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

const verdictWords: Readonly<Record<Verdict, { title: string; sentence: string }>> = {
  conformant: {
    title: 'Conformant',
    sentence:
      'The target was tested against every binding requirement in scope and conforms to all of them.',
  },
  'conformant-with-deviations': {
    title: 'Conformant',
    sentence:
      'The target conforms to every binding requirement in scope, apart from those that its owner lists as deviating or inapplicable.',
  },
  nonconformant: {
    title: 'Not conformant',
    sentence: 'The target does not conform to the interface.',
  },
  incomplete: {
    title: 'Incomplete',
    sentence: 'The run cannot say yet whether the target conforms to the interface.',
  },
};

/**
 * The first line of every report: the verdict, the areas where not all were judged, the owner's
 * exceptions, and whether the run was interrupted, such as `Conformant in the area create, with 1 known
 * deviation`.
 */
export function headline(report: Report): string {
  const { verdict, areas, unjudgeable, interrupted } = report;
  if (unjudgeable !== undefined) return 'Cannot be judged';
  const scope =
    areas === undefined ? '' : ` in the ${plural(areas.length, 'area')} ${conjoin(areas)}`;
  const exceptions = verdict === 'conformant-with-deviations' ? countExceptions(report) : '';
  const end = interrupted ? '; the run was interrupted' : '';
  return verdictWords[verdict].title + scope + exceptions + end;
}

function countExceptions(report: Report): string {
  const { exceptions } = groundsOf(report);
  const inapplicable = exceptions.filter(({ outcome }) => outcome === 'inapplicable').length;
  const counts: [number, string][] = [
    [exceptions.length - inapplicable, 'known deviation'],
    [inapplicable, 'inapplicable requirement'],
  ];
  const words = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${plural(count, noun)}`);
  return `, with ${conjoin(words)}`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

function conjoin(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
}

/**
 * A report to show to people: without invisible characters and, where the target cannot be judged, with
 * the sentence that says why and nothing else.
 */
export function forPeople(report: Report): Report {
  const shown = withVisibleStrings(report);
  return report.unjudgeable === undefined ? shown : { ...shown, results: [], reasons: [] };
}

/** What the verdict means, in a sentence; where the target cannot be judged, why. */
export function verdictSentence({ verdict, unjudgeable }: Report): string {
  return unjudgeable ?? verdictWords[verdict].sentence;
}

/** Where the mock is that `check --mock` judges, in its own process. */
export const mockOrigin = 'http://mock.invalid';

/** What was judged: an address, or the mock itself. */
export function describeTarget({ target }: Report): string {
  return target.startsWith(`${mockOrigin}/`) ? 'the mock itself' : target;
}

const providerWords: Readonly<Record<ProviderName, string>> = {
  none: 'none',
  given: 'a stream that was given',
  control: 'the control API',
  command: 'an ingest command',
  manual: 'a person who went live',
};

/** Every way in which recorded sessions may have come. */
export const providerNames: readonly ProviderName[] = Object.keys(providerWords) as ProviderName[];

/** Why a requirement holds. */
export function describeBasis({ basis, clause }: Pick<Result, 'basis' | 'clause'>): string {
  return basis.kind === 'stated'
    ? `Stated in ${clause}.`
    : `Follows from ${clause}: ${basis.because}`;
}

/** What the owner's list of deviations says about a result; `undefined` where it says nothing. */
export function describeDeviation({ outcome, deviation }: Result): string | undefined {
  if (deviation === undefined) return undefined;
  const until = deviation.expires === undefined ? '' : ` until ${deviation.expires}`;
  const entry = `accepted${until}: ${deviation.reason}`;
  return outcome === 'pass'
    ? `No longer deviates: remove the known deviation (${entry})`
    : `Known deviation, ${entry}`;
}

/** A requirement in a line, such as `RECORD-1 (must, 4.2): Recording is turned on.` */
export function describeRequirement({ id, level, clause, statement }: Result): string {
  return `${id} (${level}, ${clause}): ${statement}`;
}

/** The first texts of a list, and how many more there are. */
export function firstOf(texts: readonly string[], most: number): readonly string[] {
  const rest = texts.length - most;
  return rest > 0 ? [...texts.slice(0, most), `and ${rest} more`] : texts;
}

/** The ids of the first results, and how many more there are. */
export function firstIds(results: readonly Result[], most: number): string {
  const ids = results.map(({ id }) => id);
  return firstOf(ids, most).join(', ');
}

/** Milliseconds as `12 ms`, `1.2 s` or `2 min 5 s`. */
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

/** Where recorded sessions came from, and whether the run was read-only. */
export function describeMode({ provider, readOnly }: Report): string {
  return readOnly ? `${providerWords[provider]}; read only` : providerWords[provider];
}
