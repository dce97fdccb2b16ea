import { expect, test } from 'vitest';
import type { Send } from '../../../conformance/target/exchange.ts';
import type { Behaviours } from '../../../interface/silent.ts';
import { createMock } from '../../../mocks/mock.ts';
import { against, apiKey, dialectOf } from '../against.test-support.ts';
import { compare } from '../compare.ts';
import { renderTerminal } from '../report/terminal.ts';

const look = { colours: false, width: 500 };

test('a row that the dialect states gets no other line', async () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'nothing' };
  const shown: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const options = { ...against(shown), dialect: dialectOf(rows), operations: 500, most: 1 };
  const comparison = await compare(options);
  const [difference] = comparison.differences;
  expect(difference).toMatchObject({
    stated: { row: 'delete.shows', value: 'nothing', fits: 'stream' },
  });
  expect(difference).not.toHaveProperty('line');
  expect(renderTerminal(comparison, look)).toContain(
    'The dialect says "delete.shows": "nothing"; here the target does "stream". If learn --check',
  );
});

test('a header that is absent is explained by a line that says so', async () => {
  const options = { ...against({ 'cors.requests': 'none' }), operations: 300, most: 1 };
  const { differences } = await compare(options);
  expect(differences).toMatchObject([{ line: { row: 'cors.requests', value: 'none' } }]);
});

test('a difference tells which lines the mock already has', async () => {
  const rows: Partial<Behaviours> = { 'cors.requests': 'none', 'delete.shows': 'stream' };
  const comparison = await compare({ ...against(rows), operations: 500 });
  const { applied } = comparison.differences.find(({ line }) => line?.row === 'delete.shows') ?? {};
  expect(applied).toContainEqual({ row: 'cors.requests', value: 'none' });
  expect(renderTerminal(comparison, look)).toContain(
    'It already has the lines that other differences name: "cors.requests": "none".',
  );
});

test('a cause that two targets differ in everywhere is reported once', async () => {
  const { send: _, ...target } = against({});
  const [one, other] = [createMock(), createMock()];
  const withoutOrigin: Send = async (request) => {
    const response = await one.fetch(request);
    response.headers.delete('access-control-allow-origin');
    return response;
  };
  const { differences } = await compare({
    ...{ ...target, send: withoutOrigin, operations: 600 },
    other: { baseUrl: 'http://other.test/api', apiKey, send: other.fetch },
  });
  expect(differences.map(({ found }) => found.where)).toEqual([
    'header access-control-allow-origin',
  ]);
});

test('a path with a slash at its end is not taken for an operation that is absent', async () => {
  const rows: Partial<Behaviours> = {
    'http.trailing-slash': 'unknown-route',
    'refusal.unknown-route': { status: 404, body: { type: 'text/plain' } },
  };
  const { differences } = await compare({ ...against(rows), operations: 400 });
  const lines = differences.map(({ line }) => line);
  expect(lines).toContainEqual({ row: 'http.trailing-slash', value: 'unknown-route' });
  expect(lines.map((line) => line?.row).join()).not.toContain('operation.');
}, 60_000);
