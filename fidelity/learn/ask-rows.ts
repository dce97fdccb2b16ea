import type { Exchange } from '../../conformance/model/report.ts';
import { Blocked, CheckFailure, NoResponse } from '../../conformance/target/failure.ts';
import { type BreakId, breakIds } from '../../interface/breaks.ts';
import { hiddenBy, type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import { type BreakAnswer, breakProbes } from './break-probes.ts';
import { type ContextOptions, type CreateContext, createContexts } from './contexts.ts';
import { type DerivedRow, probes } from './probes.ts';
import { Inexpressible } from './questions/probe.ts';
import { showsKey } from './shows-key.ts';

/** What a probe found out. */
type Finding =
  | { readonly outcome: 'observed'; readonly value: unknown }
  | Unsaid
  | { readonly outcome: 'hidden' };

/** Why there is no value. */
interface Unsaid {
  readonly outcome: 'assumed' | 'contradicted';
  readonly reason: string;
  /** Whether the response surely breaks a stated rule. */
  readonly breaksRule?: boolean;
}

/** What a target said of a row. */
export type Answer = Finding & {
  readonly exchanges: readonly Exchange[];
  /** When it was asked, as ISO 8601. */
  readonly at: string;
};

/** What a target said when everything was asked once. */
export interface Answers {
  readonly rows: ReadonlyMap<AskedRow, Answer>;
  readonly breaks: ReadonlyMap<BreakId, BreakAnswer>;
}

/** A row that has a probe. */
export type AskedRow = Exclude<RowId, DerivedRow>;

/** What is asked, and of whom. */
export interface AskOptions extends ContextOptions {
  readonly rows: readonly AskedRow[];
  readonly onRow: (id: RowId) => void;
}

/** Rows whose value decides whether others can be noticed come first. */
const inOrder = (Object.keys(probes) as AskedRow[]).sort(
  (one, other) => Number('hides' in rowOf(other)) - Number('hides' in rowOf(one)),
);

/** Asks every row once, with new streams and sessions. It resolves whatever the target does. */
export async function askRows(options: AskOptions): Promise<Answers> {
  const { createContext, undo } = createContexts(options);
  const keys = [options.connection, options.other].flatMap((one) => one?.target.apiKey ?? []);
  try {
    return {
      rows: await askEach(options, createContext, keys),
      breaks: await askBreaks(createContext, keys),
    };
  } finally {
    await undo();
  }
}

async function askEach(
  options: AskOptions,
  createContext: CreateContext,
  keys: readonly string[],
): Promise<Map<AskedRow, Answer>> {
  const answers = new Map<AskedRow, Answer>();
  const hidden = new Set<RowId>();
  for (const id of inOrder.filter((row) => options.rows.includes(row))) {
    options.onRow(id);
    const at = new Date(options.now()).toISOString();
    const exchanges: Exchange[] = [];
    const finding: Finding = hidden.has(id)
      ? { outcome: 'hidden' }
      : await askRow(id, createContext(exchanges), keys);
    answers.set(id, { ...finding, exchanges, at });
    if (finding.outcome === 'observed') {
      for (const row of hiddenBy(id, finding.value)) hidden.add(row);
    }
  }
  return new Map(
    [...answers].sort(([one], [other]) => rowIds.indexOf(one) - rowIds.indexOf(other)),
  );
}

async function askRow(
  id: AskedRow,
  context: ReturnType<CreateContext>,
  keys: readonly string[],
): Promise<Finding> {
  try {
    const value = await probes[id](context);
    const { error } = rowOf(id).values.safeParse(value);
    if (error !== undefined) {
      const expected = error.issues[0]?.message ?? 'a value of the row';
      throw new Inexpressible(`expected ${expected}, got another`);
    }
    refuseKeys(value, keys);
    return { outcome: 'observed', value };
  } catch (error) {
    return explain(error);
  }
}

/** @throws Inexpressible for a value, which will be in a file that others read, with an API key in it */
function refuseKeys(value: unknown, keys: readonly string[]): void {
  if (showsKey(value, keys)) throw new Inexpressible('expected no API key in it, got one');
}

function explain(error: unknown): Unsaid {
  if (error instanceof Blocked || error instanceof NoResponse) {
    return { outcome: 'assumed', reason: error.message };
  }
  const breaksRule = error instanceof CheckFailure;
  if (error instanceof Inexpressible || breaksRule) {
    return { outcome: 'contradicted', reason: error.message, breaksRule };
  }
  throw error;
}

async function askBreaks(
  createContext: CreateContext,
  keys: readonly string[],
): Promise<Map<BreakId, BreakAnswer>> {
  const answers = new Map<BreakId, BreakAnswer>();
  for (const id of breakIds) {
    try {
      const answer = await breakProbes[id](createContext([]));
      refuseKeys(answer.value ?? null, keys);
      answers.set(id, answer);
    } catch (error) {
      answers.set(id, { reason: explain(error).reason });
    }
  }
  return answers;
}
