import type {
  ClientOperation,
  InterfaceOperationName,
} from '../../../interface/operation-names.ts';
import type { PlainResponse } from '../../messages/response.ts';
import type { AdjustableClock } from '../../state/clock.ts';

/** Milliseconds or a text such as `2s`; or any time between two, drawn at random. */
export type Delay = number | string | { from: number | string; to: number | string };

/** A delay in words: `500 ms`, `1 s to 3 s`. */
export function describeDelay(delay: Delay): string {
  if (typeof delay === 'object') {
    return `${describeDelay(delay.from)} to ${describeDelay(delay.to)}`;
  }
  const text = String(delay);
  return /[a-z]/.test(text) ? text.replace(/(?<=\d)(?=[a-z])/g, ' ') : `${text} ms`;
}

/** Which requests or recordings a fault matches; without a key, all that its effect can match. */
export interface FaultScope {
  /** The identifier in the request's path: a stream's, a session's or a playback id. */
  id?: string;
  /** How many it matches before it ends; no limit unless given. */
  times?: number;
  /** From 0 to 1: how likely it is to match; 1 unless given. */
  probability?: number;
}

/** A fault that matches requests: those of `Operation`. */
export interface RequestFault<Name extends string, Operation = ClientOperation> extends FaultScope {
  effect: Name;
  /** An operation or a media route, such as `createStream` or `recordingSegment`. */
  operation?: Operation;
  /** Waits on the world's clock before anything else happens. */
  delay?: Delay;
}

/** A fault that matches the recording of a session that ends; `id` is its stream's. */
export interface RecordingFault<Name extends string> extends FaultScope {
  effect: Name;
  operation?: never;
  delay?: never;
}

/** Operations that respond with 204: they have no body to spoil. */
type Bodiless = 'updateStream' | 'setRecord' | 'deleteStream' | 'terminateStream';

/** Operations of the interface that respond with JSON. */
export type JsonOperation = Exclude<InterfaceOperationName, Bodiless>;

/** Operations and media routes that respond with a body. */
export type BodyOperation = Exclude<ClientOperation, Bodiless>;

/** Leaves out the operations that have no body. */
export function withBody<Name extends ClientOperation>(
  names: readonly Name[],
): readonly Exclude<Name, Bodiless>[] {
  const bodiless: readonly ClientOperation[] = [
    'updateStream',
    'setRecord',
    'deleteStream',
    'terminateStream',
  ] satisfies Bodiless[];
  return names.filter((name): name is Exclude<Name, Bodiless> => !bodiless.includes(name));
}

/** A field that only one effect has. Its schema and its input in the dashboard follow from this. */
export type Field = {
  /** What the dashboard calls it. */
  readonly label: string;
  readonly required?: true;
  /** What the dashboard shows in the empty input. */
  readonly placeholder?: string;
  /** What the dashboard fills in. */
  readonly initial?: string;
  /** Whether its value follows the effect's name where a fault is described: `status 503`. */
  readonly describesEffect?: true;
} & (
  | { readonly kind: 'json' }
  | { readonly kind: 'object' }
  | {
      readonly kind: 'integer';
      /** What is counted, for messages: `a whole number of seconds`. */
      readonly what: string;
      readonly from: number;
      readonly to?: number;
    }
);

/** A request that a fault has matched. */
interface MatchedRequest {
  readonly clock: AdjustableClock;
  /** Does what the request asks for; `afresh` ignores its range and what its client has cached. */
  readonly carryOut: (afresh?: boolean) => Promise<PlainResponse>;
}

type AnyFault = RequestFault<string> | RecordingFault<string>;

/** Everything that the project knows of an effect: what it matches, what it takes, what it does. */
export interface Effect<Fault extends AnyFault> {
  /** What happens, in one sentence. */
  readonly summary: string;
  /** What a fault does to its target, such as `any request`: the beginning of a sentence. */
  sentence(fault: Fault, target: string): string;
  /** The operations that it can match; empty where it matches recordings. */
  readonly operations: readonly NonNullable<Fault['operation']>[];
  /** What it takes beside its scope. */
  readonly fields: {
    readonly [Name in Exclude<keyof Fault, keyof RequestFault<string>>]-?: Field;
  };
  /** Whether its faults must have a delay. */
  readonly needsDelay?: true;
  /** Whether it needs a body in the response, so that it never matches a HEAD. */
  readonly needsBody?: true;
  /** What an integration must be able to send for it, if more than whole responses. */
  readonly sends?: 'reset' | 'partial' | 'slow';
  /** Which media files it can match, where not all of them. */
  matchesFile?(fault: Fault, file: string): boolean;
  /** Responds to a matched request. Unless given, the request is carried out as usual. */
  respond?(fault: Fault, request: MatchedRequest): Promise<PlainResponse>;
  /** What it makes of a matched recording. */
  readonly recordingStatus?: 'failed' | 'waiting';
}

/** An effect of which it is not known which one it is. */
export type AnyEffect = Effect<AnyFault> & { readonly fields: Readonly<Record<string, Field>> };
