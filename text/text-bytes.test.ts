import { expect, test } from 'vitest';
import { decodeUtf8, linesOf } from './text-bytes.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

test.each<[text: string, lines: string[]]>([
  ['', []],
  ['\n', []],
  ['one', ['one']],
  ['one\n', ['one']],
  ['one\n\ntwo – ü\n', ['one', '', 'two – ü']],
  ['\ufeffone\r\ntwo\r\n', ['one', 'two']],
  ['one\n\n \t\r\n\n', ['one']],
  ['\ufeff', []],
])('%j is split into lines', (text, lines) => {
  expect([...linesOf(encode(text))].map(decode)).toEqual(lines);
});

test('a text has no byte order mark', () => {
  expect(decodeUtf8(encode('\ufeffü'))).toBe('ü');
});

test.each([
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ['UTF-16', [0xfe, 0xff, 0x00, 0x7b]],
  ['invalid UTF-8', [0x22, 0xff, 0x22]],
])('bytes of %s are refused with what to do', (found, bytes) => {
  const message = `expected UTF-8, got ${found}; save the file as UTF-8`;
  expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(message);
});
