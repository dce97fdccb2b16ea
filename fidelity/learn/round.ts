import type { Exchange } from '../../conformance/model/report.ts';
import type { Creations } from '../../conformance/target/creations.ts';
import { isSuccess } from '../../conformance/target/expectations.ts';
import { Blocked, CheckFailure, NoResponse } from '../../conformance/target/failure.ts';
import { streamPath } from '../../conformance/target/operations.ts';
import type { Call } from '../../conformance/target/target.ts';
import { type BreakId, type Breaks, breaks } from '../../interface/breaks.ts';
import { type Behaviours, hiddenBy, type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import type { Connection } from '../target/connection.ts';
import { breakProbes } from './break-probes.ts';
import { Inexpressible, type ProbeContext, type Question } from './probe.ts';
import { type DerivedRow, probes } from './probes.ts';

/** What a target said of a row in one round. */
export type Answer = (
  | { readonly outcome: 'observed'; readonly value: unknown }
  | { readonly outcome: 'assumed' | 'contradicted'; readonly reason: string }
  | { readonly outcome: 'hidden' }
) & {
  readonly exchanges: readonly Exchange[];
  /** When it was asked, as ISO 8601. */
  readonly at: string;
};

type WithoutTime<Union> = Union extends Answer ? Omit<Union, 'at'> : never;

/** What was asked of a target, once and from the start. */
export interface Round {
  readonly answers: ReadonlyMap<AskedRow, Answer>;
  readonly breaks: Breaks;
}

/** A row that has a probe. */
export type AskedRow = Exclude<RowId, DerivedRow>;

/** What a round asks, and of whom. */
export interface RoundOptions {
  readonly connection: Connection;
  readonly other: Connection | undefined;
  readonly rows: readonly AskedRow[];
  /** Values that are tried first. */
  readonly expected: Behaviours;
  readonly streams: number;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onRow: (id: RowId) => void;
}

/** Rows whose value decides whether others can be noticed come first. */
const asked = (Object.keys(probes) as AskedRow[]).sort(
  (one, other) => Number('hides' in rowOf(other)) - Number('hides' in rowOf(one)),
);

/** Asks every row once, with fresh streams and sessions. It resolves whatever the target does. */
export async function askRound(options: RoundOptions): Promise<Round> {
  const { createContext, undo } = createAsker(options);
  const answers = new Map<AskedRow, Answer>();
  const hidden = new Set<RowId>();
  for (const id of asked.filter((row) => options.rows.includes(row))) {
    options.onRow(id);
    const at = new Date(options.now()).toISOString();
    const answer: Answer = hidden.has(id)
      ? { outcome: 'hidden', exchanges: [], at }
      : { ...(await askRow(id, createContext)), at };
    answers.set(id, answer);
    if (answer.outcome === 'observed') {
      for (const row of hiddenBy(id, answer.value)) hidden.add(row);
    }
  }
  const found = await findBreaks(createContext);
  await undo();
  return { answers: new Map(rowsInOrder(answers)), breaks: found };
}

function rowsInOrder(answers: ReadonlyMap<AskedRow, Answer>): [AskedRow, Answer][] {
  return [...answers].sort(([one], [other]) => rowIds.indexOf(one) - rowIds.indexOf(other));
}

/** Exchanges that are kept of a row: some rows look again and again. */
const exchangesKept = 12;

type CreateContext = (exchanges: Exchange[]) => ProbeContext;

async function askRow(id: AskedRow, createContext: CreateContext): Promise<WithoutTime<Answer>> {
  const exchanges: Exchange[] = [];
  try {
    const value = await probes[id](createContext(exchanges));
    const { error } = rowOf(id).values.safeParse(value);
    if (error === undefined) return { outcome: 'observed', value, exchanges };
    const expected = error.issues[0]?.message ?? 'a value of the row';
    return { outcome: 'contradicted', reason: `expected ${expected}, got another`, exchanges };
  } catch (error) {
    return { ...explain(error), exchanges };
  }
}

function explain(error: unknown): { outcome: 'assumed' | 'contradicted'; reason: string } {
  if (error instanceof Blocked || error instanceof NoResponse) {
    return { outcome: 'assumed', reason: error.message };
  }
  if (error instanceof Inexpressible || error instanceof CheckFailure) {
    return { outcome: 'contradicted', reason: error.message };
  }
  throw error;
}

async function findBreaks(createContext: CreateContext): Promise<Breaks> {
  const found: [BreakId, unknown][] = [];
  for (const id of Object.keys(breaks) as BreakId[]) {
    try {
      const value = await breakProbes[id](createContext([]));
      if (value !== undefined) found.push([id, value]);
    } catch (error) {
      explain(error);
    }
  }
  return Object.fromEntries(found);
}

/** Makes contexts of probes that share what was asked before, and undoes in the end what has to be. */
function createAsker(options: RoundOptions): {
  createContext: CreateContext;
  undo: () => Promise<void>;
} {
  const shared = new Map<Question<unknown>, Promise<{ value: unknown; exchanges: Exchange[] }>>();
  const undoing: (() => Promise<unknown>)[] = [];
  const guard = createGuard();
  const createContext: CreateContext = (exchanges) => {
    const note = (exchange: Exchange): void => {
      if (exchanges.length === exchangesKept) exchanges.splice(exchangesKept / 2, 1);
      exchanges.push(exchange);
    };
    const ask = async <Value>(question: Question<Value>): Promise<Value> => {
      const before = shared.get(question);
      const answer = before ?? askAlone(question, createContext);
      shared.set(question, answer);
      const { value, exchanges: led } = await answer;
      led.forEach(note);
      return value as Value;
    };
    return { ...sharedContext(options, guard, note), ask, later: (one) => void undoing.push(one) };
  };
  const undo = async (): Promise<void> => {
    for (const one of undoing) await one().catch(() => {});
  };
  return { createContext, undo };
}

async function askAlone<Value>(
  question: Question<Value>,
  createContext: CreateContext,
): Promise<{ value: Value; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  return { value: await question(createContext(exchanges)), exchanges };
}

function sharedContext(
  { connection, other, expected, streams, now, pause }: RoundOptions,
  guard: Guard,
  note: (exchange: Exchange) => void,
): Omit<ProbeContext, 'ask' | 'later'> {
  const { target, provider, creations, patience } = connection;
  const requireOther = (): Connection => {
    if (other !== undefined) return other;
    throw new Blocked('a stream of another API key: add --other-api-key');
  };
  return {
    ...{ target, provider, creations, patience, streams, now, pause },
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

/** Lets no request write where none may, and none be sent to a target that no longer responds. */
function createGuard(): Guard {
  let silence = 0;
  return ({ createCaller, creations, readOnly }, note) => {
    const send = createCaller(note);
    return async (call: Call) => {
      if (readOnly && !readingMethods.has(call.method)) {
        throw new Blocked('a request that writes: leave out --read-only');
      }
      if (silence === mostSilence) throw new NoResponse('expected a target that still responds');
      try {
        const response = await send(call);
        silence = 0;
        if (call.method === 'DELETE' && isSuccess(response)) forget(creations, call.path);
        return response;
      } catch (error) {
        silence += error instanceof NoResponse ? 1 : 0;
        throw error;
      }
    };
  };
}

/** A stream that a probe deleted is not deleted again in the end. */
function forget({ streams }: Creations, path: string): void {
  const at = streams.findIndex((id) => streamPath(id) === path);
  if (at >= 0) streams.splice(at, 1);
}
