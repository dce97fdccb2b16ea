import { createRandom, type Random, resumeRandom } from '../../fixtures/random.ts';
import type { ClientOperation } from '../../interface/operation-names.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { bodyEffects, effectTargets } from './effects.ts';
import { type Fault, type FaultReport, type FaultsState, mostFaults } from './fault.ts';
import type { FaultTally } from './tally.ts';
import { refuseUnable, type UnableEffects } from './unable.ts';

/** What a fault may meet. */
export interface FaultTarget {
  /** The request's operation; `undefined` for the recording of a session that ends. */
  readonly operation: ClientOperation | undefined;
  /** The identifier in the path; of a recording its stream's. */
  readonly id: string;
  /** The request's method. */
  readonly method?: string;
  /** Name of the media file, where one is asked for. */
  readonly file?: string;
}

/** A fault that meets what was asked for. */
export type MetFault = Pick<FaultReport, 'id' | 'fault'>;

/** The faults of one world. */
export interface Faults {
  /**
   * Adds a fault behind the others.
   * @throws Problem 422 for an effect that the mock's door cannot do, 429 when there are too many.
   */
  add(fault: Fault): FaultReport;
  /** @throws Problem 404 when there is none of that id. */
  remove(id: number | string): FaultReport;
  removeAll(): FaultReport[];
  list(): FaultReport[];
  /** The first fault that meets `target`, which counts as a match; chance decides where it must. */
  take(target: FaultTarget): MetFault | undefined;
  /** A whole number from `low` to `high`, drawn from the world's chance. */
  draw(low: number, high: number): number;
  /** What {@link Faults.resume} continues from. */
  state(): FaultsState;
  resume(state: FaultsState): void;
}

/** What the faults of a world begin with. */
export interface FaultPlan {
  /** Decides what chance does. */
  readonly seed: string;
  /** Faults that are there at first. */
  readonly initial: readonly Fault[];
  /** Counts those beyond this world and its resets. */
  readonly tally: FaultTally;
  readonly unable: UnableEffects;
}

/** Makes the faults of a world. */
export function createFaults({ seed, initial, tally, unable }: FaultPlan): Faults {
  let random: Random = createRandom(`${seed}/faults`);
  let reports: FaultReport[] = [];
  let added = 0;
  const isMet = ({ fault, matched }: FaultReport, target: FaultTarget): boolean =>
    matched < (fault.times ?? Number.POSITIVE_INFINITY) &&
    fits(fault, target) &&
    (fault.probability === undefined || random.integer(0, 999_999) < fault.probability * 1e6);
  const faults: Faults = {
    add(fault) {
      refuseUnable(fault, unable);
      if (reports.length >= mostFaults) {
        throw new Problem('full', {
          path: 'faults',
          expected: `at most ${mostFaults} at once`,
          got: 'another',
          advice: 'remove one first',
        });
      }
      const report = { id: ++added, fault: structuredClone(fault), matched: 0 };
      reports.push(report);
      return structuredClone(report);
    },
    remove(id) {
      const report = reports.find((candidate) => String(candidate.id) === String(id));
      if (report === undefined) {
        throw new Problem('unknown', {
          path: 'id',
          expected: 'the id of a fault of this API key',
          got: describeValue(id),
        });
      }
      reports = reports.filter((candidate) => candidate !== report);
      return report;
    },
    removeAll() {
      const removed = reports;
      reports = [];
      return removed;
    },
    list: () => structuredClone(reports),
    take(target) {
      const report = reports.find((candidate) => isMet(candidate, target));
      if (report === undefined) return undefined;
      report.matched += 1;
      tally.count(report.fault);
      return report;
    },
    draw: (low, high) => random.integer(low, high),
    state: () => ({ reports: structuredClone(reports), added, random: random.state() }),
    resume(state) {
      reports = structuredClone([...state.reports]);
      added = state.added;
      random = resumeRandom(state.random);
    },
  };
  for (const fault of initial) faults.add(fault);
  return faults;
}

function fits(fault: Fault, { operation, id, method, file }: FaultTarget): boolean {
  if (fault.id !== undefined && fault.id !== id) return false;
  const targets: readonly ClientOperation[] = effectTargets[fault.effect];
  if (operation === undefined) return targets.length === 0;
  if (fault.operation !== undefined && fault.operation !== operation) return false;
  if (!targets.includes(operation)) return false;
  if (method === 'HEAD' && bodyEffects.has(fault.effect)) return false;
  if (fault.effect !== 'segment-missing') return true;
  return (
    file !== 'init.mp4' &&
    (fault.segment === undefined || fault.segment === Number.parseInt(file ?? '', 10))
  );
}
