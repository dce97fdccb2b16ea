import type { Fault } from './effects/effects.ts';

/** Faults that a world may have at once. */
export const mostFaults = 100;

/** The faults of a world, what they have matched and the state of their random generator. */
export interface FaultsState {
  readonly reports: readonly FaultReport[];
  /** How many there have been, which is the last one's id. */
  readonly added: number;
  readonly random: readonly number[];
}

/** A fault that a world has, and how often it has matched. */
export interface FaultReport {
  id: number;
  fault: Fault;
  matched: number;
}
