import { createRandom, type Random, resumeRandom } from '../../fixtures/random.ts';
import type { ClientOperation } from '../../interface/operation-names.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { parseDuration } from '../state/duration.ts';
import { tooMany } from '../state/limits.ts';
import { effectOf } from './effects.ts';
import {
  type Delay,
  type Fault,
  type FaultReport,
  type FaultsState,
  maxFaults,
  type UnableEffects,
} from './fault.ts';

/** What a fault may match: a request, or the recording of a session that ends. */
export interface FaultTarget {
  /** The request's operation; `undefined` for a recording. */
  readonly operation: ClientOperation | undefined;
  /** The identifier in the path; for a recording its stream's. */
  readonly id: string;
  /** The request's method. */
  readonly method?: string;
  /** Name of the requested media file. */
  readonly file?: string;
}

/** The faults of one world. */
export type Faults = ReturnType<typeof createFaults>;

/** What the faults of a world begin with. */
export interface FaultSettings {
  /** What goes wrong in every world from its beginning. */
  readonly faults: readonly Fault[];
  /** What these have matched in all worlds. */
  readonly matchCounts: MatchCounts;
  /** What faults cannot do here. */
  readonly unable: UnableEffects;
}

/** Makes the faults of a world; `seed` seeds their random generator. */
export function createFaults(seed: string, settings: FaultSettings) {
  const { matchCounts, unable } = settings;
  let random: Random = createRandom(`${seed}/faults`);
  let reports: FaultReport[] = [];
  let added = 0;
  const isMatch = ({ fault, matched }: FaultReport, target: FaultTarget): boolean =>
    matched < (fault.times ?? Number.POSITIVE_INFINITY) &&
    fits(fault, target) &&
    (fault.probability === undefined || random.integer(0, 999_999) < fault.probability * 1e6);
  const faults = {
    /**
     * Appends a fault.
     * @throws Problem 422 for an effect that cannot be produced here, 429 when there are too many.
     */
    add(fault: Fault): FaultReport {
      refuseUnable(fault, unable);
      if (reports.length >= maxFaults) {
        throw tooMany('faults', `at most ${maxFaults} at once`, 'remove one first');
      }
      const report = { id: ++added, fault: structuredClone(fault), matched: 0 };
      reports.push(report);
      return structuredClone(report);
    },
    /** @throws Problem 404 when there is none of that id. */
    remove(id: number | string): FaultReport {
      const report = reports.find((candidate) => String(candidate.id) === String(id));
      if (report === undefined) {
        const expected = 'the id of a fault of this API key';
        throw new Problem('unknown', { path: 'id', expected, got: describeValue(id) });
      }
      reports = reports.filter((candidate) => candidate !== report);
      return report;
    },
    removeAll(): FaultReport[] {
      const removed = reports;
      reports = [];
      return removed;
    },
    list: (): FaultReport[] => structuredClone(reports),
    /** The first fault that matches `target`, which is counted. Where it has a probability, the random generator decides. */
    take(target: FaultTarget): Readonly<FaultReport> | undefined {
      const report = reports.find((candidate) => isMatch(candidate, target));
      if (report === undefined) return undefined;
      report.matched += 1;
      matchCounts.count(report.fault);
      return report;
    },
    /** The milliseconds of a delay; those between two are drawn from the faults' random generator. */
    drawDelay(delay: Delay): number {
      if (typeof delay !== 'object') return parseDuration(delay);
      return random.integer(parseDuration(delay.from), parseDuration(delay.to));
    },
    /** What `resume` continues from. */
    state: (): FaultsState => ({
      reports: structuredClone(reports),
      added,
      random: random.state(),
    }),
    resume(state: FaultsState): void {
      reports = structuredClone([...state.reports]);
      // An import may count fewer than its ids show, and no id may come twice.
      added = Math.max(state.added, ...reports.map(({ id }) => id));
      random = resumeRandom(state.random);
    },
  };
  for (const fault of settings.faults) faults.add(fault);
  return faults;
}

function fits(fault: Fault, { operation, id, method, file = '' }: FaultTarget): boolean {
  const effect = effectOf(fault);
  if (fault.id !== undefined && fault.id !== id) return false;
  if (operation === undefined) return effect.operations.length === 0;
  if (fault.operation !== undefined && fault.operation !== operation) return false;
  if (!effect.operations.includes(operation)) return false;
  if (effect.needsBody && method === 'HEAD') return false;
  return effect.matchesFile?.(fault, file) ?? true;
}

/**
 * Refuses a fault that could never have its effect.
 * @throws Problem 422, which says what can produce it.
 */
export function refuseUnable({ effect }: Fault, unable: UnableEffects, path = 'effect'): void {
  const advice = unable[effect];
  if (advice === undefined) return;
  const expected = 'one that this integration can produce';
  throw new Problem('invalid', { path, expected, got: describeValue(effect), advice });
}

/**
 * Refuses faults if one of them could never have its effect.
 * @throws Problem 422, which says what can produce it.
 */
export function refuseUnableFaults({ reports }: FaultsState, unable: UnableEffects): void {
  for (const [index, { fault }] of reports.entries()) {
    refuseUnable(fault, unable, `faults.reports[${index}].fault.effect`);
  }
}

/** Counts what the faults that a mock was made with match, in all worlds and across resets. */
type MatchCounts = ReturnType<typeof createMatchCounts>;

/** Makes the counts for a mock's faults. */
export function createMatchCounts(faults: readonly Fault[]) {
  const reports: FaultReport[] = faults.map((fault, at) => ({ id: at + 1, fault, matched: 0 }));
  return {
    /** Counts a match of one of these faults, of which worlds and resets have copies. */
    count(fault: Fault): void {
      const text = JSON.stringify(fault);
      for (const report of reports) {
        if (JSON.stringify(report.fault) === text) report.matched += 1;
      }
    },
    reports: (): FaultReport[] => structuredClone(reports),
  };
}
