import { type ClientOperation, mediaRouteNames } from '../../interface/operation-names.ts';

/** Milliseconds, a text such as `2s`, or a time between two of these, drawn at random. */
export type Delay = number | string | { from: number | string; to: number | string };

/** Which requests or recordings a fault matches. Without any key, it matches all that its effect can match. */
export interface FaultScope {
  /** The id in the request's path: that of a stream or session, or a playback id. */
  id?: string;
  /** How often it matches before it ends. Default: no limit. */
  times?: number;
  /** How likely it is to match, from 0 to 1. Default: 1. */
  probability?: number;
}

/** Which requests a fault matches, of those for `Operation`. */
export interface RequestScope<Operation extends ClientOperation = ClientOperation>
  extends FaultScope {
  /** An operation or a media route, such as `createStream` or `recordingSegment`. */
  operation?: Operation;
  /** How long it waits, on the world's clock, before anything else happens. */
  delay?: Delay;
}

/**
 * Which recordings a fault matches when their session ends. `id` is that of the stream. It has no `delay?: never`, for
 * which editors would not offer the effect `delay`, whose faults must have one.
 */
interface RecordingScope extends FaultScope {
  operation?: never;
}

/**
 * Operations of the interface that respond with JSON; the others respond with 204. `interfaceOperations` says so too,
 * but its schemas would bring zod into the dashboard's page and into the declarations of the package.
 */
export const jsonOperations = [
  'createStream',
  'listStreams',
  'retrieveStream',
  'listSessionsOfStream',
  'listSessions',
  'retrieveSession',
  'retrievePlayback',
] as const;
type JsonOperation = (typeof jsonOperations)[number];

/** Operations and media routes that respond with a body. */
export const operationsWithBody = [...jsonOperations, ...mediaRouteNames] as const;

/** Media routes that respond with a segment, and those that respond with the playlist of a recording. */
export const segmentRoutes = ['recordingSegment', 'liveSegment'] as const;
export const recordingPlaylists = ['recordingPlaylist', 'recordingRendition'] as const;

/** What a fault has besides the name of its effect. The table in `effects.ts` says what each effect does. */
interface Effects {
  /** `body` is JSON unless it is a text. */
  status: RequestScope & {
    status: number;
    body?: unknown;
    /** Seconds, sent in the header `retry-after`. */
    retryAfter?: number;
  };
  /** `body` is JSON unless it is a text. A response with a status such as 204 never has one. */
  answer: RequestScope & { status: number; body?: unknown };
  /** `fields` replace those of the record, or of each record in a list. */
  patch: RequestScope<JsonOperation> & { fields: Record<string, unknown> };
  delay: RequestScope & { delay: Delay };
  reset: RequestScope;
  truncate: RequestScope;
  malformed: RequestScope<JsonOperation>;
  drip: RequestScope<(typeof operationsWithBody)[number]> & { bytesPerSecond: number };
  /** `segment` is the index of the missing one; default any. */
  'segment-missing': RequestScope<(typeof segmentRoutes)[number]> & { segment?: number };
  'playlist-endless': RequestScope<(typeof recordingPlaylists)[number]>;
  'recording-failed': RecordingScope;
  'recording-waiting': RecordingScope;
}

/** The name of what goes wrong. */
export type EffectName = keyof Effects;

/** What happens to requests or recordings instead of what the interface says. */
export type Fault = { [Name in EffectName]: { effect: Name } & Effects[Name] }[EffectName];

/** Effects that an integration cannot produce, each with the reason and with what can produce it. */
export type UnableEffects = Readonly<Partial<Record<EffectName, string>>>;

/** Maximum number of faults in a world. */
export const maxFaults = 100;

/** A fault that a world has, and how often it has matched. */
export interface FaultReport {
  id: number;
  fault: Fault;
  matched: number;
}

/** The faults of a world, how often they have matched, and the state of their random generator. */
export interface FaultsState {
  readonly reports: readonly FaultReport[];
  /** How many were ever added, which is the id of the last one. */
  readonly added: number;
  readonly random: readonly number[];
}
