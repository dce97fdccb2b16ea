import type { Answer } from './exchange.ts';
import { CheckFailure, NoAnswer } from './failure.ts';
import { parseJson } from './json-text.ts';
import { exchangesOf, recordOrigin } from './origins.ts';

/**
 * Ends a check: the target does not keep the requirement.
 * @param evidence the answers that it rests on, or objects and lists read from them, the decisive one
 *   first
 */
export function fail(message: string, ...evidence: readonly object[]): never {
  throw new CheckFailure(message, exchangesOf(evidence));
}

/** A value in a message, short. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = write(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** What a target sends may be nested deeper than can be written. */
function write(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value that is nested too deep to be shown';
  }
}

/** Expects a status. */
export function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status) fail(`expected status ${status}, got ${answer.status}`, answer);
}

/** Expects a refusal: any status from 400 to 499. */
export function expectRefusal(answer: Answer, of: string): void {
  if (answer.status < 400 || answer.status > 499) {
    fail(
      `expected ${of} to be refused with a status from 400 to 499, got ${answer.status}`,
      answer,
    );
  }
}

/** Expects a JSON body, whatever its content type. */
function readJson(answer: Answer): unknown {
  try {
    return parseJson(answer.text);
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    return fail(`expected a JSON body, got ${show(answer.text.slice(0, 100))}`, answer);
  }
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Expects a JSON object as the body. */
export function readObject(answer: Answer): JsonObject {
  return recordOrigin(expectObject(readJson(answer), 'body', answer), exchangesOf([answer]));
}

/** Expects a JSON array of objects as the body. */
export function readObjects(answer: Answer): JsonObject[] {
  const value = readJson(answer);
  if (!Array.isArray(value)) fail(`expected a JSON array as the body, got ${show(value)}`, answer);
  const objects = value.map((element, index) => expectObject(element, `element ${index}`, answer));
  return recordOrigin(objects, exchangesOf([answer]));
}

function expectObject(value: unknown, where: string, ...evidence: readonly object[]): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail(`${where}: expected a JSON object, got ${show(value)}`, ...evidence);
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
  const value = object[field];
  if (!holds(value)) fail(`${field}: expected ${expected}, got ${show(value)}`, object);
}

/**
 * Expects `actual` to hold all that `expected` holds; further keys of objects do not matter.
 * @param evidence as in {@link fail}
 */
export function expectEcho(
  actual: unknown,
  expected: unknown,
  path: string,
  ...evidence: readonly object[]
): void {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      fail(`${path}: expected ${show(expected)}, got ${show(actual)}`, ...evidence);
    }
    expected.forEach((item, index) => {
      expectEcho((actual as unknown[])[index], item, `${path}[${index}]`, ...evidence);
    });
  } else if (typeof expected === 'object' && expected !== null) {
    const object = expectObject(actual, path, ...evidence);
    for (const [key, item] of Object.entries(expected)) {
      expectEcho(object[key], item, `${path}.${key}`, ...evidence);
    }
  } else if (actual !== expected) {
    fail(`${path}: expected ${show(expected)}, got ${show(actual)}`, ...evidence);
  }
}
