import type { NamedBehaviour } from '../../interface/dialect/behaviours.ts';
import { type ClientOperation, clientOperationNames } from '../../interface/operation-names.ts';
import { jsonResponse, type PlainResponse } from '../messages/response.ts';
import {
  breakOff,
  brokenConnection,
  type FaultClock,
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

/** A field of one effect. Its schema and its input in the dashboard follow from this. */
export type EffectField = {
  /** What the dashboard fills in. A field with an initial value is required. */
  readonly initial?: string;
} & (
  | { readonly kind: 'json' }
  | { readonly kind: 'object' }
  | {
      readonly kind: 'integer';
      /** What messages call it: `a whole number of seconds`. */
      readonly noun: string;
      readonly from: number;
      readonly to?: number;
    }
);

/** A request that a fault has matched. */
interface MatchedRequest {
  readonly clock: FaultClock;
  /** The object in which the dialect puts the result of the operation; `null` if the result is the body itself. */
  readonly envelope: NamedBehaviour<'response.wrapped'>;
  /** Does what the request asks for. */
  readonly carryOut: () => Promise<PlainResponse>;
}

/** The keys of a fault besides its scope. */
type OwnKey<EffectFault extends Fault> = Exclude<keyof EffectFault, 'effect' | keyof RequestScope>;

/** Everything that the project knows about an effect: what it matches, its fields, and what it does. */
interface Effect<EffectFault extends Fault> {
  /** What happens, in one sentence. */
  readonly summary: string;
  /** The operations that it can match; absent if it can match all, empty if it matches recordings. */
  readonly operations?: readonly NonNullable<EffectFault['operation']>[];
  /** The fields of its faults, besides their scope. */
  readonly fields?: { readonly [Name in OwnKey<EffectFault>]-?: EffectField };
  /** Whether its faults must have a delay. */
  readonly needsDelay?: true;
  /** Whether it needs a body in the response, so that it never matches HEAD. */
  readonly needsBody?: true;
  /** Whether it can match a media file; absent if it can match all. */
  matchesFile?(fault: EffectFault, file: string): boolean;
  /** Responds to a matched request. If absent, the request is carried out as usual. */
  respond?(fault: EffectFault, request: MatchedRequest): Promise<PlainResponse>;
  /** The status that a matched recording gets. */
  readonly recordingStatus?: 'failed' | 'waiting';
}

/** Any effect. */
export type AnyEffect = Omit<Effect<Fault>, 'operations' | 'fields'> & {
  readonly operations: readonly ClientOperation[];
  readonly fields: Readonly<Record<string, EffectField>>;
};

const body: EffectField = { kind: 'json' };

function integer(noun: string, from: number, to?: number): EffectField & { kind: 'integer' } {
  return { kind: 'integer', noun, from, ...(to !== undefined && { to }) };
}

/** All effects that a fault can have. */
const effects: { readonly [Name in EffectName]: Effect<Extract<Fault, { effect: Name }>> } = {
  status: {
    summary: 'The request is refused before it has any effect.',
    fields: {
      status: { ...integer('a status', 400, 599), initial: '503' },
      retryAfter: integer('a whole number of seconds', 0, 86_400),
      body,
    },
    async respond({ status, body, retryAfter }) {
      const errors = { errors: [`a fault responded with ${status}`] };
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
      return respondWith(status, body === undefined ? errors : body, headers);
    },
  },
  answer: {
    summary: 'The request has no effect and gets this response.',
    fields: { status: { ...integer('a status', 200, 599), initial: '200' }, body },
    respond: async ({ status, body }) => respondWith(status, body),
  },
  patch: {
    summary: 'The request is carried out, but fields of its response are replaced.',
    operations: jsonOperations,
    fields: { fields: { kind: 'object', initial: '{ "recordingStatus": "failed" }' } },
    needsBody: true,
    respond: async ({ fields }, { carryOut, envelope }) =>
      patchRecords(await carryOut(), fields, envelope),
  },
  delay: { summary: "The response is delayed, by the world's clock.", needsDelay: true },
  reset: {
    summary: 'The connection breaks before the request has any effect.',
    respond: async () => brokenConnection,
  },
  truncate: {
    summary: 'The request is carried out, but its response breaks off halfway.',
    needsBody: true,
    respond: async (_, { carryOut }) => breakOff(await carryOut()),
  },
  malformed: {
    summary: 'The request is carried out, but its response is not valid JSON.',
    operations: jsonOperations,
    needsBody: true,
    respond: async (_, { carryOut }) => spoilJson(await carryOut()),
  },
  drip: {
    summary: 'The request is carried out, but its response is sent slowly.',
    operations: operationsWithBody,
    fields: {
      bytesPerSecond: { ...integer('a whole number of bytes', 1, 1_000_000_000), initial: '1000' },
    },
    needsBody: true,
    respond: async ({ bytesPerSecond }, { carryOut, clock }) =>
      slowDown(await carryOut(), bytesPerSecond, clock),
  },
  'segment-missing': {
    summary: 'A media segment is not found.',
    operations: segmentRoutes,
    fields: { segment: integer('a whole number', 0) },
    matchesFile: ({ segment }, file) =>
      file !== 'init.mp4' && (segment === undefined || segment === Number.parseInt(file, 10)),
    respond: async () => jsonResponse(404, { errors: ['path: a fault left the segment out'] }),
  },
  'playlist-endless': {
    summary: 'The playlist of a recording has no end tag.',
    operations: recordingPlaylists,
    needsBody: true,
    respond: async (_, { carryOut }) => removeEnd(await carryOut()),
  },
  'recording-failed': {
    summary: 'When a session ends, its recording fails.',
    operations: [],
    recordingStatus: 'failed',
  },
  'recording-waiting': {
    summary: 'When a session ends, its recording stays in the waiting state.',
    operations: [],
    recordingStatus: 'waiting',
  },
};

export const effectNames: readonly EffectName[] = Object.keys(effects) as EffectName[];

/** The effect of a fault, with the defaults filled in, for code that treats all effects alike. */
export function effectOf({ effect }: Pick<Fault, 'effect'>): AnyEffect {
  return {
    operations: clientOperationNames,
    fields: {},
    ...(effects[effect] as Pick<AnyEffect, 'summary'>),
  };
}

/** Describes a fault: `delay 500 on listSessions, times 2`. */
export function faultSentence({ effect, operation, ...fields }: Fault): string {
  const target = operation ?? `any ${matchedKind(effect)}`;
  const { [effect]: ownValue, ...details } = fields as Readonly<Record<string, unknown>>;
  const describe = (name: string, value: unknown): string => {
    if (name === 'delay') return `delay ${delayText(value as Delay)}`;
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
  };
  const effectText = ownValue === undefined ? effect : describe(effect, ownValue);
  const detailTexts = Object.entries(details).map(([name, value]) => describe(name, value));
  return [`${effectText} on ${target}`, ...detailTexts].join(', ');
}

/** A delay in words: `2s`, `1s to 3s`. */
export function delayText(delay: Delay): string {
  return typeof delay === 'object' ? `${delay.from} to ${delay.to}` : String(delay);
}

/** Says that a fault has matched nothing. */
export function describeUnmatched(report: FaultReport): string {
  return `${nameOf(report)} matched no ${matchedKind(report.fault.effect)}`;
}

/** Says that a request, such as `GET /api/stream`, waits because of a fault. */
export function describeWait(request: string, report: FaultReport): string {
  return `${request} still waits for ${nameOf(report)}`;
}

function nameOf({ id, fault }: FaultReport): string {
  return `fault ${id} (${faultSentence(fault)})`;
}

function matchedKind(effect: EffectName): string {
  return effectOf({ effect }).operations.length === 0 ? 'recording' : 'request';
}
