import type { ClientOperation } from '../http/operation-names.ts';

/** Milliseconds or a text such as `2s`; or any time between two, drawn from the world's chance. */
export type Delay = number | string | { from: number | string; to: number | string };

/** Which requests a fault meets; without a key, all of the interface and of its media. */
export interface FaultScope {
  /** An operation or a media route, such as `createStream` or `recordingSegment`. */
  operation?: ClientOperation;
  /** The identifier in the request's path: a stream's, a session's or a playback id. */
  id?: string;
  /** Only the next so many requests; all unless given. */
  times?: number;
  /** From 0 to 1: the chance to meet a request, seeded; 1 unless given. */
  probability?: number;
  /** Waits on the world's clock before anything else happens. */
  delay?: Delay;
}

/** What goes wrong. */
export type FaultEffect =
  /** Nothing but the delay. */
  | { effect: 'delay'; delay: Delay }
  /** The request is refused before it does anything. `body` is JSON unless it is a text. */
  | { effect: 'status'; status: number; body?: unknown; retryAfter?: number }
  /** The connection breaks before the request does anything. */
  | { effect: 'reset' }
  /** The request is carried out, and its answer breaks off halfway. */
  | { effect: 'truncate' }
  /** The request is carried out, and its answer is no JSON. */
  | { effect: 'malformed' }
  /** The request is carried out, and its answer trickles. */
  | { effect: 'drip'; bytesPerSecond: number }
  /** A media segment is not found: the one of that index, or every one. */
  | { effect: 'segment-missing'; segment?: number }
  /** The playlist of a recording lacks its end. */
  | { effect: 'playlist-endless' }
  /** The recording of a session that ends fails. */
  | { effect: 'recording-failed' }
  /** The recording of a session that ends stays `waiting`. */
  | { effect: 'recording-waiting' };

/** Something that goes wrong on purpose. */
export type Fault = FaultScope & FaultEffect;

/** Name of what goes wrong. */
export type EffectName = FaultEffect['effect'];

/** Faults that a world may have at once. */
export const mostFaults = 100;

/** The faults of a world, what they have met and what chance does next. */
export interface FaultsState {
  readonly reports: readonly FaultReport[];
  /** How many there have been, which is the last one's id. */
  readonly added: number;
  readonly random: readonly number[];
}

/** A fault that a world has, and how often it has met a request. */
export interface FaultReport {
  id: number;
  fault: Fault;
  matched: number;
}
