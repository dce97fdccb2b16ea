import type { ChangeResponse } from '../../interface/dialect/behaviours.ts';
import {
  type Cell,
  isRefusal,
  type Refusal,
  type RefusalBody,
} from '../../interface/dialect/cells.ts';
import type { Endpoint } from '../../interface/dialect/errors.ts';
import type { Json } from '../../interface/json.ts';
import type { Problem } from '../messages/problem.ts';
import {
  jsonResponse,
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
} from '../messages/response.ts';
import { cellOf } from '../service/accept-or-refuse.ts';
import { errorSiteOf, type RequestContext } from './context.ts';
import { wrapResult } from './record-texts.ts';

/** The response to a refused request, or to one that a dialect accepts without doing anything. */
export function refusalResponse(problem: Problem, context: RequestContext): PlainResponse {
  const { dialect } = context;
  const isOfOtherKey = problem.error === 'id:unknown' && belongsToOtherKey(context);
  const error = isOfOtherKey ? 'id:other-key' : problem.error;
  const cell = error === undefined ? undefined : cellOf(errorSiteOf(context), error);
  const accepted = cell === undefined ? undefined : acceptedResponse(cell, context);
  if (accepted !== undefined) return accepted;
  const byCell: Refusal | undefined = cell !== undefined && isRefusal(cell) ? cell : undefined;
  const refusal: Refusal = problem.issues[0]?.refusal ?? byCell ?? { status: problem.status };
  const { status, body = dialect.refusalBody } = refusal;
  const headers = { ...problem.issues[0]?.headers, ...refusalHeaders(status, context) };
  if (body === 'empty') return plainResponse(status, null, headers);
  return plainResponse(status, [writeBody(body, status, problem.texts)], {
    ...headers,
    'content-type': body.type,
  });
}

/** The response for a cell that does not refuse: as if done, an empty list, or a redirect. */
function acceptedResponse(cell: Cell, context: RequestContext): PlainResponse | undefined {
  const { url, dialect, path } = context;
  if ('redirect' in cell) {
    return plainResponse(cell.redirect, null, { location: `${path}${url.search}` });
  }
  if (!('as' in cell)) return undefined;
  const { endpoint } = errorSiteOf(context);
  if (cell.as === 'empty') return jsonTextResponse(200, wrapResult(dialect, endpoint, ['[]']));
  if (cell.as !== 'done') return undefined;
  const responses: Readonly<Partial<Record<Endpoint, ChangeResponse>>> =
    dialect.behaviours['response.shows'];
  const response = responses[endpoint];
  return typeof response === 'object' ? fixedResponse(response) : plainResponse(204, null);
}

/** The response to a change, if it is always the same. */
export function fixedResponse({ status, json }: Extract<ChangeResponse, object>): PlainResponse {
  return json === undefined ? plainResponse(status, null) : jsonResponse(status, json);
}

/** Whether an id belongs to another API key whose world this process has open. */
function belongsToOtherKey({ app, world, id = '' }: RequestContext): boolean {
  const otherWorlds = app.worlds.opened().filter((opened) => opened !== world);
  return otherWorlds.some(({ state: { records } }) => {
    const record = records.stream(id) ?? records.session(id) ?? records.streamByPlaybackId(id);
    return record !== undefined;
  });
}

function refusalHeaders(status: number, context: RequestContext): Record<string, string> {
  const { allowed = [] } = context;
  const { behaviours } = context.dialect;
  return {
    ...(allowed.length > 0 &&
      behaviours['http.allow'] === 'present' && { allow: allowed.join(', ') }),
    ...(status === 401 &&
      behaviours['auth.challenge'] === 'present' && { 'www-authenticate': 'Bearer' }),
  };
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
