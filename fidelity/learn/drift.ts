import { isDeepStrictEqual } from 'node:util';
import { type BreakId, breaks } from '../../interface/breaks.ts';
import { behavioursOf, type Dialect } from '../../interface/dialect.ts';
import type { RowId } from '../../interface/silent.ts';
import { type AskedRow, askRound, type RoundOptions } from './round.ts';
import { type LearnedRow, type LearnedRows, settle } from './settle.ts';
import { type LearnOptions, type Visit, visit } from './visit.ts';

/** A behaviour that a dialect states and the service no longer has. */
interface Change {
  readonly id: RowId | BreakId;
  readonly before: unknown;
  /** `undefined` where no value can say it; `reason` does. */
  readonly now: unknown;
  readonly reason?: string;
}

/** What differs between a dialect and the service. */
export interface Drift {
  readonly changes: readonly Change[];
  /** Behaviours that could not be asked, or were not the same twice. */
  readonly unknown: readonly { readonly id: RowId; readonly reason: string }[];
}

/**
 * Whether a service still does what a dialect says. Each behaviour that differs is asked once more, from
 * the start. @throws TypeError, in one sentence, for invalid options
 */
export async function findDrift(options: LearnOptions, dialect: Dialect): Promise<Visit<Drift>> {
  return visit(options, (round) => askAgain(round, options, dialect));
}

async function askAgain(
  all: RoundOptions,
  { onProgress }: LearnOptions,
  dialect: Dialect,
): Promise<Drift> {
  const rows = all.rows.filter((id) => id in dialect.rows);
  let done = 0;
  const onRow = (id: RowId): void => onProgress?.(Math.min(++done, rows.length), rows.length, id);
  const round = { ...all, rows, expected: behavioursOf(dialect), onRow };
  const first = await askRound(round);
  const differing = rows.filter((id) => differs(settle([first]).rows, dialect, id));
  const isFormOther = differs(settle([first]).rows, dialect, 'refusal.body');
  if (differing.length === 0 && !isFormOther) {
    return compare(settle([first]), dialect);
  }
  const again = await askRound({
    ...round,
    rows: isFormOther ? rows : withHiders(rows, differing),
  });
  const second = { ...again, answers: new Map([...first.answers, ...again.answers]) };
  return compare(settle([first, second]), dialect);
}

/** Rows that decide whether others can be noticed are asked with them. */
function withHiders(rows: readonly AskedRow[], differing: readonly AskedRow[]): AskedRow[] {
  return rows.filter((id) => differing.includes(id) || id.startsWith('operation.'));
}

function differs(rows: LearnedRows, dialect: Dialect, id: RowId): boolean {
  return id in dialect.rows && !isDeepStrictEqual(rows[id]?.value, dialect.rows[id]);
}

function compare({ rows, breaks: found }: ReturnType<typeof settle>, dialect: Dialect): Drift {
  const changes: Change[] = [];
  const unknown: { id: RowId; reason: string }[] = [];
  for (const id of Object.keys(dialect.rows) as RowId[]) {
    const row = rows[id];
    if (row === undefined || row.outcome === 'hidden' || !differs(rows, dialect, id)) continue;
    if (isKnown(row)) changes.push(toChange(id, dialect.rows[id], row));
    else unknown.push({ id, reason: row.reason ?? '' });
  }
  for (const id of Object.keys(breaks) as BreakId[]) {
    const [before, now] = [dialect.breaks?.[id], found[id]];
    if (!isDeepStrictEqual(before, now)) changes.push({ id, before, now });
  }
  return { changes, unknown };
}

/** Whether the service surely does otherwise: also where no value can say how. */
function isKnown({ outcome }: LearnedRow): boolean {
  return outcome === 'observed' || outcome === 'contradicted';
}

function toChange(id: RowId, before: unknown, { value, reason }: LearnedRow): Change {
  return { id, before, now: value, ...(reason !== undefined && { reason }) };
}
