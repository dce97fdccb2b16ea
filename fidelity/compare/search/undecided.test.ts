import { describe, expect, test } from 'vitest';
import type { Send } from '../../../conformance/target/exchange.ts';
import type { Behaviours } from '../../../interface/silent.ts';
import { against } from '../against.test-support.ts';
import { compare } from '../compare.ts';
import type { Move } from '../moves/move.ts';
import { runOnce } from './run-once.ts';
import { searchBetween } from './search.test-support.ts';

const stream: Pick<Extract<Move, { operation: string }>, 'id'> = { id: { of: 'stream', at: 0 } };
const create: Move = { operation: 'createStream', body: { name: 'a' } };
const retrieve: Move = { operation: 'retrieveStream', ...stream };
const retrieveDeleted: Move = { operation: 'retrieveStream', id: { of: 'deleted', at: 0 } };
const switchOn: Move = { operation: 'setRecord', ...stream, body: { record: true } };
const list: Move = { operation: 'listStreams' };
const remove: Move = { operation: 'deleteStream', ...stream };

/** A service that does not respond to the first requests with a method, and does what they say or not. */
function silentTo(method: string, what: 'does' | 'ignores', times = 1): (send: Send) => Send {
  let left = times;
  return (send) => async (request) => {
    const isSilent = request.method === method && !request.url.includes('_mock') && left-- > 0;
    if (!isSilent) return send(request);
    if (what === 'does') await send(request);
    throw new TypeError('closed');
  };
}

describe('after a write without a response', () => {
  test.each<[string, Move[], unknown[]]>([
    ['PATCH', [create, switchOn, retrieve, retrieve], [201, undefined, 200, 200]],
    [
      'DELETE',
      [create, remove, retrieveDeleted, create, retrieve],
      [201, undefined, 404, 201, 200],
    ],
  ])('that changed something, here %s, the sequence goes on', async (method, moves, statuses) => {
    const search = searchBetween(against({}, silentTo(method, 'does')));
    const { steps, ...outcome } = await runOnce(search, moves);
    expect(outcome).toEqual({ difference: undefined, unknown: undefined });
    expect(steps.map(({ responses }) => responses?.[0].status)).toEqual(statuses);
  });

  test.each<[string, Move[]]>([
    ['PATCH', [create, switchOn, retrieve, remove]],
    ['DELETE', [create, remove, retrieveDeleted, create]],
  ])(
    'that changed nothing, here %s, the read that shows it is no difference',
    async (method, moves) => {
      const search = searchBetween(against({}, silentTo(method, 'ignores')));
      const { steps, ...outcome } = await runOnce(search, moves);
      expect(outcome).toEqual({
        difference: undefined,
        unknown: expect.stringContaining(`${method} http://service.test/api/stream`),
      });
      expect(steps.at(-1)?.responses?.[0].status).toBe(200);
    },
  );

  test.each(['does', 'ignores'] as const)(
    'a difference counts if no state explains it, where the service %s what is asked',
    async (what) => {
      const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
      const search = searchBetween(against(rows, silentTo('PATCH', what)));
      const { difference } = await runOnce(search, [create, switchOn, remove]);
      expect(difference).toMatchObject({ finding: { where: 'status', kinds: ['200', '204'] } });
    },
  );

  test('of two services, a difference after it is unknown', async () => {
    const search = searchBetween(against({}, silentTo('PATCH', 'ignores')));
    const second = searchBetween(against({})).target;
    const outcome = await runOnce({ ...search, second }, [create, switchOn, retrieve]);
    expect(outcome).toMatchObject({ difference: undefined, unknown: expect.any(String) });
  });

  test('the state without the change has the records at the same places', async () => {
    const search = searchBetween(against({}, silentTo('DELETE', 'ignores')));
    const moves = [create, { ...create }, remove, switchOn, { ...retrieve }, list];
    expect(await runOnce(search, moves)).toMatchObject({
      difference: undefined,
      unknown: expect.stringContaining('DELETE'),
    });
  });

  test('the sequence ends if it creates, as no list tells whose a stream is', async () => {
    const search = searchBetween(against({}, silentTo('POST', 'does')));
    const { steps, unknown } = await runOnce(search, [create, list, create]);
    expect(steps).toHaveLength(1);
    expect(unknown).toContain('POST');
  });

  test('the second one ends the sequence', async () => {
    const search = searchBetween(against({}, silentTo('PATCH', 'does', 2)));
    const { steps, unknown } = await runOnce(search, [create, switchOn, switchOn, retrieve]);
    expect(steps).toHaveLength(3);
    expect(unknown).toContain('PATCH');
  });
});

test('a service that does not respond to some requests is compared for the most part', async () => {
  let requests = 0;
  const silentAtTimes =
    (send: Send): Send =>
    async (request) => {
      const isOfInterface = request.url.includes('/api/');
      const isSilent = isOfInterface && Math.sin((requests++) ** 2) > 0.99;
      const response = isSilent && requests % 2 === 0 ? undefined : await send(request);
      if (isSilent || response === undefined) throw new TypeError('closed');
      return response;
    };
  const comparison = await compare({ ...against({}, silentAtTimes), operations: 2_000 });
  expect(comparison).toMatchObject({ differences: [], unsteady: 0, gaveUp: false });
  expect(comparison.unanswered).toBeGreaterThan(comparison.unknown);
});
