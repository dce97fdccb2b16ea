import { type Behaviours, type RowId, usualBehaviours } from '../../interface/silent.ts';
import type { Json, Refusal, RefusalBody } from '../../interface/silent-row.ts';
import {
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
  problemResponse,
} from '../messages/response.ts';
import type { Problem, ProblemCode } from '../problems/problem.ts';
import type { App, RequestContext } from './context.ts';

/** The response to a refused request, in the form that the behaviours of its sender give it. */
export function refusalResponse(
  problem: Problem,
  app: App,
  context: RequestContext,
): PlainResponse {
  const { behaviours } = context.rules;
  if (behaviours === usualBehaviours) return problemResponse(problem);
  const row = rowOfProblem(problem, app, context);
  const value = row && behaviours[row];
  if (value === 'empty') return jsonTextResponse(200, ['[]']);
  const refusal: Refusal = readRefusal(value) ?? { status: problem.status };
  const { status, body = behaviours['refusal.body'] } = refusal;
  const headers = { ...problem.headers, ...refusalHeaders(status, row, context) };
  if (body === 'empty') return plainResponse(status, null, headers);
  return plainResponse(status, [writeBody(body, status, problem.texts)], {
    ...headers,
    'content-type': body.type,
  });
}

/**
 * Whether an id is that of a stream or session of another API key, and a client can tell. Every world is
 * searched for it.
 */
function isOthers({ worlds }: App, { world, id = '', operation, rules }: RequestContext): boolean {
  const [unknown, others] = ['unknown-id', 'other-key'].map((what) =>
    JSON.stringify(rules.behaviours[`refusal.${what}.${operation}` as RowId]),
  );
  if (unknown === others) return false;
  return worlds.opened().some((other) => {
    const { records } = other.state;
    const found = records.stream(id) ?? records.session(id) ?? records.streamByPlaybackId(id);
    return other !== world && found !== undefined;
  });
}

/** What is wrong with a request by the code of its problem, where the problem itself does not say it. */
const whatIsWrong: Partial<Record<ProblemCode, string>> = {
  malformed: 'malformed-json',
  'too-large': 'http.body-size',
};

/** The row of a problem; the operation completes what is wrong with an id or with its JSON. */
function rowOfProblem(
  { code, row }: Problem,
  app: App,
  context: RequestContext,
): RowId | undefined {
  const { rules, operation } = context;
  const { behaviours } = rules;
  const isOfOtherKey = row === 'unknown-id' && isOthers(app, context);
  const what = isOfOtherKey ? 'other-key' : (row ?? whatIsWrong[code] ?? '');
  return [what, `refusal.${what}.${operation}`].find((id): id is RowId => id in behaviours);
}

/** The refusal that is the value of a row, or of the limit in it. */
function readRefusal(value: Behaviours[RowId] | undefined): Refusal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('status' in value) return value as Refusal;
  return 'refusal' in value ? (value.refusal as Refusal) : undefined;
}

function refusalHeaders(
  status: number,
  row: RowId | undefined,
  { rules: { behaviours }, allowed = [] }: RequestContext,
): Record<string, string> {
  const retryAfter = behaviours['http.retry-after'];
  return {
    ...(allowed.length > 0 &&
      behaviours['http.allow'] === 'present' && { allow: allowed.join(', ') }),
    ...(status === 401 &&
      behaviours['auth.challenge'] === 'present' && { 'www-authenticate': 'Bearer' }),
    ...(row === 'refusal.live-switch' &&
      retryAfter !== null && { 'retry-after': String(retryAfter) }),
  };
}

function writeBody(
  { type, json }: Exclude<RefusalBody, 'empty'>,
  status: number,
  texts: readonly string[],
): string {
  // Only JSON quotes the request: a browser could run what it finds in another type, such as HTML.
  return json === undefined || !jsonTypes.test(type)
    ? `The request was refused with status ${status}.`
    : JSON.stringify(fill(json, status, texts));
}

const jsonTypes = /^\w+\/([\w.+-]+\+)?json(;|$)/;

/** Puts the sentences and the status where a template has their places. */
function fill(template: Json, status: number, texts: readonly string[]): Json {
  if (template === '{message}') return texts.join('; ');
  if (template === '{status}') return status;
  if (typeof template !== 'object' || template === null) return template;
  if (!Array.isArray(template)) {
    const entries = Object.entries(template);
    return Object.fromEntries(entries.map(([key, part]) => [key, fill(part, status, texts)]));
  }
  const [first] = template;
  if (template.length === 1 && first === '{message}') return [...texts];
  return template.map((part) => fill(part, status, texts));
}
