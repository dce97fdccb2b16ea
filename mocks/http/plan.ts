import type {
  Behaviours,
  ChangeResponse,
  NamedBehaviour,
} from '../../interface/dialect/behaviours.ts';
import { type Cell, isRefusal, type Refusal } from '../../interface/dialect/cells.ts';
import {
  type ByEndpoint,
  byEndpoint,
  type Endpoint,
  type ErrorClass,
} from '../../interface/dialect/errors.ts';
import type { Cells } from '../../interface/dialect/matrix.ts';
import { defaultDialect, type ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isInterfaceOperation } from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { jsonTextResponse, type PlainResponse, plainResponse } from '../messages/response.ts';
import type { EarlyResponse } from '../service/accept-or-refuse.ts';
import { corsHeaders } from './responses/cors-headers.ts';
import { fixedResponse } from './responses/fixed-response.ts';

/** What reads a request without looking anything up in its world. */
export type ReadingStage = 'query' | 'fields';

/** What is done once nothing waits any more, in one step with the change. */
export type FinalStage = ReadingStage | 'id' | 'state';

/**
 * What comes before a fault can match a request, in the order of the dialect: reading the body and opening the world of its
 * key, which may wait. Where the dialect checks something else before, only a refusal counts. What was found is found again
 * after the last wait, because others may have changed the world meanwhile.
 */
export interface EntryStages {
  readonly beforeWorld: readonly ('body' | ReadingStage)[];
  readonly afterWorld: readonly ('body' | ReadingStage | 'id')[];
}

/** The maximum size of a body, and how a larger one is refused, if a dialect says so. */
export interface SizeLimit {
  readonly bytes: number;
  readonly refusal?: Refusal;
}

type Envelope = NamedBehaviour<'response.wrapped'>;

/** How an endpoint responds under a dialect, as far as no request changes it. */
export interface Plan {
  readonly name: Endpoint;
  /** Whether the service has the operation at all. */
  readonly isOffered: boolean;
  /** Whether it may change the world. */
  readonly mayChange: boolean;
  /** What happens to each error. */
  readonly cells: Cells;
  /** What comes first for a request with a key, and for one without. */
  readonly entry: Readonly<Record<'key' | 'no-key', EntryStages>>;
  readonly final: readonly FinalStage[];
  readonly sizeLimit: SizeLimit;
  /** The object into which the dialect puts the result; `null` if it does not. */
  readonly envelope: Envelope;
  /** The pieces of a result's JSON, in an object if the dialect wraps it. */
  readonly wrap: (pieces: readonly string[]) => readonly string[];
  /** The response to a change; `stream` if it shows the stream. */
  readonly change: 'stream' | PlainResponse;
  /** The responses to requests that end early. */
  readonly earlyResponses: Readonly<Record<EarlyResponse, PlainResponse>>;
}

/** How each endpoint responds under a dialect, and what all of them have in common. */
export interface Plans extends ByEndpoint<Plan> {
  /** The headers for pages of other origins, if a request names no origin and is no preflight. */
  readonly corsHeaders: PlainResponse['headers'];
}

/** Plans how each endpoint responds under a dialect. */
export function createPlans(dialect: ResolvedDialect): Plans {
  return {
    ...byEndpoint((endpoint) => createPlan(endpoint, dialect)),
    corsHeaders: corsHeaders(null, 'GET', 200, dialect.behaviours),
  };
}

function createPlan(name: Endpoint, dialect: ResolvedDialect): Plan {
  const { orders, behaviours } = dialect;
  const cells = dialect.cells[name];
  const order = orders[name];
  const split = 1 + order.findLastIndex(isEntry);
  const entryOrder = order.slice(0, split);
  const envelopes: Readonly<Partial<Record<Endpoint, Envelope>>> = behaviours['response.wrapped'];
  const envelope = envelopes[name] ?? null;
  const wrap = wrapperOf(envelope);
  const change = changeResponse(name, behaviours);
  return {
    name,
    isOffered: !isRefusal(cells['operation:given']),
    mayChange: isInterfaceOperation(name) && interfaceOperations[name].method !== 'GET',
    cells,
    entry: { key: entryStages(entryOrder, 'key'), 'no-key': entryStages(entryOrder, 'no-key') },
    final: order.filter(isFinal),
    sizeLimit: sizeLimitOf(cells['body:large']),
    envelope,
    wrap,
    change,
    earlyResponses: {
      done: change === 'stream' ? noContent : change,
      empty: jsonTextResponse(200, wrap(['[]'])),
    },
  };
}

const noContent = plainResponse(204, null);

function changeResponse(name: Endpoint, behaviours: Behaviours): Plan['change'] {
  const shown: Readonly<Partial<Record<Endpoint, ChangeResponse>>> = behaviours['response.shows'];
  const response = shown[name] ?? 'nothing';
  if (response === 'stream') return response;
  return response === 'nothing' ? noContent : fixedResponse(response);
}

function isEntry(name: ErrorClass): boolean {
  return name === 'key' || name === 'no-key' || name === 'body';
}

function isReading(name: ErrorClass): name is ReadingStage {
  return name === 'query' || name === 'fields';
}

function isFinal(name: ErrorClass): name is FinalStage {
  return isReading(name) || name === 'id' || name === 'state';
}

/** The stages before and after the world is opened, where `opening` stands in the order. */
function entryStages(order: readonly ErrorClass[], opening: 'key' | 'no-key'): EntryStages {
  const at = order.indexOf(opening);
  const isBody = (name: ErrorClass) => name === 'body';
  return {
    beforeWorld: order.slice(0, at).filter((name) => isBody(name) || isReading(name)),
    afterWorld: order.slice(at).filter((name) => isBody(name) || isReading(name) || name === 'id'),
  };
}

/** Maximum size of a body, in bytes, whatever a dialect says. */
const maxBodyBytes = 16 * 1024 * 1024;

function sizeLimitOf(cell: Cell): SizeLimit {
  if (!isRefusal(cell)) return { bytes: maxBodyBytes };
  return { bytes: Math.min(cell.above ?? maxBodyBytes, maxBodyBytes), refusal: cell };
}

function wrapperOf(envelope: Envelope): Plan['wrap'] {
  if (envelope === null) return (pieces) => pieces;
  const [before = '', after = ''] = JSON.stringify(envelope).split('"{result}"');
  return (pieces) => [before, ...pieces, after];
}

/** How the mock responds to testers, and without a dialect. */
export const defaultPlans: Plans = createPlans(defaultDialect);
