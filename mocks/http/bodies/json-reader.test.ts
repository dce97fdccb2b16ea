import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byNight } from '../../../tools/nightly.test-support.ts';
import { parseJson } from '../../problems/parse-json.ts';
import { Problem } from '../../problems/problem.ts';
import { createJsonReader } from './json-reader.ts';
import { refuseUnsafeJson } from './unsafe-json.ts';

const utf8 = new TextEncoder();

/** Reads a text in chunks of these many bytes, over and over, and in parts of a few characters. */
function readInChunks(text: string, sizes: readonly number[], partLength = 1): unknown {
  const reader = createJsonReader(1_000_000, partLength);
  let bytes = utf8.encode(text);
  for (let index = 0; bytes.length > 0; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    reader.write(bytes.subarray(0, size));
    bytes = bytes.subarray(size);
  }
  return reader.end();
}

function readWhole(text: string): unknown {
  const value = parseJson(text, 'body');
  refuseUnsafeJson(value);
  return value;
}

/** What a function returns, with the order of its keys, or with which problem it refuses. */
function outcomeOf(read: () => unknown): unknown {
  try {
    const value = read();
    return { value, text: JSON.stringify(value) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, texts: error.texts };
  }
}

const keys = fc.constantFrom('', 'a', 'b', '1', '0', 'é😀', '__proto__', 'constructor', 'toString');
const space = fc.constantFrom('', '', ' ', '\n', '\r\n\t ');
const values = fc.json({ maxDepth: 3 });

/** An object as a state is one: arrays under its keys, some keys twice, space anywhere. */
const documents = fc
  .array(
    fc.tuple(
      keys,
      space,
      fc.oneof(
        values,
        fc.array(values).map((items) => `[${items}]`),
      ),
    ),
  )
  .map((members) => members.map(([key, gap, value]) => `${gap}"${key}"${gap}:${value}${gap}`))
  .map((members) => `{${members}}\n`);

/** One character left out, doubled or replaced, or the text cut there. */
const damaged = fc
  .tuple(
    fc.oneof(documents, values),
    fc.nat(),
    fc.constantFrom('', '"', ',', '[', ']', '{', '}', ':', '1', '\\', '\n', 'x', 'é', ',]', 'cut'),
    fc.nat(1),
  )
  .map(([json, place, piece, without]) => {
    const at = place % (json.length + 1);
    if (piece === 'cut') return json.slice(0, at);
    return json.slice(0, at) + piece + json.slice(at + without);
  })
  // A half of a character cannot be sent.
  .map((text) => text.toWellFormed());

const chunks = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const lengths = fc.integer({ min: 0, max: 30 });

test.each([
  { what: 'JSON', texts: fc.oneof(documents, values) },
  { what: 'what is hardly JSON', texts: damaged },
])('$what in any chunks is read, or refused, as the whole text is', ({ texts }) => {
  const property = fc.property(texts, chunks, lengths, (text, sizes, length) => {
    const outcome = outcomeOf(() => readInChunks(text, sizes, length));
    deepStrictEqual(
      outcome,
      outcomeOf(() => readWhole(text)),
    );
  });
  fc.assert(property, { seed: 20_260_101, numRuns: byNight(5_000, 300) });
});

test.each([
  { what: 'nothing before a comma', text: '{"a":[,1]}', got: '",1]}" at line 1, column 7' },
  { what: 'nothing behind one', text: '{"a":[1,\n]}', got: '"]}" at line 2, column 1' },
  { what: 'no member before a comma', text: '{,"a":1}', got: '",\\"a\\":1}" at line 1, column 2' },
  { what: 'no member behind one', text: '{"a":1, }', got: '"}" at line 1, column 9' },
  { what: 'a second value', text: '{"a":[1,2]} []', got: '"[]" at line 1, column 13' },
  {
    what: 'more behind an array',
    text: '{"a":[1,2] 3,"b":4}',
    got: '"3,\\"b\\":4}" at line 1, column 12',
  },
  { what: 'no end of an array', text: '{"a":[1,2', got: 'its end at line 1, column 10' },
  { what: 'nothing at all', text: '\n', got: 'its end at line 2, column 1' },
])('is refused with its place, wherever a part ends: $what', ({ text, got }) => {
  for (const size of [1, 2, 3, 100]) {
    expect(() => readInChunks(text, [size])).toThrow(`body: expected JSON, got ${got}`);
  }
});

test('a fault is told with what comes behind it, up to 20 characters', () => {
  const text = `{"a":[1,\n x${'é'.repeat(100)}],"b":[2,3]}`;
  const told = `body: expected JSON, got "x${'é'.repeat(19)}…" at line 2, column 2`;
  expect(() => readInChunks(text, [1])).toThrow(told);
});

test('a key named __proto__ is refused, and changes no object', () => {
  const text = '{"a":[1],"__proto__":{"polluted":true},"b":[2]}';
  expect(() => readInChunks(text, [1])).toThrow('body: expected no key named __proto__, got one');
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
});

describe('bytes that are no UTF-8 are refused', () => {
  const told = 'body: expected UTF-8, got bytes that are no valid UTF-8';
  test.each([
    { where: 'at once', bytes: [0x5b, 0x22, 0xc3, 0x22, 0x5d] },
    {
      where: 'around a comma',
      bytes: [...utf8.encode('{"a":[1,"'), 0xc3, 0x2c, 0xa9, ...utf8.encode('"]}')],
    },
  ])('$where', ({ bytes }) => {
    const reader = createJsonReader(100, 1);
    expect(() => bytes.map((byte) => reader.write(Uint8Array.of(byte)))).toThrow(told);
  });

  test('at the end', () => {
    const reader = createJsonReader(100);
    reader.write(Uint8Array.of(0x22, 0xc3));
    expect(() => reader.end()).toThrow(told);
  });
});

test('what is too much is refused before its end, though it is no JSON', () => {
  const reader = createJsonReader(1_000_000);
  reader.write(utf8.encode('{x'));
  expect(() => reader.write(utf8.encode('['.repeat(32)))).toThrow('at most 32 levels of nesting');
});

test('a single value that no string could hold is refused', () => {
  const reader = createJsonReader(100);
  const megabyte = new Uint8Array(1024 * 1024).fill(0x78);
  reader.write(utf8.encode('{"a":["'));
  expect(() => {
    for (let count = 0; count < 300; count += 1) reader.write(megabyte);
  }).toThrow('body: expected at most 268435456 bytes in one value, got more');
});
