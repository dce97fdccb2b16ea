import type { Json } from '../../interface/silent-row.ts';
import type { Answer, Answers } from './ask-rows.ts';
import { formIn, withForm } from './usual-form.ts';

/** The answers with `{message}` for each text in a refusal that was not the same each time: it is no code. */
export function withoutVarying(asked: readonly Answers[]): Answers[] {
  return asked.map(({ rows, ...rest }) => {
    const steady = [...rows].map(([id, answer]) => {
      const others = asked.flatMap((one) => one.rows.get(id) ?? []);
      return [id, others.reduce(withSteadyCode, answer)] as const;
    });
    return { ...rest, rows: new Map(steady) };
  });
}

function withSteadyCode(answer: Answer, other: Answer): Answer {
  if (answer.outcome !== 'observed' || other.outcome !== 'observed') return answer;
  const [body, another] = [formIn(answer.value), formIn(other.value)];
  if (typeof body !== 'object' || typeof another !== 'object') return answer;
  if (body.json === undefined || another.json === undefined) return answer;
  const json = steady(body.json, another.json);
  return { ...answer, value: withForm(answer.value, { ...body, json }) };
}

/** A value with `{message}` for each text that is another in the other value. */
function steady(value: Json, other: Json | undefined): Json {
  if (typeof value === 'string' && typeof other === 'string') {
    return value === other ? value : '{message}';
  }
  if (typeof value !== 'object' || value === null) return value;
  if (typeof other !== 'object' || other === null) return value;
  const others = new Map(Object.entries(other));
  const entries = Object.entries(value).map(([key, part]) => [key, steady(part, others.get(key))]);
  return Array.isArray(value)
    ? entries.map(([, part]) => part as Json)
    : (Object.fromEntries(entries) as Json);
}
