import type { Exchange } from '../../../conformance/model/report.ts';
import { redact } from '../../../conformance/run/redact.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { Blocked, CheckFailure, NoResponse } from '../../../conformance/target/failure.ts';
import { isReading } from '../../../conformance/target/gate.ts';
import { secretsOf } from '../../../conformance/target/near-keys.ts';
import type { CreatedStream } from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { Behaviours, RowId } from '../../../interface/silent.ts';
import type { Connection } from '../../target/connection.ts';

/** Something that is found out about a service once; several probes may build on it. */
export type Question<Value> = (asking: Asking) => Promise<Value>;

/** How the rows of some parts of the table are found out: `list` for those whose ids begin with `list.`. */
export type Probes<Part extends string> = {
  readonly [Id in Extract<RowId, `${Part}.${string}`>]: Question<
    Partial<Behaviours[Id]> | Behaviours[Id]
  >;
};

/** Whom the probes ask, and with what. */
export interface AskOptions {
  readonly connection: Connection;
  /** The connection of another API key. */
  readonly other: Connection | undefined;
  /** How many streams are made for a list of them. */
  readonly streams: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** What all probes of one run share. */
interface Run {
  /** What ends the streams that are live, by their ids. */
  readonly lives: Map<string, () => Promise<void>>;
  /** Streams of the run that nothing has changed. */
  readonly spares: CreatedStream[];
  /** The longest delay of a session or a recording that was seen, in milliseconds, if one was. */
  readonly delays: { longest?: number };
  /** Something that is undone after the last probe. */
  readonly undoAtEnd: (undo: () => Promise<unknown>) => void;
}

/** What a probe asks a service with. */
export interface Asking extends Connection, Omit<AskOptions, 'connection' | 'other'>, Run {
  /** Sends a request with the API key. @throws Blocked for one that may not be sent */
  readonly send: (call: Call) => Promise<TargetResponse>;
  /** The same with the other API key. @throws Blocked without another key */
  readonly other: () => Asking;
  /** The answer to a question, which is asked once for all probes. */
  readonly ask: <Value>(question: Question<Value>) => Promise<Value>;
}

/** What was found out of a row or a cell. */
type Finding<Value = unknown> =
  | { readonly outcome: 'observed'; readonly value: Value }
  /**
   * `unasked`: something was missing. `unsayable`: no dialect can say what the service does. `unsteady`: it was
   * not the same twice.
   */
  | { readonly outcome: 'unasked' | 'unsayable' | 'unsteady'; readonly reason: string };

/** A finding, with what was asked. */
export type Observation<Value = unknown> = Finding<Value> & {
  readonly exchanges: readonly Exchange[];
};

/** A response that no dialect can say. */
export class Unsayable extends Error {
  override readonly name = 'Unsayable';
}

/** Responses to the same error that are not the same. */
export class Unsteady extends Error {
  override readonly name = 'Unsteady';
}

const outcomes = [
  [Blocked, 'unasked'],
  [NoResponse, 'unasked'],
  [Unsteady, 'unsteady'],
  [Unsayable, 'unsayable'],
  [CheckFailure, 'unsayable'],
] as const;

function explain(error: unknown): Finding<never> {
  const found = outcomes.find(([kind]) => error instanceof kind);
  if (found === undefined) throw error;
  return { outcome: found[1], reason: (error as Error).message };
}

/** What some work resolves to; `undefined` where something for it is missing. */
export async function unlessBlocked<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Blocked) return undefined;
    throw error;
  }
}

/** Asks a question about each of several names. Those that cannot be asked are left out. @throws Blocked if none can */
export function each<Name extends string, Value>(
  names: readonly Name[],
  questionOf: (name: Name) => Question<Value>,
): Question<Partial<Record<Name, Value>>> {
  return async (asking) => {
    const found: [string, Value][] = [];
    let missing: Blocked | undefined;
    for (const name of names) {
      try {
        found.push([name, await questionOf(name)(asking)]);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        missing ??= error;
      }
    }
    if (found.length === 0 && missing !== undefined) throw missing;
    return Object.fromEntries(found) as Partial<Record<Name, Value>>;
  };
}

