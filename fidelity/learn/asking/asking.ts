import type { Exchange } from '../../../conformance/model/report.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { Blocked, CheckFailure, NoResponse } from '../../../conformance/target/failure.ts';
import { isReading } from '../../../conformance/target/gate.ts';
import type { CreatedStream } from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { Connection } from '../../target/connection.ts';
import { showsKey } from './shows-key.ts';

/** Something that is found out about a service once; several probes may build on it. */
export type Question<Value> = (asking: Asking) => Promise<Value>;

/** What a probe asks a service with. Everything is new for each probe, but for the shared answers. */
export interface Asking
  extends Pick<
    Connection,
    'target' | 'provider' | 'creations' | 'patience' | 'readOnly' | 'origin'
  > {
  /** Sends a request with the API key. @throws Blocked for one that may not be sent */
  readonly send: (call: Call) => Promise<TargetResponse>;
  /** Sends one with the other API key. @throws Blocked without another key */
  readonly sendAsOther: (call: Call) => Promise<TargetResponse>;
  /** The connection of the other API key. @throws Blocked without another key */
  readonly other: () => Connection;
  /** The answer to a question, which is asked once for all probes. */
  readonly ask: <Value>(question: Question<Value>) => Promise<Value>;
  /** How many streams are made for a list of them. */
  readonly streams: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** What ends the streams that are live, by their ids. */
  readonly lives: Map<string, () => Promise<void>>;
  /** Streams of the run that nothing has changed. */
  readonly spares: CreatedStream[];
  /** The longest delay of a session or a recording that was seen, in milliseconds, if one was. */
  readonly delays: { longest?: number };
  /** Something that is undone after the last probe. */
  readonly undoAtEnd: (undo: () => Promise<unknown>) => void;
}

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
  /** What was sent with the user's consent, in lines. */
  readonly sent: string[];
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

/** Asks questions of one service that share what was asked before. */
export interface Asker {
  /** Finds something out. It resolves whatever the service does. */
  observe<Value>(question: Question<Value>): Promise<Observation<Value>>;
  /** Undoes in the end what has to be. */
  undo(): Promise<void>;
}

/** Exchanges that are kept of a probe: some look again and again. */
const exchangesKept = 12;

/** What asks the questions of one run. */
export function createAsker(options: AskOptions): Asker {
  const shared = new Map<Question<unknown>, Asked>();
  const undoing: (() => Promise<unknown>)[] = [];
  const delays = {};
  // What is learned will be in a file that others read.
  const keys = [options.connection, options.other].flatMap((one) => one?.target.apiKey ?? []);
  const spares: CreatedStream[] = [];
  const lives = new Map<string, () => Promise<void>>();
  const guard = createGuard();
  const createAsking = (exchanges: Exchange[]): Asking => {
    const note = (exchange: Exchange): void => {
      if (exchanges.length === exchangesKept) exchanges.splice(exchangesKept / 2, 1);
      exchanges.push(exchange);
    };
    const { connection, streams, now, pause } = options;
    const { target, provider, creations, patience, readOnly, origin } = connection;
    return {
      ...{
        target,
        provider,
        creations,
        patience,
        readOnly,
        origin,
        streams,
        now,
        pause,
        delays,
        spares,
        lives,
      },
      send: guard(connection, note),
      sendAsOther: async (call) => guard(requireOther(), note)(call),
      other: requireOther,
      async ask(question) {
        const asked = shared.get(question) ?? askAlone(question);
        shared.set(question, asked);
        try {
          return (await asked.value) as Awaited<ReturnType<typeof question>>;
        } finally {
          asked.exchanges.forEach(note);
        }
      },
      undoAtEnd: (one) => void undoing.push(one),
    };
  };
  const requireOther = (): Connection => {
    if (options.other !== undefined) return options.other;
    throw new Blocked('a stream of another API key: add --other-api-key');
  };
  const askAlone = (question: Question<unknown>): Asked => {
    const exchanges: Exchange[] = [];
    return { value: question(createAsking(exchanges)), exchanges };
  };
  return {
    async observe(question) {
      const exchanges: Exchange[] = [];
      try {
        const value = await question(createAsking(exchanges));
        if (showsKey(value, keys)) throw new Unsayable('expected no API key in it, got one');
        return { outcome: 'observed', value, exchanges };
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

/** A question that probes share, with the exchanges that led to its answer or to none. */
interface Asked {
  readonly value: Promise<unknown>;
  readonly exchanges: readonly Exchange[];
}

function explain(error: unknown): Finding<never> {
  if (error instanceof Blocked || error instanceof NoResponse) {
    return { outcome: 'unasked', reason: error.message };
  }
  if (error instanceof Unsteady) return { outcome: 'unsteady', reason: error.message };
  if (error instanceof Unsayable || error instanceof CheckFailure) {
    return { outcome: 'unsayable', reason: error.message };
  }
  throw error;
}

/** Sends the requests of a probe through a connection, except those that should not be sent. */
type Guard = (connection: Connection, note: (exchange: Exchange) => void) => Asking['send'];

/** Requests without a response, one after the other, after which no further one is sent. */
const mostSilence = 5;
/** Requests under way at once. */
const mostAtOnce = 4;

/** Lets no request write where none may, none be sent to a target that no longer responds, and few at once. */
function createGuard(): Guard {
  let silence = 0;
  const inTurn = createTurns(mostAtOnce);
  return (connection, note) => {
    const send = connection.createCaller(note);
    return async (call) => {
      if (connection.readOnly && !isReading(call.method)) {
        throw new Blocked('a request that writes: leave out --read-only');
      }
      return inTurn(async () => {
        if (silence >= mostSilence) throw new NoResponse('expected a target that still responds');
        const response = await send(call).catch((error: unknown) => {
          silence += error instanceof NoResponse ? 1 : 0;
          throw error;
        });
        silence = 0;
        return response;
      });
    };
  };
}

/** Works at most so many at once, in the order in which they come. */
function createTurns(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (busy === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}
