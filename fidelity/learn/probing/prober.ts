import type {
  BehaviourId,
  Behaviours,
  NamedBehaviour,
  NamedBehaviourId,
} from '../../../interface/dialect/behaviours.ts';
import type { Cell } from '../../../interface/dialect/cells.ts';
import type { CellOf } from '../../../interface/dialect/matrix.ts';
import { cellName } from '../../../interface/dialect/statements.ts';
import { isObject } from '../../../interface/json.ts';
import { parseBoundedJson } from '../../../target/requests/bounded-json.ts';
import type { TargetCall } from '../../../target/requests/call.ts';
import type { Evidence } from '../../../target/requests/evidence.ts';
import type { TargetResponse } from '../../../target/requests/exchange.ts';
import {
  Blocked,
  CheckFailure,
  exchangesOf,
  NoResponse,
  rememberExchanges,
} from '../../../target/requests/failure.ts';
import { showsKey } from '../../../target/requests/near-keys.ts';
import { withOriginalName } from '../../../target/requests/run-names.ts';
import { isSafeMethod } from '../../../target/requests/well-known.ts';
import type { CreatedStream } from '../../../target/streams/stream-requests.ts';
import type { TargetConnection } from '../../target-connection.ts';

/** Finds out something about a service; other probes may build on it. */
export type Probe<Value> = (context: ProbeContext) => Promise<Value>;

/** A probe, with the name of its result in a dialect: `errors.createStream.key:none`. */
export interface NamedProbe {
  readonly name: string;
  readonly probe: Probe<unknown>;
}

/** The probes of all behaviours. If one has several names, each has a probe. */
export type Probes = {
  readonly [Id in BehaviourId]: Id extends NamedBehaviourId
    ? (name: keyof Behaviours[Id]) => Probe<NamedBehaviour<Id>>
    : Probe<Behaviours[Id]>;
};

/** The service to ask, and what to ask it with. */
export interface ProbeOptions {
  readonly connection: TargetConnection;
  /** The same service with the API key of another account. */
  readonly otherAccount: TargetConnection | undefined;
  /** How many streams to create for a long list. */
  readonly streams: number;
  /** Words that the documentation of the service lists as values. */
  readonly documented: ReadonlySet<string>;
}

/** What a probe uses to ask a service. */
export interface ProbeContext
  extends TargetConnection,
    Pick<ProbeOptions, 'streams' | 'documented'> {
  /** Sends a request with the API key. @throws Blocked for one that may not be sent */
  readonly send: (call: TargetCall) => Promise<TargetResponse>;
  /** Sends a request that only makes what others are about: it is evidence only of what was found without another one. */
  readonly arrange: ProbeContext['send'];
  /** The same service as another account sees it. Probes ask only the first one. @throws Blocked without its key */
  readonly otherAccount: () => TargetConnection & Pick<ProbeContext, 'send' | 'arrange'>;
  /** The result of a probe, which runs only once, however many others need it. */
  readonly ask: <Value>(probe: Probe<Value>) => Promise<Value>;
  readonly cellOf: CellOf;
  /** Functions that end live streams, by the ids of the streams. */
  readonly lives: Map<string, () => Promise<void>>;
  /** Streams of this run that are unchanged and can be used again. */
  readonly spares: CreatedStream[];
  /** The longest delay of a session or a recording that was seen so far, in milliseconds. */
  readonly delays: { longest?: number };
}

/** What was found out about a cell, an order, a behaviour or a route, with the requests and responses. */
export type Observation = { readonly exchanges: readonly Evidence[] } & (
  | { readonly outcome: 'observed'; readonly value: unknown }
  /**
   * `unasked`: something was missing. `unanswered`: there was no usable response. `inexpressible`: a dialect cannot
   * express what the service does. `unsteady`: the service did not do the same twice.
   */
  | {
      readonly outcome: 'unasked' | 'unanswered' | 'inexpressible' | 'unsteady';
      readonly reason: string;
    }
);

/** What was observed, by its name in a dialect: `errors.createStream.key:none`. */
export type Observations = ReadonlyMap<string, Observation>;

/** The values that were observed, by their names. */
export function valuesIn(observed: Observations): ReadonlyMap<string, unknown> {
  const values = [...observed].flatMap(([name, observation]) =>
    observation.outcome === 'observed' ? [[name, observation.value] as const] : [],
  );
  return new Map(values);
}

/** A response that a dialect cannot express. */
export class Inexpressible extends Error {
  override readonly name = 'Inexpressible';
}

/** Different responses to the same error. */
export class Unsteady extends Error {
  override readonly name = 'Unsteady';
}

/** Returns what a probe cannot do without, or requires a condition. @throws Blocked without it, saying what is needed */
export function need<Value>(value: Value | undefined | false, needed: string): Value {
  if (value !== undefined && value !== false) return value;
  throw new Blocked(`needs ${needed}`);
}

const outcomes = [
  [Blocked, 'unasked'],
  [NoResponse, 'unanswered'],
  [Unsteady, 'unsteady'],
  [Inexpressible, 'inexpressible'],
  [CheckFailure, 'inexpressible'],
] as const;

/** Looks up the cells that were observed. */
export function knownCells(observed: Observations): CellOf {
  return (endpoint, error) => {
    const observation = observed.get(cellName(endpoint, error));
    return observation?.outcome === 'observed' ? (observation.value as Cell) : undefined;
  };
}

