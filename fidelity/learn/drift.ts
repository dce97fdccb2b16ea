import { isDeepStrictEqual } from 'node:util';
import { type BreakId, breakIds } from '../../interface/breaks.ts';
import { behavioursOf, type Dialect } from '../../interface/dialect.ts';
import type { RowId } from '../../interface/silent.ts';
import { type AskedRow, type AskOptions, askRows } from './ask-rows.ts';
import { type AskedTarget, askTarget, type LearnOptions } from './ask-target.ts';
import { mayBeSame } from './may-be-same.ts';
import { type LearnedRow, type Settled, settle } from './settle.ts';
import { type ChooseForm, formIn, usualForm, withoutForm } from './usual-form.ts';

/** A behaviour that a dialect states and the service no longer has. */
interface Change {
  readonly id: RowId | BreakId;
  readonly before: unknown;
  /** `undefined` where no value can say it; `reason` does. */
  readonly now: unknown;
  readonly reason?: string;
}

/** A behaviour that could not be asked, or was not the same twice. */
interface Unknown {
  readonly id: RowId | BreakId;
  readonly reason: string;
}

/** What differs between a dialect and the service. */
export interface Drift {
  readonly changes: readonly Change[];
  readonly unknown: readonly Unknown[];
}

/**
 * Whether a service still does what a dialect says. Each behaviour that differs is asked once more, from
 * the start. @throws TypeError, in one sentence, for invalid options
 */
export async function findDrift(
  options: LearnOptions,
  dialect: Dialect,
): Promise<AskedTarget<Drift>> {
  return askTarget(options, (all) => askAgain(all, options, dialect));
}

async function askAgain(
  all: AskOptions,
  { onProgress }: LearnOptions,
  dialect: Dialect,
): Promise<Drift> {
  const rows = rowsToAsk(all.rows, dialect);
  let done = 0;
  const onRow = (id: RowId): void => onProgress?.(Math.min(++done, rows.length), rows.length, id);
  const options = { ...all, rows, expected: behavioursOf(dialect), onRow };
  const first = await askRows(options);
  const found = compare(settle([first], statedForm(dialect)), dialect);
  if (found.changes.length + found.unknown.length === 0) return found;
  const differing = [...found.changes, ...found.unknown].map(({ id }) => id);
  const isFormOther = differing.includes('refusal.body');
  const again = await askRows({
    ...options,
    rows: isFormOther ? rows : withHiders(rows, differing),
  });
  const second = { ...again, rows: new Map([...first.rows, ...again.rows]) };
  return compare(settle([first, second], statedForm(dialect)), dialect);
}

/** The form that a dialect states, as long as any refusal has it: a part of the refusals may be unknown. */
function statedForm({ rows }: Dialect): ChooseForm {
  const stated = rows['refusal.body'];
  if (stated === undefined) return () => undefined;
  return (seen) => seen.find(({ body }) => isDeepStrictEqual(body, stated)) ?? usualForm(seen);
}

/** The rows of a dialect; the usual form of refusals shows only in all of them. */
function rowsToAsk(all: readonly AskedRow[], { rows }: Dialect): AskedRow[] {
  const asksForm = 'refusal.body' in rows;
  return all.filter((id) => id in rows || (asksForm && id.startsWith('refusal.')));
}

/** Rows that decide whether others can be noticed are asked with them. */
function withHiders(
  rows: readonly AskedRow[],
  differing: readonly (RowId | BreakId)[],
): AskedRow[] {
  return rows.filter((id) => differing.includes(id) || id.startsWith('operation.'));
}

function compare(found: Settled, dialect: Dialect): Drift {
  const differing = [...compareRows(found, dialect), ...compareBreaks(found, dialect)];
  return {
    changes: differing.filter(isChange),
    unknown: differing.filter((one): one is Unknown => !isChange(one)),
  };
}

function isChange(one: Change | Unknown): one is Change {
  return 'now' in one;
}

function compareRows({ rows }: Settled, dialect: Dialect): (Change | Unknown)[] {
  return (Object.keys(dialect.rows) as RowId[]).flatMap((id) => {
    const row = rows[id];
    if (row === undefined || row.outcome === 'hidden') return [];
    const usual = dialect.rows['refusal.body'];
    const before = withoutForm(dialect.rows[id], usual);
    // A dialect without any form states only the status.
    const isFormOpen = usual === undefined && formIn(before) === undefined;
    const now = isFormOpen ? withoutForm(row.value, formIn(row.value)) : row.value;
    if (mayBeSame(before, now)) return [];
    return [
      isKnown(row)
        ? toChange(id, before, { ...row, value: now })
        : { id, reason: row.reason ?? '' },
    ];
  });
}

function compareBreaks({ breaks, unknownBreaks }: Settled, dialect: Dialect): (Change | Unknown)[] {
  return breakIds.flatMap((id) => {
    const [before, now, reason] = [dialect.breaks?.[id], breaks[id], unknownBreaks.get(id)];
    if (isDeepStrictEqual(before, now)) return [];
    const isUnknown = reason !== undefined && isPartOf(now, before);
    return [isUnknown ? { id, reason } : { id, before, now }];
  });
}

/** Whether what is known so far of a break agrees with the whole. */
function isPartOf(known: unknown, whole: unknown): boolean {
  return isDeepStrictEqual({ ...Object(whole), ...Object(known) }, { ...Object(whole) });
}

/** Whether the service surely does otherwise: also where no value can say how. */
function isKnown({ outcome }: LearnedRow): boolean {
  return outcome === 'observed' || outcome === 'contradicted';
}

function toChange(id: RowId, before: unknown, { value, reason }: LearnedRow): Change {
  return { id, before, now: value, ...(reason !== undefined && { reason }) };
}
