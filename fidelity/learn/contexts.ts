import type { Exchange } from '../../conformance/model/report.ts';
import { Blocked, NoResponse } from '../../conformance/target/failure.ts';
import type { Call } from '../../conformance/target/target.ts';
import type { Behaviours } from '../../interface/silent.ts';
import type { Connection } from '../target/connection.ts';
import { createWitness } from './probes/stated.ts';
import type { ProbeContext, Question } from './questions/probe.ts';

/** Whom the probes ask, and with what. */
export interface ContextOptions {
  readonly connection: Connection;
  /** The connection of another API key. */
  readonly other: Connection | undefined;
  /** Values that are tried first. */
  readonly expected: Behaviours;
  /** How many streams are made for a list of them. */
  readonly streams: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Exchanges that are kept of a row: some rows look again and again. */
const exchangesKept = 12;

/** Makes the context of one probe, which notes its exchanges in a list. */
export type CreateContext = (exchanges: Exchange[]) => ProbeContext;

/** Makes contexts of probes that share what was asked before, and undoes in the end what has to be. */
export function createContexts(options: ContextOptions): {
  createContext: CreateContext;
  undo: () => Promise<void>;
} {
  const shared = new Map<Question<unknown>, Asked>();
  const undoing: (() => Promise<unknown>)[] = [];
  const guard = createGuard();
  const createContext: CreateContext = (exchanges) => {
    const note = (exchange: Exchange): void => {
      if (exchanges.length === exchangesKept) exchanges.splice(exchangesKept / 2, 1);
      exchanges.push(exchange);
    };
    const ask = async <Value>(question: Question<Value>): Promise<Value> => {
      const asked = shared.get(question) ?? askAlone(question, createContext);
      shared.set(question, asked);
      try {
        return (await asked.value) as Value;
      } finally {
        asked.exchanges.forEach(note);
      }
    };
    return {
      ...sharedContext(options, guard, note),
      ask,
      undoAtEnd: (one) => void undoing.push(one),
    };
  };
  const undo = async (): Promise<void> => {
    // At once, as a target that does not respond would keep an interrupted run for each of them.
    await Promise.all(undoing.map((one) => one().catch(() => {})));
  };
  return { createContext, undo };
}

/** A question that probes share, with the exchanges that led to its answer or to none. */
interface Asked {
  readonly value: Promise<unknown>;
  readonly exchanges: readonly Exchange[];
}

function askAlone(question: Question<unknown>, createContext: CreateContext): Asked {
  const exchanges: Exchange[] = [];
  return { value: question(createContext(exchanges)), exchanges };
}

function sharedContext(
  { connection, other, expected, streams, now, pause }: ContextOptions,
  guard: Guard,
  note: (exchange: Exchange) => void,
): Omit<ProbeContext, 'ask' | 'undoAtEnd'> {
  const { target, provider, creations, patience, readOnly, origin } = connection;
  const requireOther = (): Connection => {
    if (other !== undefined) return other;
    throw new Blocked('a stream of another API key: add --other-api-key');
  };
  return {
    ...{ target, provider, creations, patience, readOnly, origin, streams, now, pause },
    send: guard(connection, note),
    sendAsOther: async (call) => guard(requireOther(), note)(call),
    other: requireOther,
    expected: (id) => expected[id],
  };
}

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sends the requests of a probe through a connection, except those that should not be sent. */
type Guard = (connection: Connection, note: (exchange: Exchange) => void) => ProbeContext['send'];

/** Requests without a response, one after the other, after which no further one is sent. */
const mostSilence = 5;

/**
 * Lets no request write where none may, and none be sent to a target that no longer responds. No
 * response is passed on that breaks a stated rule on which probes rely.
 */
function createGuard(): Guard {
  let silence = 0;
  const judge = createWitness();
  return (connection, note) => {
    const send = connection.createCaller(note);
    return async (call: Call) => {
      refuseWriting(connection, call);
      if (silence === mostSilence) throw new NoResponse('expected a target that still responds');
      silence += 1;
      const response = await send(call);
      silence = 0;
      judge(call, response);
      return response;
    };
  };
}

function refuseWriting({ readOnly }: Connection, { method }: Call): void {
  if (readOnly && !readingMethods.has(method)) {
    throw new Blocked('a request that writes: leave out --read-only');
  }
}
