import { isObject } from '../../interface/json.ts';
import { firstOf, howMany, shorten, show } from '../../text/phrases.ts';
import type { TargetCall } from './call.ts';
import type { TargetResponse } from './exchange.ts';
import { Blocked, fail, type Proof, placeOf } from './failure.ts';
import { describeKind, isRefused, isSuccess, type JsonObject } from './read-response.ts';

/** Expects a status; messages name the operation as `operation`, such as `POST /stream`. */
export function expectStatus(response: TargetResponse, status: number, operation: string): void {
  if (response.status !== status) {
    fail(`${operation}: expected status ${status}, got ${response.status}`, response);
  }
}

/** Expects a refusal, any status from 400 to 499; messages name what must be refused as `subject`. */
export function expectRefusal(response: TargetResponse, subject: string): void {
  if (isRefused(response)) return;
  fail(`${subject}: ${refusalExpected}, got ${describeStatus(response)}`, response);
}

const refusalExpected = 'expected a refusal with a status from 400 to 499';

/** A status as messages about refusals name it: which status of success it is makes no difference. */
function describeStatus(response: TargetResponse): string {
  return isSuccess(response) ? 'a success' : String(response.status);
}

/**
 * Sends a request for each of some values, one after the other, and expects each to be refused, with any status from
 * 400 to 499. A failure names all that were not, so that one run shows every mistake of this kind. Requests that cannot
 * be sent are left out.
 * @param subject how messages name the values, such as `wrong values of record`
 * @param describe how messages name one of the values
 * @throws Blocked if none can be sent
 */
export async function expectAllRefused<Value>(
  call: (request: TargetCall) => Promise<TargetResponse>,
  subject: string,
  values: readonly Value[],
  request: (value: Value) => TargetCall,
  describe: (value: Value) => string = (value) => shorten(show(value), longestShown),
): Promise<void> {
  const taken: Taken[] = [];
  const notSent: Blocked[] = [];
  for (const value of values) {
    try {
      const response = await call(request(value));
      if (!isRefused(response)) taken.push({ words: describe(value), response });
    } catch (exception) {
      if (!(exception instanceof Blocked)) throw exception;
      notSent.push(exception);
    }
  }
  const [missing] = notSent;
  if (missing !== undefined && notSent.length === values.length) throw missing;
  failTaken(subject, values.length - notSent.length, taken);
}

/** What was not refused, in words. */
interface Taken {
  readonly words: string;
  readonly response: TargetResponse;
}

/** How many values one list in a message names. */
const mostShown = 40;
/** How many characters of each are shown, unless the list has words for them. */
const longestShown = 40;

function failTaken(subject: string, count: number, taken: readonly Taken[]): void {
  const [first, ...others] = taken;
  if (first === undefined) return;
  if (count === 1) {
    expectRefusal(first.response, `${subject}, ${first.words}`);
    return;
  }
  const statuses = [...new Set(taken.map(({ response }) => describeStatus(response)))];
  const got = statuses.map((status) => {
    const words = taken
      .filter(({ response }) => describeStatus(response) === status)
      .map((value) => value.words);
    const number = words.length === count ? 'all' : words.length;
    return `${status} for ${number}: ${firstOf(words, mostShown).join(', ')}`;
  });
  fail(
    `${subject}: expected all ${count} to be refused with a status from 400 to 499, got ${got.join('; ')}`,
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
  const alike = objects.filter((object) =>
    objects.some((other) => other !== object && other[field] === object[field]),
  );
  const [first, ...others] = alike;
  if (first === undefined) return;
  const values = [...new Set(alike.map((object) => show(object[field])))];
  fail(
    `${field}: expected different values in ${name}, got ${firstOf(values, mostShown).join(', ')} more than once`,
    first,
    ...others,
  );
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
  if (differences.length > 0) fail(differences, ...proof);
}

function differencesOf(actual: unknown, expected: unknown, path: string): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: expected an array, got ${describeKind(actual)}`];
    if (actual.length !== expected.length) {
      return [
        `${path}: expected ${howMany(expected.length, 'element')}, ${show(expected)}, got ${actual.length}, ${show(actual)}`,
      ];
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
  return actual === expected ? [] : [`${path}: ${describeDifference(expected, actual)}`];
}

/** What was expected and what was received. Of long texts that begin alike, only what is around the first difference. */
function describeDifference(expected: unknown, actual: unknown): string {
  if (typeof expected !== 'string' || typeof actual !== 'string' || show(expected) !== show(actual))
    return `expected ${show(expected)}, got ${show(actual)}`;
  let alike = 0;
  while (expected[alike] === actual[alike]) alike += 1;
  const start = Math.max(0, alike - shownBefore);
  const rest = (text: string): string => show(text.slice(start).toWellFormed());
  return `expected ${rest(expected)} after ${start} characters, got ${rest(actual)}`;
}

/** How many characters before the first difference of two texts are shown. */
const shownBefore = 20;
