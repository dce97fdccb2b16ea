import { type ClientOperation, clientOperationNames } from '../../interface/operation-names.ts';
import { jsonResponse, type PlainResponse } from '../messages/response.ts';
import type { AdjustableClock } from '../state/clock.ts';
import {
  breakOff,
  brokenConnection,
  patchRecords,
  removeEnd,
  respondWith,
  slowDown,
  spoilJson,
} from './bodies.ts';
import {
  type Delay,
  type EffectName,
  type Fault,
  type FaultReport,
  jsonOperations,
  operationsWithBody,
  type RequestScope,
  recordingPlaylists,
  segmentRoutes,
} from './fault.ts';

/** A field that only one effect has. Its schema and its input in the dashboard follow from this. */
export type EffectField = {
  /** What the dashboard calls it. */
  readonly label: string;
  readonly required?: true;
  /** What the dashboard shows in the empty input. */
  readonly placeholder?: string;
  /** What the dashboard fills in. */
  readonly initial?: string;
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

/** The keys of a fault beside its scope. */
type OwnKey<OneFault extends Fault> = Exclude<keyof OneFault, 'effect' | keyof RequestScope>;

/** Everything that the project knows of an effect: what it matches, what it takes, what it does. */
interface Effect<OneFault extends Fault> {
  /** What happens, in one sentence. */
  readonly summary: string;
  /** What a fault does to its target, such as `any request`: the beginning of a sentence. */
  sentence(fault: OneFault, target: string): string;
  /** The operations that it can match, where not all of them; empty where it matches recordings. */
  readonly operations?: readonly NonNullable<OneFault['operation']>[];
  /** What it takes beside its scope. */
  readonly fields?: { readonly [Name in OwnKey<OneFault>]-?: EffectField };
  /** Whether its faults must have a delay. */
  readonly needsDelay?: true;
  /** Whether it needs a body in the response, so that it never matches a HEAD. */
  readonly needsBody?: true;
  /** Which media files it can match, where not all of them. */
  matchesFile?(fault: OneFault, file: string): boolean;
  /** Responds to a matched request. Unless given, the request is carried out as usual. */
  respond?(fault: OneFault, request: MatchedRequest): Promise<PlainResponse>;
  /** What it makes of a matched recording. */
  readonly recordingStatus?: 'failed' | 'waiting';
}

/** An effect of which it is not known which one it is. */
export type AnyEffect = Omit<Effect<Fault>, 'operations' | 'fields'> & {
  readonly operations: readonly ClientOperation[];
  readonly fields: Readonly<Record<string, EffectField>>;
};

const bodyField: EffectField = { label: 'Body (JSON or text)', kind: 'json' };

function statusField(from: number, initial: string): EffectField {
  return {
    label: 'Status',
    kind: 'integer',
    what: 'a status',
    from,
    to: 599,
    required: true,
    initial,
  };
}

/** All effects that a fault can have. */
const effects: { readonly [Name in EffectName]: Effect<Extract<Fault, { effect: Name }>> } = {
  status: {
    summary: 'The request is refused before it does anything.',
    sentence: ({ status }, target) => `Refuse ${target} with ${status}`,
    fields: {
      status: statusField(400, '503'),
      retryAfter: {
        label: 'Retry-After (s)',
        kind: 'integer',
        what: 'a whole number of seconds',
        from: 0,
        to: 86_400,
      },
      body: bodyField,
    },
    async respond({ status, body, retryAfter }) {
      const errors = { errors: [`a fault answers ${status}`] };
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
      return respondWith(status, body === undefined ? errors : body, headers);
    },
  },
  answer: {
    summary: 'The request does nothing, and gets this response.',
    sentence: ({ status }, target) => `Answer ${target} with ${status}`,
    fields: {
      status: statusField(200, '200'),
      body: bodyField,
    },
    respond: async ({ status, body }) => respondWith(status, body),
  },
  patch: {
    summary: 'The request is carried out, and fields of its response are replaced.',
    sentence: ({ fields }, target) =>
      `Change the response to ${target} to ${JSON.stringify(fields)}`,
    operations: jsonOperations,
    fields: {
      fields: {
        label: 'Fields (a JSON object)',
        kind: 'object',
        required: true,
        initial: '{ "recordingStatus": "failed" }',
      },
    },
    needsBody: true,
    respond: async ({ fields }, { carryOut }) => patchRecords(await carryOut(true), fields),
  },
  delay: {
    summary: 'The response waits on the clock of the world.',
    sentence: ({ delay }, target) => `Delay ${target} by ${describeDelay(delay)}`,
    needsDelay: true,
  },
  reset: {
    summary: 'The connection breaks before the request does anything.',
    sentence: (_, target) => `Break the connection of ${target}`,
    respond: async () => brokenConnection,
  },
  truncate: {
    summary: 'The request is carried out, and its response breaks off halfway.',
    sentence: (_, target) => `Cut off the response to ${target}`,
    needsBody: true,
    respond: async (_, { carryOut }) => breakOff(await carryOut()),
  },
  malformed: {
    summary: 'The request is carried out, and its response is not JSON.',
    sentence: (_, target) => `Spoil the JSON of ${target}`,
    operations: jsonOperations,
    needsBody: true,
    respond: async (_, { carryOut }) => spoilJson(await carryOut()),
  },
  drip: {
    summary: 'The request is carried out, and its response is sent slowly.',
    sentence: ({ bytesPerSecond }, target) => `Send ${target} at ${bytesPerSecond} bytes a second`,
    operations: operationsWithBody,
    fields: {
      bytesPerSecond: {
        label: 'Bytes a second',
        kind: 'integer',
        what: 'a whole number of bytes',
        from: 1,
        to: 1_000_000_000,
        required: true,
        initial: '1000',
      },
    },
    needsBody: true,
    respond: async ({ bytesPerSecond }, { carryOut, clock }) =>
      slowDown(await carryOut(), bytesPerSecond, clock),
  },
  'segment-missing': {
    summary: 'A media segment is not found.',
    sentence: ({ segment }, target) =>
      `Lose ${segment === undefined ? 'every segment' : `segment ${segment}`} of ${target}`,
    operations: segmentRoutes,
    fields: {
      segment: {
        label: 'Segment',
        kind: 'integer',
        what: 'a whole number',
        from: 0,
        placeholder: 'every one',
      },
    },
    matchesFile: ({ segment }, file) =>
      file !== 'init.mp4' && (segment === undefined || segment === Number.parseInt(file, 10)),
    respond: async () => jsonResponse(404, { errors: ['path: the segment is missing'] }),
  },
  'playlist-endless': {
    summary: 'The playlist of a recording lacks its end.',
    sentence: (_, target) => `Leave out the end of the playlist of ${target}`,
    operations: recordingPlaylists,
    needsBody: true,
    respond: async (_, { carryOut }) => removeEnd(await carryOut(true)),
  },
  'recording-failed': {
    summary: 'The recording of a session that ends fails.',
    sentence: (_, target) => `Fail ${target}`,
    operations: [],
    recordingStatus: 'failed',
  },
  'recording-waiting': {
    summary: 'The recording of a session that ends stays waiting.',
    sentence: (_, target) => `Keep ${target} waiting`,
    operations: [],
    recordingStatus: 'waiting',
  },
};

/** All effects, with what is usual where one does not say it. */
const anyEffects = Object.fromEntries(
  Object.entries(effects).map(([name, effect]) => [
    name,
    { operations: clientOperationNames, fields: {}, ...effect },
  ]),
) as unknown as Readonly<Record<EffectName, AnyEffect>>;

export const effectNames: readonly EffectName[] = Object.keys(effects) as EffectName[];

/** The effect of a fault, for code that treats all effects alike. */
export function effectOf({ effect }: Pick<Fault, 'effect'>): AnyEffect {
  return anyEffects[effect];
}

/** A fault as a sentence: `Delay listSessions by 500 ms for the next 2 requests`. */
export function faultSentence(fault: Fault): string {
  const { effect, operation, id, delay, times, probability } = fault;
  const kind = matchedKind(fault);
  const target = `${operation ?? `any ${kind}`}${id === undefined ? '' : ` of ${id}`}`;
  const parts = [effectOf(fault).sentence(fault, target)];
  if (times !== undefined) parts.push(` for the next ${times === 1 ? kind : `${times} ${kind}s`}`);
  if (delay !== undefined && effect !== 'delay') parts.push(`, after ${describeDelay(delay)}`);
  if (probability !== undefined) parts.push(`, with a chance of ${probability * 100} %`);
  return parts.join('');
}

/** Says of a fault that it has matched nothing. */
export function describeUnmatched({ id, fault }: FaultReport): string {
  return `fault ${id} (${faultSentence(fault)}) matched no ${matchedKind(fault)}`;
}

function matchedKind(fault: Fault): string {
  return effectOf(fault).operations.length === 0 ? 'recording' : 'request';
}

/** A delay in words: `500 ms`, `1 s to 3 s`. */
function describeDelay(delay: Delay): string {
  if (typeof delay === 'object') {
    return `${describeDelay(delay.from)} to ${describeDelay(delay.to)}`;
  }
  const text = String(delay);
  return /[a-z]/.test(text) ? text.replace(/(?<=\d)(?=[a-z])/g, ' ') : `${text} ms`;
}
