import { isDeepStrictEqual } from 'node:util';
import type { RowId } from '../../interface/silent.ts';
import type { RefusalBody } from '../../interface/silent-row.ts';
import type { Answer, Answers, AskedRow } from './ask-rows.ts';

/**
 * The answers as a dialect writes them: the most frequent form of a refusal's body is said once, in the row
 * `refusal.body`.
 */
export function withUsualForm({ rows }: Answers): Map<RowId, Answer> {
  const usual = usualForm(rows);
  const written = new Map<RowId, Answer>();
  if (usual !== undefined) {
    const { body: value, exchanges, at } = usual;
    written.set('refusal.body', { outcome: 'observed', value, exchanges, at });
  }
  for (const [id, answer] of rows) {
    const isObserved = answer.outcome === 'observed';
    written.set(
      id,
      isObserved ? { ...answer, value: withoutForm(answer.value, usual?.body) } : answer,
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

/** A row's value without the form of its refusal, if that is the usual one. */
export function withoutForm(value: unknown, usual: RefusalBody | undefined): unknown {
  if (!isObject(value)) return value;
  if (value.refusal !== undefined) return { ...value, refusal: withoutForm(value.refusal, usual) };
  const { body, ...rest } = value;
  return 'status' in value && isDeepStrictEqual(body, usual) ? rest : value;
}
