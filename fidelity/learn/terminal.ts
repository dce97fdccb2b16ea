import { groupBy } from '../../conformance/model/group-by.ts';
import { visible } from '../../conformance/model/visible.ts';
import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { type BreakId, breakOf } from '../../interface/breaks.ts';
import { type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import type { Drift } from './drift.ts';
import type { Learned } from './learn.ts';
import type { LearnedRow, Outcome } from './settle.ts';

const counted = {
  observed: 'written to the dialect',
  assumed: 'could not be asked, not written; the mock does as without a dialect',
  unsteady: 'not the same when asked twice, not written',
  contradicted: 'no value of the table can say it, not written',
} as const satisfies Partial<Record<Outcome, string>>;

/** What was learned, for a terminal. Nothing from the service is written unescaped, and no key. */
export function renderLearned(
  { rows, dialect, unknownBreaks, leftBehind }: Learned,
  apiKeys: readonly string[],
): string {
  const of = (outcome: Outcome): [RowId, LearnedRow][] =>
    rowIds.flatMap((id) => {
      const row = rows[id];
      return row?.outcome === outcome ? [[id, row] as [RowId, LearnedRow]] : [];
    });
  const counts = Object.entries(counted).map(
    ([outcome, meaning]) =>
      `${String(of(outcome as Outcome).length).padStart(5)} ${outcome}: ${meaning}`,
  );
  const broken = Object.entries(dialect.breaks ?? {}).map(([id, value]) =>
    describeBreak(id as BreakId, value),
  );
  const untested = [...unknownBreaks].map(([id, reason]) => `${id}: ${reason}`);
  return clean(
    [
      ...counts,
      ...describeHidden(of('hidden').map(([id]) => id)),
      ...section(
        'Assumed, by what was missing',
        byReason(of('assumed').map(([id, { reason = '' }]) => ({ id, reason }))),
      ),
      ...section('Unsteady', of('unsteady').map(describe)),
      ...section('Contradicted', of('contradicted').map(describeFinding)),
      ...section('Stated rules that it breaks, written under breaks', broken),
      ...section('Stated rules that could not be judged', untested),
      ...section('Left on the service', leftBehind),
    ],
    apiKeys,
  );
}

function describeHidden([first, ...others]: readonly RowId[]): string[] {
  if (first === undefined) return [];
  const count = others.length + 1;
  if (count === 1) return [`1 more row cannot be noticed beside these: ${first}.`];
  return [`${count} more rows cannot be noticed beside these, such as ${first}.`];
}

/** What has changed since a dialect was learned, for a terminal: rows that changed alike stand together. */
export function renderDrift(
  { changes, unknown }: Drift,
  leftBehind: readonly string[],
  apiKeys: readonly string[],
): string {
  const alike = groupBy(changes, (change) => describeChange(change).join());
  return clean(
    [
      differing(changes.length),
      ...alike.flatMap((group) => [...group.map(({ id }) => id), ...describeChange(group[0])]),
      ...section('Could not be asked, by what was missing', byReason(unknown)),
      ...section('Left on the service', leftBehind),
    ],
    apiKeys,
  );
}

function describeChange({ before, now, reason }: Drift['changes'][number]): string[] {
  return [`  before ${write(before)}`, `  now    ${reason ?? write(now)}`];
}

function differing(count: number): string {
  if (count === 0) return 'No behaviour differs.';
  return count === 1 ? '1 behaviour differs:' : `${count} behaviours differ:`;
}

function write(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function describe([id, { reason = '' }]: [RowId, LearnedRow]): string {
  return `${id}: ${reason}`;
}

function describeFinding(row: [RowId, LearnedRow]): string {
  const [id, { breaksRule = false }] = row;
  if (!breaksRule) return `${describe(row)}; legal, not expressible`;
  const { bounds } = rowOf(id);
  const means =
    bounds.length > 0 ? `see ${bounds.join(', ')}` : 'it breaks a stated rule, see check';
  return `${describe(row)}; ${means}`;
}

function describeBreak(id: BreakId, value: unknown): string {
  const { statement, requirements } = breakOf(id);
  return `${id}: ${statement(value)} See ${requirements(value).join(', ')}.`;
}

function byReason(found: readonly { readonly id: string; readonly reason: string }[]): string[] {
  const reasons = new Set(found.map(({ reason }) => reason));
  return [...reasons].flatMap((reason) => [
    reason,
    ...found.filter((one) => one.reason === reason).map(({ id }) => `  ${id}`),
  ]);
}

/** Characters of a line: a target decides how long its values are. */
const longestLine = 500;

function clean(lines: readonly string[], apiKeys: readonly string[]): string {
  const secrets = apiKeys.flatMap(secretsOf);
  return lines.map((line) => `${visible(redact(line, secrets)).slice(0, longestLine)}\n`).join('');
}
