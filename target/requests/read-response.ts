import { isObject } from '../../interface/json.ts';
import { show } from '../../text/phrases.ts';
import { jsonOf } from './bounded-json.ts';
import type { TargetResponse } from './exchange.ts';
import {
  CheckFailure,
  exchangesOf,
  fail,
  failTogether,
  NoResponse,
  type Proof,
  rememberExchanges,
  rememberIndex,
  showElement,
} from './failure.ts';
import { quoteBody } from './shown-body.ts';

/** Whether a response has a status of success. */
export function isSuccess({ status }: TargetResponse): boolean {
  return status >= 200 && status <= 299;
}

/** Whether a response has a status of refusal. */
export function isRefused({ status }: TargetResponse): boolean {
  return status >= 400 && status <= 499;
}

/** Expects a JSON body of any content type. */
function readJson(response: TargetResponse): unknown {
  try {
    return response.json;
  } catch (exception) {
    if (exception instanceof NoResponse) throw exception;
    return fail(`expected a JSON body, got ${quoteBody(response.text)}`, response);
  }
}

/** A JSON object whose values are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Expects a JSON object as the body. */
export function readObject(response: TargetResponse): JsonObject {
  const object = expectObject(readJson(response), 'body', response);
  return rememberExchanges(object, exchangesOf([response]));
}

/** Expects a JSON array of objects as the body. */
export function readObjects(response: TargetResponse): JsonObject[] {
  const value = readJson(response);
  if (!Array.isArray(value)) {
    fail(`expected a JSON array as the body, got ${describeKind(value)}`, response);
  }
  const exchanges = exchangesOf([response]);
  const failures = value.flatMap((element, index) => {
    if (isObject(element)) return [];
    const place = `[${index}]`;
    const mistake = `${place}: expected a JSON object, got ${describeKind(element)}`;
    return [new CheckFailure([mistake], showElement(exchanges, place, element))];
  });
  failTogether(failures);
  const objects = value.filter(isObject);
  objects.forEach(rememberIndex);
  return rememberExchanges(objects, exchanges);
}

/** Expects a JSON object; messages name it as `where`. */
function expectObject(value: unknown, where: string, ...proof: Proof): JsonObject {
  if (isObject(value)) return value;
  return fail(`${where}: expected a JSON object, got ${describeKind(value)}`, ...proof);
}

/** The id in a successful response, if it has one; as a text even if it is a number. */
export function readId(response: TargetResponse): string | undefined {
  if (!isSuccess(response)) return undefined;
  const body = jsonOf(response);
  const id = isObject(body) ? body['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** What kind of value it is. Contents are left out, so that one cause has one message. */
export function describeKind(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object' || value === null) return show(value);
  return `an object with the keys ${show(Object.keys(value))}`;
}
