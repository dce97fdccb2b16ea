import { describe, expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { against, dialectOf } from './against.test-support.ts';
import { compare } from './compare.ts';
import { exitStatus } from './model/comparison.ts';

const type = 'application/json; charset=utf-8';

/** A service whose refusals have another word at `reason` each time. */
function varying(): (send: Send) => Send {
  let refusals = 0;
  const word = (): string => {
    const letters = String(refusals++).replaceAll(
      /\d/g,
      (digit) => 'abcdefghij'[Number(digit)] ?? '',
    );
    return `word-${letters}`;
  };
  return (send) => async (request) => {
    const response = await send(request);
    if (response.status < 400 || response.body === null || /_mock/.test(request.url)) {
      return response;
    }
    return Response.json({ code: 'REFUSED', reason: word() }, response);
  };
}

const fitting: Partial<Behaviours> = {
  'refusal.body': { type, json: { code: 'REFUSED', reason: '{message}' } },
};

describe('a word in refusals that is another each time', () => {
  test('is no difference to a dialect that has a placeholder there', async () => {
    const dialect = dialectOf(fitting);
    const comparison = await compare({ ...against({}, varying()), dialect, operations: 1_200 });
    expect(comparison).toMatchObject({ differences: [], unsteady: 0, leftBehind: [] });
    expect(comparison.coverage.operations).toBeGreaterThanOrEqual(1_200);
    expect(exitStatus(comparison)).toBe(0);
  }, 60_000);

  test('hides no other difference', async () => {
    const options = against({ 'delete.shows': 'stream' }, varying());
    const dialect = dialectOf(fitting);
    const comparison = await compare({ ...options, dialect, operations: 1_000 });
    expect(comparison.differences.map(({ signature }) => signature)).toEqual([
      'deleteStream | status | 200 ≠ 204',
    ]);
    expect(comparison.unsteady).toBe(0);
  }, 60_000);

  test('differs from a code, which a line with the placeholder explains', async () => {
    const codes = { 'refusal.body': { type, json: { code: 'REFUSED', reason: 'why' } } };
    const options = { ...against({}, varying()), operations: 600, most: 1 };
    const { differences } = await compare({ ...options, dialect: dialectOf(codes) });
    const entries = differences.flatMap(({ entry }) => entry ?? []);
    expect(entries.map(({ signature }) => signature)).toEqual([
      expect.stringMatching(/"reason":"\{message\}"\}\} ≠ .*"reason":"why"\}\}$/),
    ]);
    const { differences: fromUsual } = await compare(options);
    expect(fromUsual).toMatchObject([
      { line: { row: 'refusal.body', value: fitting['refusal.body'] } },
    ]);
    const known = entries.map((entry) => ({ ...entry, reason: 'ours' }));
    const again = await compare({ ...options, dialect: dialectOf(codes), known, operations: 1 });
    expect(again).toMatchObject({ unseen: [], differences: [{ known: 'ours' }] });
  }, 60_000);

  test('is no difference between two services that both have it', async () => {
    const { send, provider: _, ...target } = against({}, varying());
    const { send: other } = against({}, varying());
    const comparison = await compare({
      ...{ ...target, ...(send && { send }), operations: 600 },
      other: { ...target, ...(other && { send: other }) },
    });
    expect(comparison).toMatchObject({ differences: [], unsteady: 0 });
  }, 60_000);
});

test('a code that is another in each kind of refusal is compared', async () => {
  const code = (json: string): Partial<Behaviours> => ({
    'refusal.unknown-id.retrieveStream': { status: 404, body: { type, json: { code: json } } },
    'refusal.unknown-id.deleteStream': { status: 404, body: { type, json: { code: 'GONE' } } },
  });
  const dialect = dialectOf(code('NOT_FOUND'));
  const { differences } = await compare({ ...against(code('MISSING')), dialect, operations: 600 });
  expect(differences.map(({ signature }) => signature)).toEqual([
    `retrieveStream (id: unknown id) | refusal | {"type":"${type}","json":{"code":"MISSING"}} ≠ {"type":"${type}","json":{"code":"NOT_FOUND"}}`,
  ]);
});
