import { expect, test } from 'vitest';
import { decodeBody, parseJsonBody, refuseDeepJson, refuseProtoKey } from './read-json.ts';

/** A value that is nested in so many arrays. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

test('a body that is not JSON is refused with the place of the mistake, and is not quoted', () => {
  expect(() => parseJsonBody('{\n  "streamKey": half-of-a-secret')).toThrow(
    /^body: expected JSON, got a syntax error in line 2, column 16 \(a value belongs there\)$/,
  );
});

test('bytes that are not UTF-8 are refused with what they are', () => {
  const message = 'body: expected UTF-8, got invalid UTF-8';
  expect(() => decodeBody(Uint8Array.of(0xff))).toThrow(message);
});

test('JSON may be nested as deeply as is said', () => {
  expect(() => refuseDeepJson(nested(3), { deepest: 3 })).not.toThrow();
  const message = 'body: expected at most 3 levels of nesting, got more';
  expect(() => refuseDeepJson({ a: nested(3) }, { deepest: 3 })).toThrow(message);
});

test('the key __proto__ is refused at any depth', () => {
  const value = JSON.parse('[{"a":{"__proto__":1}}]');
  expect(() => refuseProtoKey(value)).toThrow('body: expected no key named __proto__, got one');
});
