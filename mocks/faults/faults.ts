import { createRandom, type ResumableRandom, resumeRandom } from '../../fixtures/random.ts';
import { isSameJson } from '../../interface/json.ts';
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
  /** The operation of the request; `undefined` for a recording. */
  readonly operation: ClientOperation | undefined;
  /** The id in the path; for a recording, that of its stream. */
  readonly id: string;
  readonly method?: string;
  /** The name of the requested media file. */
  readonly file?: string;
}

/** The faults of one world. */
export type Faults = ReturnType<typeof createFaults>;

/** The settings of the faults of every world. */
export interface FaultSettings {
  /** The faults of every world from its beginning. */
  readonly faults: readonly Fault[];
  /** How often these have matched, in all worlds. */
  readonly matchCounts: MatchCounts;
  /** The effects that the integration cannot produce. */
  readonly unable: UnableEffects;
}

/** Makes the faults of a world. They have a random generator of their own. */
export function createFaults(seed: string, settings: FaultSettings) {
  const { matchCounts, unable } = settings;
  let random: ResumableRandom = createRandom(`${seed}/faults`);
  let reports: FaultReport[] = [];
  let addedCount = 0;
  const isMatch = ({ fault, matched }: FaultReport, target: FaultTarget): boolean =>
    matched < (fault.times ?? Number.POSITIVE_INFINITY) &&
    fits(fault, target) &&
    (fault.probability === undefined || random.integer(0, 999_999) < fault.probability * 1e6);
  const faults = {
    /**
     * Appends a fault.
     * @throws Problem 422 for an effect that the integration cannot produce, 429 if there are too many.
     */
    add(fault: Fault): FaultReport {
      refuseUnable(fault, unable);
      if (reports.length >= maxFaults) {
        throw tooMany('faults', `at most ${maxFaults} at once`, 'remove one first');
      }
      const report = { id: ++addedCount, fault: structuredClone(fault), matched: 0 };
      reports.push(report);
      return structuredClone(report);
    },
    /** @throws Problem 404 if there is none with that id. */
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
    /** Whether they are those of every world, and none has matched. */
    areInitial: (): boolean =>
      addedCount === settings.faults.length &&
      reports.length === addedCount &&
      reports.every(({ matched }) => matched === 0),
    /** Finds the first fault that matches `target`, by chance if it has a probability, and counts the match. */
    take(target: FaultTarget): Readonly<FaultReport> | undefined {
      const report = reports.find((candidate) => isMatch(candidate, target));
      if (report === undefined) return undefined;
      report.matched += 1;
      matchCounts.count(report);
      return report;
    },
    /** The milliseconds of a delay. One between two durations is drawn at random. */
    drawDelay(delay: Delay): number {
      if (typeof delay !== 'object') return parseDuration(delay);
      return random.integer(parseDuration(delay.from), parseDuration(delay.to));
    },
    /** The state from which `resume` continues. */
    state(): FaultsState {
      return { reports: structuredClone(reports), added: addedCount, random: random.state() };
    },
    resume(state: FaultsState): void {
      reports = structuredClone([...state.reports]);
      // An imported state may count fewer faults than its ids show, and ids must not repeat.
      addedCount = Math.max(state.added, ...reports.map(({ id }) => id));
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
 * Refuses a fault whose effect the integration cannot produce.
 * @throws Problem 422, which says what can produce it.
 */
export function refuseUnable({ effect }: Fault, unable: UnableEffects, path = 'effect'): void {
  const advice = unable[effect];
  if (advice === undefined) return;
  const expected = 'one that this integration can produce';
  throw new Problem('invalid', { path, expected, got: describeValue(effect), advice });
}

/** Counts how often the faults that a mock was made with have matched, in all worlds and across resets. */
type MatchCounts = ReturnType<typeof createMatchCounts>;

export function createMatchCounts(faults: readonly Fault[]) {
  const reports: FaultReport[] = faults.map((fault, index) => ({
    id: index + 1,
    fault,
    matched: 0,
  }));
  return {
    /** Counts a match. Every world has copies of these faults under the same ids; an imported one may have others. */
    count({ id, fault }: FaultReport): void {
      const report = reports[id - 1];
      if (report === undefined || !isSameJson(report.fault, fault)) return;
      report.matched += 1;
    },
    reports: (): FaultReport[] => structuredClone(reports),
  };
}
