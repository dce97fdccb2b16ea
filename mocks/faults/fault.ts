import {
  type ClientOperation,
  type MediaRouteName,
  mediaRouteNames,
} from '../../interface/operation-names.ts';

/** Milliseconds or a text such as `2s`; or any time between two, drawn at random. */
export type Delay = number | string | { from: number | string; to: number | string };

/** Which requests or recordings a fault matches; without a key, all that its effect can match. */
export interface FaultScope {
  /** The identifier in the request's path: a stream's, a session's or a playback id. */
  id?: string;
  /** How many it matches before it ends; no limit unless given. */
  times?: number;
  /** From 0 to 1: how likely it is to match; 1 unless given. */
  probability?: number;
}

/** What a fault of requests has: those of `Operation`. */
export interface RequestScope<Operation = ClientOperation> extends FaultScope {
  /** An operation or a media route, such as `createStream` or `recordingSegment`. */
  operation?: Operation;
  /** Waits on the world's clock before anything else happens. */
  delay?: Delay;
}

/** What a fault of the recording of a session that ends has; `id` is its stream's. */
interface RecordingScope extends FaultScope {
  operation?: never;
  delay?: never;
}

/** Operations of the interface that respond with JSON; the others respond with 204. */
export const jsonOperations = [
  'createStream',
  'listStreams',
  'retrieveStream',
  'listSessionsOfStream',
  'listSessions',
  'retrieveSession',
  'retrievePlayback',
] as const satisfies readonly ClientOperation[];
type JsonOperation = (typeof jsonOperations)[number];

/** Operations and media routes that respond with a body. */
export const operationsWithBody = [...jsonOperations, ...mediaRouteNames] as const;

/** Media routes that respond with a segment, and with the playlist of a recording. */
export const segmentRoutes = [
  'recordingSegment',
  'liveSegment',
] as const satisfies MediaRouteName[];
export const recordingPlaylists = [
  'recordingPlaylist',
  'recordingRendition',
] as const satisfies MediaRouteName[];

/** What a fault of each effect has besides its name. */
interface Effects {
  /** The request is refused before it does anything. `body` is JSON unless it is a text. */
  status: RequestScope & {
    status: number;
    body?: unknown;
    /** Seconds, sent in the header `retry-after`. */
    retryAfter?: number;
  };
  /**
   * The request does nothing, and gets this response. `body` is JSON unless it is a text; without one, and
   * for a status such as 204, the response has none.
   */
  answer: RequestScope & { status: number; body?: unknown };
  /** The request is carried out, and fields of the record, or of each record of a list, have other values. */
  patch: RequestScope<JsonOperation> & { fields: Record<string, unknown> };
  /** Nothing but the delay, which every fault of requests may have. */
  delay: RequestScope & { delay: Delay };
  reset: RequestScope;
  truncate: RequestScope;
  malformed: RequestScope<JsonOperation>;
  /** The request is carried out, and its response is sent slowly. */
  drip: RequestScope<(typeof operationsWithBody)[number]> & { bytesPerSecond: number };
  /** A media segment is not found: the one of that index, or every one. */
  'segment-missing': RequestScope<(typeof segmentRoutes)[number]> & { segment?: number };
  'playlist-endless': RequestScope<(typeof recordingPlaylists)[number]>;
  'recording-failed': RecordingScope;
  'recording-waiting': RecordingScope;
}

/** Name of what goes wrong. */
export type EffectName = keyof Effects;

/** What happens to requests or recordings in place of what the interface says. */
export type Fault = { [Name in EffectName]: { effect: Name } & Effects[Name] }[EffectName];

/** Effects that an integration cannot produce, each with why, and what can. */
export type UnableEffects = Readonly<Partial<Record<EffectName, string>>>;

/** Faults that a world may have at once. */
export const maxFaults = 100;

/** A fault that a world has, and how often it has matched. */
export interface FaultReport {
  id: number;
  fault: Fault;
  matched: number;
}

/** The faults of a world, what they have matched and the state of their random generator. */
export interface FaultsState {
  readonly reports: readonly FaultReport[];
  /** How many there have been, which is the last one's id. */
  readonly added: number;
  readonly random: readonly number[];
}
