import type { Exchange } from '../../conformance/model/report.ts';
import type { Breaks } from '../../interface/breaks.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { type Behaviours, type RowId, rowIds } from '../../interface/silent.ts';
import type { RefusalBody } from '../../interface/silent-row.ts';
import type { Answer, AskedRow, Round } from './round.ts';

/** How a row ended. `hidden`: no client can notice it, because of another row. */
export type Outcome = 'observed' | 'assumed' | 'hidden' | 'unsteady' | 'contradicted';

/** What was learned of a row. */
export interface LearnedRow {
  readonly outcome: Outcome;
  /** Present where it was observed. */
  readonly value?: unknown;
  /** Why it was not observed, and what would let it be. */
  readonly reason?: string;
  /** In how many of the rounds the target said so. */
  readonly agreed: number;
  readonly exchanges: readonly Exchange[];
  /** When it was first asked, as ISO 8601. */
  readonly at: string;
}

/** What was learned of every row that was asked. */
export type LearnedRows = Readonly<Partial<Record<RowId, LearnedRow>>>;

/** What rounds from the start agree on: a row whose values differ is unsteady. */
export function settle(rounds: readonly Round[]): { rows: LearnedRows; breaks: Breaks } {
  const written = rounds.map(writeRound);
  const [first, ...others] = written;
  if (first === undefined) return { rows: {}, breaks: {} };
  const rows = rowIds.flatMap((id) => {
    const [answer, ...more] = [first, ...others].flatMap((round) => round.get(id) ?? []);
    return answer === undefined ? [] : [[id, agree([answer, ...more])] as const];
  });
  return { rows: Object.fromEntries(rows), breaks: agreedBreaks(rounds) };
}

function agree(answers: readonly [Answer, ...Answer[]]): LearnedRow {
  const exchanges = answers.flatMap((answer) => answer.exchanges);
  const texts = answers.map(textOf);
  const agreed = texts.filter((text) => text === texts[0]).length;
  const [first] = answers;
  if (agreed === answers.length) return { ...first, agreed, exchanges };
  const reason = describeDifference(answers);
  return { outcome: 'unsteady', reason, agreed, exchanges, at: first.at };
}

/** Two answers are the same if a dialect would say the same of them. */
function textOf(answer: Answer): string {
  return 'value' in answer ? JSON.stringify(answer.value) : answer.outcome;
}

function describeDifference(answers: readonly Answer[]): string {
  return `it was ${[...new Set(answers.map(textOf))].join(', then ')}`;
}

function agreedBreaks(rounds: readonly Round[]): Breaks {
  const texts = rounds.map(({ breaks }) => breaks);
  const [first = {}, ...others] = texts;
  const agreed = Object.entries(first).filter(([id, value]) =>
    others.every((one) => JSON.stringify(one[id as keyof Breaks]) === JSON.stringify(value)),
  );
  return Object.fromEntries(agreed);
}

/** The answers of a round as a dialect writes them: the usual form of refusals is said once. */
function writeRound({ answers }: Round): Map<RowId, Answer> {
  const usual = usualForm(answers);
  const written = new Map<RowId, Answer>();
  if (usual !== undefined) {
    const { body: value, exchanges, at } = usual;
    written.set('refusal.body', { outcome: 'observed', value, exchanges, at });
  }
  const text = JSON.stringify(usual?.body);
  for (const [id, answer] of answers) {
    written.set(
      id,
      'value' in answer ? { ...answer, value: withoutForm(answer.value, text) } : answer,
    );
  }
  return written;
}

/** The form of a refusal's body, and where it was first seen. */
interface SeenForm extends Pick<Answer, 'exchanges' | 'at'> {
  readonly body: RefusalBody;
  readonly count: number;
}

/** The most frequent form of a refusal's body; of equally frequent ones the first. */
function usualForm(answers: ReadonlyMap<AskedRow, Answer>): SeenForm | undefined {
  const forms = new Map<string, SeenForm>();
  for (const answer of answers.values()) {
    const body = 'value' in answer ? formIn(answer.value) : undefined;
    if (body === undefined) continue;
    const text = JSON.stringify(body);
    const { exchanges, at, count } = forms.get(text) ?? { ...answer, count: 0 };
    forms.set(text, { body, exchanges, at, count: count + 1 });
  }
  return [...forms.values()].sort((one, other) => other.count - one.count)[0];
}

/** A value that is a refusal, or has one. */
interface WithRefusal {
  readonly status?: number;
  readonly body?: RefusalBody;
  readonly refusal?: WithRefusal;
}

function isObject(value: unknown): value is WithRefusal {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formIn(value: unknown): RefusalBody | undefined {
  if (!isObject(value)) return undefined;
  return 'status' in value ? value.body : formIn(value.refusal);
}

function withoutForm(value: unknown, usual: string | undefined): unknown {
  if (!isObject(value)) return value;
  if (value.refusal !== undefined) return { ...value, refusal: withoutForm(value.refusal, usual) };
  const { body, ...rest } = value;
  return 'status' in value && JSON.stringify(body) === usual ? rest : value;
}

/** The dialect that says what was learned, rows in the order of the table. */
export function toDialect(rows: LearnedRows, breaks: Breaks): Dialect {
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
