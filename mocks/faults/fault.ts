import type { ClientOperation, InterfaceOperationName } from '../../interface/operation-names.ts';

/** Milliseconds or a text such as `2s`; or any time between two, drawn from the world's chance. */
export type Delay = number | string | { from: number | string; to: number | string };

/** Which requests or recordings a fault meets; without a key, all that its effect can meet. */
export interface FaultScope {
  /** The identifier in the request's path: a stream's, a session's or a playback id. */
  id?: string;
  /** Only the next so many; all unless given. */
  times?: number;
  /** From 0 to 1: the chance to meet one, seeded; 1 unless given. */
  probability?: number;
}

/** A fault of requests, those of `Operation` alone. */
interface RequestFault<Effect extends string, Operation = ClientOperation> extends FaultScope {
  effect: Effect;
  /** An operation or a media route, such as `createStream` or `recordingSegment`. */
  operation?: Operation;
  /** Waits on the world's clock before anything else happens. */
  delay?: Delay;
}

/** A fault of the recording of a session that ends; `id` is its stream's. */
interface RecordingFault<Effect extends string> extends FaultScope {
  effect: Effect;
  operation?: never;
  delay?: never;
}

/** What answers 204, so that there is nothing to spoil. */
export type Bodiless = 'setRecord' | 'deleteStream';

/** Something that goes wrong on purpose. */
export type Fault =
  /** Nothing but the delay. */
  | (RequestFault<'delay'> & { delay: Delay })
  /** The request is refused before it does anything. `body` is JSON unless it is a text. */
  | (RequestFault<'status'> & { status: number; body?: unknown; retryAfter?: number })
  /** The connection breaks before the request does anything. */
  | RequestFault<'reset'>
  /** The request is carried out, and its answer breaks off halfway. */
  | RequestFault<'truncate'>
  /** The request is carried out, and its answer is no JSON. */
  | RequestFault<'malformed', Exclude<InterfaceOperationName, Bodiless>>
  /** The request is carried out, and its answer trickles. */
  | (RequestFault<'drip', Exclude<ClientOperation, Bodiless>> & { bytesPerSecond: number })
  /** A media segment is not found: the one of that index, or every one. */
  | (RequestFault<'segment-missing', 'recordingSegment' | 'liveSegment'> & { segment?: number })
  /** The playlist of a recording lacks its end. */
  | RequestFault<'playlist-endless', 'recordingPlaylist' | 'recordingRendition'>
  /** The recording fails. */
  | RecordingFault<'recording-failed'>
  /** The recording stays `waiting`. */
  | RecordingFault<'recording-waiting'>;

/** Name of what goes wrong. */
export type EffectName = Fault['effect'];

/** The faults of one effect. */
export type FaultOf<Name extends EffectName> = Extract<Fault, { effect: Name }>;

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