/** A response without the marks of names, as what is learned must not depend on the run. */
function withoutMarksIn(response: TargetResponse, { body }: TargetCall): TargetResponse {
  const original = isObject(body) ? body['name'] : undefined;
  const text = withOriginalName(response.text, original, response.sent);
  if (text === response.text) return response;
  const json = { get: () => parseBoundedJson(text), enumerable: true };
  const unmarked: TargetResponse = Object.defineProperty({ ...response, text }, 'json', json);
  return rememberExchanges(unmarked, exchangesOf([response]));
}

/** How many exchanges are kept for a probe, as some repeat the same request many times. */
const exchangesKept = 12;

/** The exchanges of a probe: those that it sent itself, and those of the probes that it asked or that made what it is about. */
interface ProbeExchanges {
  readonly own: Evidence[];
  readonly shared: Evidence[];
}

/** A function that adds an exchange to others, of which only the last are kept. */
function noteIn(exchanges: Evidence[]) {
  return (exchange: Evidence): void => {
    exchanges.push(exchange);
    if (exchanges.length > exchangesKept) exchanges.shift();
  };
}

/** The exchanges that decided a result: shared ones only if it sent nothing itself. */
function deciding({ own, shared }: ProbeExchanges): readonly Evidence[] {
  return own.length > 0 ? own : shared;
}

/** After this many requests in a row without a response, no more are sent. */
const maxSilence = 5;

/** Runs probes on one service. They share their results. */
export function createProber(options: ProbeOptions) {
  const { connection, otherAccount } = options;
  const observed = new Map<string, Observation>();
  const shared = new Map<Probe<unknown>, ReturnType<typeof begin>>();
  const lives: ProbeContext['lives'] = new Map();
  const run = { lives, spares: [], delays: {}, cellOf: knownCells(observed) };
  // Other people read the file that is learned.
  const keys = [connection, otherAccount].flatMap((account) => account?.target.secrets ?? []);
  let silence = 0;

  /** Sends no writes in a read-only run, and nothing to a target that has stopped responding. */
  function sendThrough(
    account: TargetConnection,
    note: (exchange: Evidence) => void,
  ): ProbeContext['send'] {
    const send = account.createCaller(note);
    return async (call) => {
      const maySend = !account.readOnly || isSafeMethod(call.method);
      need(maySend, 'a request that writes: leave out --read-only');
      if (silence >= maxSilence) {
        throw new NoResponse('expected a target that still responds', 'STOPPED');
      }
      try {
        const response = await send(call);
        silence = 0;
        return withoutMarksIn(response, call);
      } catch (exception) {
        silence += exception instanceof NoResponse ? 1 : 0;
        throw exception;
      }
    };
  }

  function createContext({ own, shared: ofOthers }: ProbeExchanges): ProbeContext {
    const sendersOf = (account: TargetConnection) => ({
      send: sendThrough(account, noteIn(own)),
      arrange: sendThrough(account, noteIn(ofOthers)),
    });
    return {
      ...connection,
      ...options,
      ...run,
      ...sendersOf(connection),
      otherAccount() {
        const account = need(otherAccount, 'a stream of another API key: add --other-api-key');
        return { ...account, ...sendersOf(account) };
      },
      async ask(probe) {
        const running = shared.get(probe) ?? begin(probe);
        shared.set(probe, running);
        try {
          return (await running.value) as Awaited<ReturnType<typeof probe>>;
        } finally {
          deciding(running.exchanges).forEach(noteIn(ofOthers));
        }
      },
    };
  }

  /** Starts a probe, and collects its exchanges. */
  function begin(probe: Probe<unknown>) {
    const exchanges: ProbeExchanges = { own: [], shared: [] };
    return { value: probe(createContext(exchanges)), exchanges };
  }

  async function findOut(probe: Probe<unknown>): Promise<Observation> {
    const begun = begin(probe);
    try {
      const result = requireShort(await begun.value);
      if (showsKey(result, keys)) throw new Inexpressible('expected no API key in it, got one');
      return { outcome: 'observed', value: result, exchanges: deciding(begun.exchanges) };
    } catch (exception) {
      const [, outcome] = outcomes.find(([kind]) => exception instanceof kind) ?? [];
      if (outcome === undefined) throw exception;
      const exchanges = deciding(begun.exchanges);
      return { outcome, reason: (exception as Error).message, exchanges };
    }
  }

  return {
    observed,
    /** Runs a probe, and notes its result. It resolves whatever the service does. */
    async observe({ name, probe }: NamedProbe): Promise<void> {
      observed.set(name, await findOut(probe));
    },
    /** Runs a probe that later ones share. It resolves whatever the service does. */
    prepare: (probe: Probe<unknown>) => findOut(({ ask }) => ask(probe)),
    /** Ends what is still live. */
    async end(): Promise<void> {
      // In parallel, so that a target that does not respond delays an interrupted run only once.
      await Promise.allSettled([...lives.values()].map((stop) => stop()));
    },
  };
}

/** Maximum length of a value in a dialect, as JSON, because people review the file. */
const longestValue = 10_000;

/** Returns a value that is not too long for a dialect. @throws Inexpressible for any other */
export function requireShort<Value>(value: Value): Value {
  if ((JSON.stringify(value) ?? '').length <= longestValue) return value;
  throw new Inexpressible(`expected at most ${longestValue} characters, got more`);
}
