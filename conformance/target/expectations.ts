import type { TargetResponse } from './exchange.ts';
import { CheckFailure, exchangesOf, NoResponse, rememberExchanges } from './failure.ts';

/** The responses that prove a failure, or objects and lists read from them; the decisive one first. */
type Proof = readonly [object, ...(object | undefined)[]];

/** Ends a check: the target does not satisfy the requirement. @throws CheckFailure always. */
export function fail(message: string, ...proof: Proof): never {
  throw new CheckFailure(message, exchangesOf(proof));
}

/** A value in a message, shortened to 120 characters. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** What kind of value it is. Contents are left out, so that one cause has one message. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object' || value === null) return show(value);
  return `an object with the keys ${show(Object.keys(value))}`;
}

/** Whether a response has a status of success. */
export function isSuccess({ status }: TargetResponse): boolean {
  return status >= 200 && status <= 299;
}

/** Whether a response has a status of refusal. */
export function isRefused({ status }: TargetResponse): boolean {
  return status >= 400 && status <= 499;
}

/** Expects a status; `what` names the operation, such as `POST /stream`. */
export function expectStatus(response: TargetResponse, status: number, what: string): void {
  if (response.status !== status) {
    fail(`${what}: expected status ${status}, got ${response.status}`, response);
  }
}

/** Expects a refusal, any status from 400 to 499; `of` names what must be refused, by default its body. */
export function expectRefusal(response: TargetResponse, of = `the body ${response.sent}`): void {
  if (!isRefused(response)) {
    const got = isSuccess(response) ? 'a success' : response.status;
    fail(`expected ${of} to be refused with a status from 400 to 499, got ${got}`, response);
  }
}

/** Expects a JSON body of any content type. */
function readJson(response: TargetResponse): unknown {
  try {
    return response.json;
  } catch (error) {
    if (error instanceof NoResponse) throw error;
    return fail(`expected a JSON body, got ${show(response.text.slice(0, 100))}`, response);
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Expects a JSON object as the body. */
export function readObject(response: TargetResponse): JsonObject {
  return rememberExchanges(
    expectObject(readJson(response), 'body', response),
    exchangesOf([response]),
  );
}

/** Expects a JSON array of objects as the body. */
export function readObjects(response: TargetResponse): JsonObject[] {
  const value = readJson(response);
  if (!Array.isArray(value)) {
    fail(`expected a JSON array as the body, got ${kindOf(value)}`, response);
  }
  const objects = value.map((element) =>
    expectObject(element, 'an element of the array', response),
  );
  return rememberExchanges(objects, exchangesOf([response]));
}

function expectObject(value: unknown, where: string, ...proof: Proof): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail(`${where}: expected a JSON object, got ${kindOf(value)}`, ...proof);
  }
  return value as JsonObject;
}

/** Expects a field for which `holds` is true. */
export function expectField(
  object: JsonObject,
  field: string,
  expected: string,
  holds: (value: unknown) => boolean,
): void {
  if (!holds(object[field])) {
    fail(`${field}: expected ${expected}, got ${showField(object, field)}`, object);
  }
}

/** Expects objects to have different values in a field. Messages name the objects as `what`. */
export function expectDistinct(objects: readonly JsonObject[], field: string, what: string): void {
  const seen = new Map<unknown, JsonObject>();
  for (const object of objects) {
    const value = object[field];
    const same = seen.get(value);
    if (same !== undefined) {
      fail(
        `${field}: expected different values in ${what}, got ${show(value)} twice`,
        object,
        same,
      );
    }
    seen.set(value, object);
  }
}

/** A field in a message. If it is missing, the key that is probably meant is named. */
function showField(object: JsonObject, field: string): string {
  const isNear = (key: string): boolean => key.toLowerCase() === field.toLowerCase();
  const near = field in object ? undefined : Object.keys(object).find(isNear);
  return `${show(object[field])}${near === undefined ? '' : `; the object has ${near}`}`;
}

/** Expects `actual` to contain all of `expected`; additional keys of objects are ignored. */
export function expectEcho(
  actual: unknown,
  expected: unknown,
  path: string,
  ...proof: Proof
): void {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) {
      fail(`${path}: expected an array, got ${kindOf(actual)}`, ...proof);
    }
    if (actual.length !== expected.length) {
      fail(`${path}: expected ${show(expected)}, got ${show(actual)}`, ...proof);
    }
    expected.forEach((item, index) => {
      expectEcho(actual[index], item, `${path}[${index}]`, ...proof);
    });
  } else if (typeof expected === 'object' && expected !== null) {
    const object = expectObject(actual, path, ...proof);
    for (const [key, item] of Object.entries(expected)) {
      if (!(key in object)) {
        fail(`${path}.${key}: expected this key, got ${showField(object, key)}`, ...proof);
      }
      expectEcho(object[key], item, `${path}.${key}`, ...proof);
    }
  } else if (actual !== expected) {
    fail(`${path}: expected ${show(expected)}, got ${show(actual)}`, ...proof);
  }
}
