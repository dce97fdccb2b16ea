import { expect, test } from 'vitest';
import { formOf } from './form.ts';

function refused(type: string, text: string): Parameters<typeof formOf>[0] {
  const url = 'https://api.test/v1/stream/no-such-stream?limit=some';
  const headers = new Headers({ 'content-type': type });
  return { status: 404, headers, text, url, sent: '{"name":"wide","profiles":[]}' };
}

const json = 'application/json';

test.each([
  { type: json, text: '', form: 'empty' },
  { type: 'text/html; charset=UTF-8', text: '<p>', form: { type: 'text/html; charset=utf-8' } },
  { type: 'nonsense', text: 'Hi', form: { type: 'text/plain' } },
  { type: json, text: '{"errors"', form: { type: json } },
  {
    type: json,
    text: '{"code":"NOT_FOUND","status":404,"left":3,"errors":["No stream a1.","No b2."]}',
    form: {
      type: json,
      json: { code: 'NOT_FOUND', errors: ['{message}'], left: 0, status: '{status}' },
    },
  },
  ...[
    ...['gone', 'Unauthorized', 'NOT_FOUND', 'not-found'],
    ...['stream.not_found', 'E42', 'E1001', 'ERR-20012'],
  ].map((code) => ({
    type: json,
    text: `{"code":"${code}","detail":"deleted"}`,
    form: { type: json, json: { code, detail: '{message}' } },
  })),
  ...[
    ...['is gone', 'f81d4fae-7dec-11d0', 'a1b2c3', 'stream-1042', '404', 'a'.repeat(41)],
    ...['no-such-stream', 'SOME', 'wide', 'name'],
  ].map((text) => ({
    type: json,
    text: `{"code":"${text}"}`,
    form: { type: json, json: { code: '{message}' } },
  })),
])('a body $text of $type has the form $form', ({ type, text, form }) => {
  // The order of keys is always the same, whatever it was.
  expect(JSON.stringify(formOf(refused(type, text)))).toBe(JSON.stringify(form));
});

test('what may be the data of an account is not part of a form', () => {
  const text = '{"account":"acme-corp","owner":"JaneSmith","streams":{"f81d4fae-7dec":"ACME"}}';
  expect(formOf(refused(json, text))).toEqual({
    type: json,
    json: { account: '{message}', owner: '{message}', streams: {} },
  });
});

test('a body that no client reads is only its type', () => {
  const names = Array.from({ length: 30 }, (_, index) => `k${'x'.repeat(index)}`);
  const part = Object.fromEntries(names.map((name) => [name, 1]));
  const body = Object.fromEntries(names.map((name) => [name, part]));
  expect(formOf(refused(json, JSON.stringify(body)))).toEqual({ type: json });
});
