import { isDeepStrictEqual } from 'node:util';
import type { RowId } from '../../interface/silent.ts';
import type { Json, RefusalBody } from '../../interface/silent-row.ts';
import type { Answer, Answers, AskedRow } from './ask-rows.ts';

/** A form of a refusal's body, and where it was first seen. */
interface SeenForm extends Pick<Answer, 'exchanges' | 'at'> {
  readonly body: RefusalBody;
  readonly count: number;
  readonly statuses: ReadonlySet<number | undefined>;
}

/** Chooses among the forms of refusals, the first that was seen first, the one that is said once. */
export type ChooseForm = (seen: readonly SeenForm[]) => SeenForm | undefined;

/**
 * The answers as a dialect writes them: the form of most refusals' bodies is said once, in the row
 * `refusal.body`.
 */
export function withUsualForm({ rows }: Answers, choose: ChooseForm): Map<RowId, Answer> {
  const usual = choose(seenForms(rows));
  const [first] = rows.values();
  if (first === undefined) return new Map();
  const written = new Map<RowId, Answer>([['refusal.body', toAnswer(usual, first.at)]]);
  for (const [id, answer] of rows) {
    const isObserved = answer.outcome === 'observed';
    const value = isObserved ? withoutForm(answer.value, usual?.body) : undefined;
    written.set(id, isObserved ? { ...answer, value } : answer);
  }
  return written;
}

function toAnswer(usual: SeenForm | undefined, at: string): Answer {
  if (usual === undefined) return { outcome: 'assumed', reason: noUsualForm, exchanges: [], at };
  const { body: value, exchanges } = usual;
  return { outcome: 'observed', value, exchanges, at: usual.at };
}

const noUsualForm = 'a form of body that is usual: the most frequent one is of one kind of refusal';

/** The most frequent form, of equally frequent ones the first, unless it is of one kind of refusal. */
export const usualForm: ChooseForm = (seen) => {
  const [first] = seen.toSorted((one, other) => other.count - one.count);
  return first !== undefined && isShared(first) ? first : undefined;
};

/** Whether refusals of different kinds have a form: with several statuses, or without any code. */
function isShared({ body, count, statuses }: SeenForm): boolean {
  if (statuses.size > 1) return true;
  return count > 1 && (body === 'empty' || !hasCode(body.json ?? null));
}

function hasCode(json: Json): boolean {
  if (typeof json === 'string') return json !== '{message}' && json !== '{status}';
  return typeof json === 'object' && json !== null && Object.values(json).some(hasCode);
}

function seenForms(answers: ReadonlyMap<AskedRow, Answer>): SeenForm[] {
  const forms = new Map<string, SeenForm>();
  for (const answer of answers.values()) {
    const { body, status } = ('value' in answer && refusalIn(answer.value)) || {};
    if (body === undefined) continue;
    const text = JSON.stringify(body);
    const { exchanges, at, count, statuses } = forms.get(text) ?? {
      ...answer,
      count: 0,
      statuses: [],
    };
    forms.set(text, {
      ...{ body, exchanges, at, count: count + 1 },
      statuses: new Set([...statuses, status]),
    });
  }
  return [...forms.values()];
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

function refusalIn(value: unknown): WithRefusal | undefined {
  if (!isObject(value)) return undefined;
  return 'status' in value ? value : refusalIn(value.refusal);
}

/** The form of the refusal in a row's value. */
export function formIn(value: unknown): RefusalBody | undefined {
  return refusalIn(value)?.body;
}

/** A row's value with another form of its refusal. */
export function withForm(value: unknown, body: RefusalBody): unknown {
  if (!isObject(value)) return value;
  if (value.refusal !== undefined) return { ...value, refusal: withForm(value.refusal, body) };
  return 'status' in value ? { ...value, body } : value;
}

/** A row's value without the form of its refusal, if that is the usual one. */
export function withoutForm(value: unknown, usual: RefusalBody | undefined): unknown {
  if (!isObject(value)) return value;
  if (value.refusal !== undefined) return { ...value, refusal: withoutForm(value.refusal, usual) };
  const { body, ...rest } = value;
  return 'status' in value && isDeepStrictEqual(body, usual) ? rest : value;
}
