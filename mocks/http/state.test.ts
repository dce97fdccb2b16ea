import { expect, test } from 'vitest';
import { streamedResponse, toResponse } from '../messages/response.ts';
import { createMock, type Mock } from '../mock.ts';
import { stateType } from '../service/state-lines.ts';
import { stateText, testKey, testRequest } from './request.test-support.ts';

function exported(mock: Mock): Promise<Response> {
  return mock.fetch(testRequest('GET /_mock/state'));
}

test('a large world is exported, imported into another mock and exported as the same bytes', async () => {
  const from = createMock({ world: 'crowded', streams: 4_000 });
  const to = createMock();
  const text = await (await exported(from)).text();
  expect(text.length).toBeGreaterThan(3_500_000);
  const body = (await exported(from)).body ?? '';
  expect((await to.fetch(testRequest('PUT /_mock/state', { body }))).status).toBe(204);
  const again = await exported(to);
  expect(again.headers.get('content-type')).toBe(stateType);
  expect((await again.text()) === text).toBe(true);
});

test('what changes while a state is sent is not in it, and is answered meanwhile', async () => {
  const mock = createMock({ world: 'crowded', streams: 5_000 });
  const world = await mock.world(testKey);
  const before = stateText(world.exportState());
  const answer = await exported(mock);
  const whole = answer.text();
  const created = mock.fetch(testRequest('POST /api/stream', { body: '{"name":"new"}' }));
  expect(await Promise.race([whole.then(() => 'state'), created.then(() => 'stream')])).toBe(
    'stream',
  );
  expect((await created).status).toBe(201);
  expect((await whole) === before).toBe(true);
  expect(world.streams()).toHaveLength(5_001);
});

test('a client that goes away has no more of a state written', async () => {
  let written = 0;
  function* count(): Generator<string, undefined> {
    for (;;) yield String(++written).padEnd(300_000);
  }
  const reader = toResponse(streamedResponse(200, 'text/plain', count())).body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(300_000);
  expect((await reader?.read())?.value).toHaveLength(300_000);
  await reader?.cancel();
  expect(written).toBe(3);
});
