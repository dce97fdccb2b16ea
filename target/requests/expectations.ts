import { isObject } from '../../interface/json.ts';
import { show } from '../../text/phrases.ts';
import type { TargetCall } from './call.ts';
import type { TargetResponse } from './exchange.ts';
import { fail, joinMistakes, type Proof, placeOf } from './failure.ts';
import { describeKind, isRefused, isSuccess, type JsonObject } from './read-response.ts';

/** Expects a status; messages name the operation as `operation`, such as `POST /stream`. */
export function expectStatus(response: TargetResponse, status: number, operation: string): void {
  if (response.status !== status) {
    fail(`${operation}: expected status ${status}, got ${response.status}`, response);
  }
}

/** Expects a refusal, any status from 400 to 499; messages name what must be refused as `subject`, by default its body. */
export function expectRefusal(
  response: TargetResponse,
  subject = `the body ${response.sent}`,
): void {
  if (!isRefused(response)) {
    const got = isSuccess(response) ? 'a success' : response.status;
    fail(`expected ${subject} to be refused with a status from 400 to 499, got ${got}`, response);
  }
}

/**
 * Sends requests one after the other, and expects each to be refused, with any status from 400 to 499. A failure names
 * all that were not, so that one run shows every mistake of this kind.
 * @param subjects how messages name each request; by default by its body
 */
export async function expectAllRefused(
  call: (request: TargetCall) => Promise<TargetResponse>,
  requests: readonly TargetCall[],
  subjects?: readonly string[],
): Promise<void> {
  const taken: { subject: string; response: TargetResponse }[] = [];
  for (const [index, request] of requests.entries()) {
    const response = await call(request);
    const subject = subjects?.[index] ?? `the body ${response.sent}`;
    if (!isRefused(response)) taken.push({ subject, response });
  }
  const [first, ...others] = taken;
  if (first === undefined) return;
  if (others.length === 0) return expectRefusal(first.response, first.subject);
  const all = taken.map(({ subject, response }) => `${subject} (${response.status})`).join(', ');
  fail(
    `expected these ${taken.length} of ${requests.length} to be refused with a status from 400 to 499, got others: ${all}`,
    first.response,
    ...others.map(({ response }) => response),
  );
}

/** Expects a field for which `holds` is true. */
export function expectField(
  object: JsonObject,
  field: string,
  expected: string,
  holds: (value: unknown) => boolean,
): void {
  if (!holds(object[field])) {
    const place = placeOf(object);
    const where = place === '' ? field : `${place}.${field}`;
    fail(`${where}: expected ${expected}, got ${showField(object, field)}`, object);
  }
}

/** Expects objects to have different values in a field. Messages name the objects as `name`. */
export function expectDistinct(objects: readonly JsonObject[], field: string, name: string): void {
  const objectsByValue = new Map<unknown, JsonObject>();
  for (const object of objects) {
    const value = object[field];
    const same = objectsByValue.get(value);
    if (same !== undefined) {
      const expected = `different values in ${name}`;
      fail(`${field}: expected ${expected}, got ${show(value)} twice`, object, same);
    }
    objectsByValue.set(value, object);
  }
}

/** A field in a message. If it is missing, the key that is probably meant is named. */
function showField(object: JsonObject, field: string): string {
  const isSimilar = (key: string): boolean => key.toLowerCase() === field.toLowerCase();
  const similarKey = field in object ? undefined : Object.keys(object).find(isSimilar);
  return `${show(object[field])}${similarKey === undefined ? '' : `; the object has ${similarKey}`}`;
}

/** Expects `actual` to contain all of `expected`; additional keys of objects are ignored. A failure names all differences. */
export function expectEcho(
  actual: unknown,
  expected: unknown,
  path: string,
  ...proof: Proof
): void {
  const differences = differencesOf(actual, expected, path);
  if (differences.length > 0) fail(joinMistakes(differences), ...proof);
}

function differencesOf(actual: unknown, expected: unknown, path: string): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: expected an array, got ${describeKind(actual)}`];
    if (actual.length !== expected.length) {
      return [`${path}: expected ${show(expected)}, got ${show(actual)}`];
    }
    return expected.flatMap((item, index) =>
      differencesOf(actual[index], item, `${path}[${index}]`),
    );
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return [`${path}: expected a JSON object, got ${describeKind(actual)}`];
    return Object.entries(expected).flatMap(([key, item]) =>
      key in actual
        ? differencesOf(actual[key], item, `${path}.${key}`)
        : [`${path}.${key}: expected this key, got ${showField(actual, key)}`],
    );
  }
  return actual === expected ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`];
}
