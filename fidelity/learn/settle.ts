import type { Exchange } from '../../conformance/model/report.ts';
import { type BreakId, type Breaks, breakIds } from '../../interface/breaks.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { type Behaviours, type RowId, rowIds } from '../../interface/silent.ts';
import type { Answer, Answers } from './ask-rows.ts';
import { type ChooseForm, usualForm, withUsualForm } from './usual-form.ts';
import { withoutVarying } from './varying.ts';

/** How a row ended. `hidden`: no client can notice it, because of another row or a break. */
export type Outcome = 'observed' | 'assumed' | 'hidden' | 'unsteady' | 'contradicted';

/** What was learned of a row. */
export interface LearnedRow {
  readonly outcome: Outcome;
  /** Present where it was observed. */
  readonly value?: unknown;
  /** Why it was not observed, and what would let it be. */
  readonly reason?: string;
  /** Whether a response surely breaks a stated rule. */
  readonly breaksRule?: boolean;
  /** How many times the target gave the first answer. */
  readonly agreed: number;
  readonly exchanges: readonly Exchange[];
  /** When it was first asked, as ISO 8601. */
  readonly at: string;
}

/** What was learned of every row that was asked. */
export type LearnedRows = Readonly<Partial<Record<RowId, LearnedRow>>>;

/** What was learned of a service. */
export interface Settled {
  readonly rows: LearnedRows;
  /** The stated rules that it surely breaks. */
  readonly breaks: Breaks;
  /** The stated rules of which not everything is known, with the reason. */
  readonly unknownBreaks: ReadonlyMap<BreakId, string>;
}

/** What answers to the same questions agree on: a row whose values differ is unsteady. */
export function settle(asked: readonly Answers[], choose: ChooseForm = usualForm): Settled {
  const written = withoutVarying(asked).map((answers) => withUsualForm(answers, choose));
  const rows = rowIds.flatMap((id) => {
    const [answer, ...more] = written.flatMap((answers) => answers.get(id) ?? []);
    return answer === undefined ? [] : [[id, agree([answer, ...more])] as const];
  });
  const found = agreeOnBreaks(asked);
  return { rows: hideExplained(Object.fromEntries(rows), found.breaks), ...found };
}

/** Rows in which a service contradicts the table because it breaks a rule. */
const explained = {
  'key-spelling': [],
  'default-profiles': ['profiles.omitted', 'profiles.of-session'],
  'update-switches-record': ['update.record'],
} as const satisfies Record<BreakId, readonly RowId[]>;

function hideExplained(rows: LearnedRows, breaks: Breaks): LearnedRows {
  const found = (Object.keys(breaks) as BreakId[]).flatMap((id) =>
    explained[id].flatMap((row) => {
      const learned = rows[row];
      if (learned?.outcome !== 'contradicted') return [];
      const reason = `explained by the break ${id}`;
      return [[row, { ...learned, outcome: 'hidden', reason }] as const];
    }),
  );
  return { ...rows, ...Object.fromEntries(found) };
}

function agree(answers: readonly [Answer, ...Answer[]]): LearnedRow {
  const exchanges = answers.flatMap((answer) => answer.exchanges);
  const texts = answers.map(textOf);
  const agreed = texts.filter((text) => text === texts[0]).length;
  const [first] = answers;
  if (agreed === answers.length) return { ...first, agreed, exchanges };
  return { outcome: 'unsteady', reason: describeChange(texts), agreed, exchanges, at: first.at };
}

/** Two answers are the same if a dialect would say the same of them. */
function textOf(answer: Answer): string {
  return 'value' in answer ? JSON.stringify(answer.value) : answer.outcome;
}

function describeChange(texts: readonly string[]): string {
  return `it was ${[...new Set(texts)].join(', then ')}`;
}

function agreeOnBreaks(asked: readonly Answers[]): Omit<Settled, 'rows'> {
  const breaks: [BreakId, unknown][] = [];
  const unknownBreaks = new Map<BreakId, string>();
  for (const id of breakIds) {
    const answers = asked.flatMap((one) => one.breaks.get(id) ?? []);
    const reason = answers.find((answer) => answer.reason !== undefined)?.reason;
    const texts = answers.map(({ value }) => JSON.stringify(value ?? 'kept'));
    const isSteady = new Set(texts).size === 1;
    if (reason !== undefined) unknownBreaks.set(id, reason);
    else if (!isSteady) unknownBreaks.set(id, describeChange(texts));
    if (isSteady && answers[0]?.value !== undefined) breaks.push([id, answers[0].value]);
  }
  return { breaks: Object.fromEntries(breaks), unknownBreaks };
}

/** The dialect that says what was learned, rows in the order of the table. */
export function toDialect({ rows, breaks }: Pick<Settled, 'rows' | 'breaks'>): Dialect {
  const observed = rowIds.flatMap((id) => {
    const row = rows[id];
    return row?.outcome === 'observed' ? [[id, row.value] as const] : [];
  });
  return {
    format: 'livestream-mock/dialect',
    version: 1,
    rows: Object.fromEntries(observed) as Partial<Behaviours>,
    ...(Object.keys(breaks).length > 0 && { breaks }),
  };
}
