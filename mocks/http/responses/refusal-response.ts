import type { Refusal, RefusalBody } from '../../../interface/dialect/cells.ts';
import type { ResolvedDialect } from '../../../interface/dialect/resolve.ts';
import type { Json } from '../../../interface/json.ts';
import type { Problem } from '../../messages/problem.ts';
import { type PlainResponse, plainResponse } from '../../messages/response.ts';

/** The response to a refused request. The problem says how it is refused. */
export function refusalResponse(problem: Problem, dialect: ResolvedDialect): PlainResponse {
  const { status, body = dialect.refusalBody }: Refusal = problem.refusal;
  const isChallenged = status === 401 && dialect.behaviours['auth.challenge'] === 'present';
  const headers = {
    ...problem.issues[0]?.headers,
    ...(isChallenged && { 'www-authenticate': 'Bearer' }),
  };
  if (body === 'empty') return plainResponse(status, null, headers);
  return plainResponse(status, [writeBody(body, status, problem.texts)], {
    ...headers,
    'content-type': body.type,
  });
}

function writeBody(
  { type, json }: Exclude<RefusalBody, 'empty'>,
  status: number,
  texts: readonly string[],
): string {
  // Only JSON may quote the request: a browser could run what it finds in another type, such as HTML.
  return json === undefined || !jsonTypePattern.test(type)
    ? `The request was refused with status ${status}.`
    : JSON.stringify(fillTemplate(json, status, texts));
}

const jsonTypePattern = /^\w+\/([\w.+-]+\+)?json(;|$)/;

/** Fills the sentences and the status into a template. */
function fillTemplate(template: Json, status: number, texts: readonly string[]): Json {
  if (template === '{message}') return texts.join('; ');
  if (template === '{status}') return status;
  if (typeof template !== 'object' || template === null) return template;
  if (!Array.isArray(template)) {
    const entries = Object.entries(template);
    return Object.fromEntries(
      entries.map(([key, value]) => [key, fillTemplate(value, status, texts)]),
    );
  }
  const [first] = template;
  if (template.length === 1 && first === '{message}') return [...texts];
  return template.map((item) => fillTemplate(item, status, texts));
}
