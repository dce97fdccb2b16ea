import { expect, test } from 'vitest';
import { readErrors, testRequest } from '../../http/request.test-support.ts';
import { createMock, type Mock } from '../../mock.ts';

/** Sends requests one after another, and returns the last response. */
async function send({ fetch }: Mock, ...lines: readonly string[]): Promise<Response> {
  let answer = Response.error();
  for (const line of lines) {
    const body = line.startsWith('POST /api') ? { body: '{"name":"Harbour camera"}' } : {};
    answer = await fetch(testRequest(line, body));
  }
  return answer;
}

test('a snapshot can be restored byte for byte, any number of times', async () => {
  const mock = createMock({ world: 'demo' });
  const lists = async () =>
    (await (await send(mock, 'GET /api/stream')).text()) +
    (await (await send(mock, 'GET /api/session')).text());
  await send(mock, 'POST /api/stream', 'PUT /_mock/snapshots/one.more_1-a%20b');
  const kept = await lists();
  const created = new Set<string>();
  for (let round = 0; round < 3; round++) {
    created.add(await (await send(mock, 'POST /api/stream')).text());
    expect(await lists()).not.toBe(kept);
    const answer = await send(mock, 'POST /_mock/snapshots/one.more_1-a%20b/restore');
    expect(answer.status).toBe(204);
    expect(await lists()).toBe(kept);
  }
  expect(created.size).toBe(1);
});

test('a snapshot stays through a reset and later changes, until it is deleted', async () => {
  const mock = createMock();
  await send(mock, 'PUT /_mock/snapshots/a', 'PUT /_mock/snapshots/b', 'POST /_mock/reset');
  expect(await (await send(mock, 'GET /_mock/snapshots')).json()).toEqual(['a', 'b']);
  expect((await send(mock, 'DELETE /_mock/snapshots/a')).status).toBe(204);
  expect(await (await send(mock, 'GET /_mock/snapshots')).json()).toEqual(['b']);
});

test('a world has at most 20 snapshots', async () => {
  const mock = createMock();
  const names = Array.from({ length: 20 }, (_, index) => `PUT /_mock/snapshots/number-${index}`);
  expect((await send(mock, ...names)).status).toBe(204);
  const refused = await send(mock, 'PUT /_mock/snapshots/another');
  const error = 'snapshots: expected at most 20 in one world, got one more; delete one first';
  expect([refused.status, ...(await readErrors(refused))]).toEqual([429, error]);
  expect((await send(mock, 'PUT /_mock/snapshots/number-7')).status).toBe(204);
});

test.each(['POST …/restore', 'DELETE …'])('%s refuses an unknown name', async (form) => {
  const answer = await send(createMock(), form.replace('…', '/_mock/snapshots/unknown'));
  const error = 'name: expected the name of a snapshot that was saved, got "unknown"';
  expect([answer.status, ...(await readErrors(answer))]).toEqual([404, error]);
});
