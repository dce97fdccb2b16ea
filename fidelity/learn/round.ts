import type { Exchange } from '../../conformance/model/report.ts';
import { Blocked, CheckFailure, NoResponse } from '../../conformance/target/failure.ts';
import { type BreakId, type Breaks, breaks } from '../../interface/breaks.ts';
import { hiddenBy, type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import { type AskerOptions, type CreateContext, createAsker } from './asker.ts';
import { breakProbes } from './break-probes.ts';
import { Inexpressible } from './probe.ts';
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
export interface RoundOptions extends AskerOptions {
  readonly rows: readonly AskedRow[];
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
