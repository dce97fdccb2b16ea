import * as z from 'zod';
import { type Exchange, exchangeSchema } from '../../mocks/journal/exchange.ts';
import type { Trial } from './trials.ts';

/** What a mock of an app's tests reports. */
export interface MockEvidence {
  /** The id of the mock, which may report several times. */
  readonly mock: string;
  /** How many responses each variant of the mock has changed so far, by its name, or its dialect, as `dialect`. */
  readonly changed: Readonly<Record<string, number>>;
  /** What the app sent since the last report of the mock, and the responses. */
  readonly exchanges: readonly Exchange[];
}

/** Maximum number of exchanges that are kept of a run, and of characters in them. */
const most = { exchanges: 1_000, characters: 20_000_000 };

/**
 * Gathers what the mocks of one run report. Of the exchanges, the last ones are kept.
 * @param trials those of the run; reports about others are ignored
 * @param onExchange called with each exchange, whether it is kept or not
 */
export function createRunEvidence(
  trials: readonly Trial[],
  onExchange: (exchange: Exchange) => void,
) {
  const countsByMock = new Map<string, MockEvidence['changed']>();
  const kept: { exchange: Exchange; size: number }[] = [];
  let characters = 0;
  const answered = new Map<string, number>();
  const changedBy = (trial: Trial): number =>
    [...countsByMock.values()].reduce((sum, counts) => sum + (countOf(trial, counts) ?? 0), 0);
  return {
    add({ mock, changed, exchanges }: MockEvidence): void {
      countsByMock.set(mock, changed);
      for (const trial of trials) {
        if (countOf(trial, changed) === undefined) continue;
        answered.set(trial.name, (answered.get(trial.name) ?? 0) + exchanges.length);
      }
      for (const exchange of exchanges) {
        onExchange(exchange);
        const size = JSON.stringify(exchange).length;
        kept.push({ exchange, size });
        characters += size;
        while (kept.length > most.exchanges || characters > most.characters) {
          characters -= kept.shift()?.size ?? 0;
        }
      }
    },
    read: () => ({
      changed: Object.fromEntries(trials.map((trial) => [trial.name, changedBy(trial)])),
      answered: Object.fromEntries(trials.map(({ name }) => [name, answered.get(name) ?? 0])),
      exchanges: kept.map(({ exchange }) => exchange),
    }),
  };
}

/** How many responses a mock has changed because of a trial; `undefined` if it does not behave like it. */
function countOf(
  { name, dialect, combined }: Trial,
  counts: MockEvidence['changed'],
): number | undefined {
  if (combined !== undefined) return fewestOf(combined.map((trial) => countOf(trial, counts)));
  const key = dialect === undefined ? name : 'dialect';
  return Object.hasOwn(counts, key) ? counts[key] : undefined;
}

/** A combination is met only if each of its variants is. */
function fewestOf(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length < counts.length ? undefined : Math.min(...known);
}

/** The part of a report that is read. A page may have sent it, so nothing in it is trusted. */
const reportSchema = z.object({
  mock: z.string(),
  evidence: z.object({ changed: z.record(z.string(), z.int().min(0)) }),
  requests: z.array(exchangeSchema),
});

/** Reads what a mock reported in JSON. @throws Error for anything else. */
export function parseReport(text: string): MockEvidence {
  const { mock, evidence, requests } = reportSchema.parse(JSON.parse(text));
  return { mock, changed: evidence.changed, exchanges: requests };
}