/** Asks questions of one service that share what was asked before. */
export interface Asker {
  /** Finds something out. It resolves whatever the service does. */
  observe(question: Question<unknown>): Promise<Observation>;
  /** Undoes in the end what has to be. */
  undo(): Promise<void>;
}

/** A question that probes share, with the exchanges that led to its answer or to none. */
interface Asked {
  readonly value: Promise<unknown>;
  readonly exchanges: Exchange[];
}

/** Exchanges that are kept of a probe: some look again and again. */
const exchangesKept = 12;
/** Requests without a response, one after the other, after which no further one is sent. */
const mostSilence = 5;

/** What asks the questions of one run. */
export function createAsker(options: AskOptions): Asker {
  const shared = new Map<Question<unknown>, Asked>();
  const undoing: (() => Promise<unknown>)[] = [];
  const run: Run = {
    lives: new Map(),
    spares: [],
    delays: {},
    undoAtEnd: (one) => void undoing.push(one),
  };
  // What is learned will be in a file that others read.
  const keys = [options.connection, options.other].flatMap((one) => one?.target.apiKey ?? []);
  let silence = 0;

  /** Lets no request write where none may, and none be sent to a target that no longer responds. */
  function sendThrough(connection: Connection, note: (exchange: Exchange) => void): Asking['send'] {
    const send = connection.createCaller(note);
    return async (call) => {
      if (connection.readOnly && !isReading(call.method)) {
        throw new Blocked('a request that writes: leave out --read-only');
      }
      if (silence >= mostSilence) throw new NoResponse('expected a target that still responds');
      try {
        const response = await send(call);
        silence = 0;
        return response;
      } catch (error) {
        silence += error instanceof NoResponse ? 1 : 0;
        throw error;
      }
    };
  }

  function createAsking(exchanges: Exchange[], connection = options.connection): Asking {
    const note = (exchange: Exchange): void => {
      if (exchanges.length === exchangesKept) exchanges.splice(exchangesKept / 2, 1);
      exchanges.push(exchange);
    };
    return {
      ...connection,
      ...options,
      ...run,
      send: sendThrough(connection, note),
      other() {
        if (options.other !== undefined) return createAsking(exchanges, options.other);
        throw new Blocked('a stream of another API key: add --other-api-key');
      },
      async ask(question) {
        const asked = shared.get(question) ?? begin(question);
        shared.set(question, asked);
        try {
          return (await asked.value) as Awaited<ReturnType<typeof question>>;
        } finally {
          asked.exchanges.forEach(note);
        }
      },
    };
  }

  function begin(question: Question<unknown>): Asked {
    const exchanges: Exchange[] = [];
    return { value: question(createAsking(exchanges)), exchanges };
  }

  return {
    async observe(question) {
      const { value, exchanges } = begin(question);
      try {
        const found = await value;
        if (showsKey(found, keys)) throw new Unsayable('expected no API key in it, got one');
        return { outcome: 'observed', value: found, exchanges };
      } catch (error) {
        return { ...explain(error), exchanges };
      }
    },
    async undo() {
      // At once, as a target that does not respond would keep an interrupted run for each of them.
      await Promise.all(undoing.map((one) => one().catch(() => {})));
    },
  };
}

/** Characters of a key that is searched for; a shorter one may be part of ordinary words. */
const shortest = 8;

/** Whether one of the keys is in a value. */
export function showsKey(value: unknown, apiKeys: readonly string[]): boolean {
  const keys = apiKeys.flatMap(secretsOf).filter((key) => key.length >= shortest);
  return JSON.stringify(redact(value, keys)) !== JSON.stringify(value);
}
