import { expect, test, vi } from 'vitest';
import { createMock } from '../mock.ts';
import { clientOf } from './dialect.test-support.ts';
import { testKey, testRequest } from './request.test-support.ts';

/** A mock whose clock stands still, with a stream, and a client that sends JSON. */
async function mockWithStream() {
  const mock = createMock();
  const world = await mock.world(testKey);
  const { id } = await world.createStream({ name: 'Harbour camera' });
  const send = (line: string, body: object) =>
    mock.fetch(testRequest(line, { body: JSON.stringify(body) }));
  const untilDelayed = () => vi.waitFor(() => expect(world.faults[0]?.matched).toBe(1));
  return { world, id, send, untilDelayed };
}

test('a delayed write keeps what another one changed meanwhile', async () => {
  const { world, id, send, untilDelayed } = await mockWithStream();
  world.addFault({ effect: 'delay', operation: 'setRecord', delay: 1000, times: 1 });
  const delayed = send(`PATCH /api/stream/${id}/record`, { record: true });
  await untilDelayed();
  const renamed = await send(`PATCH /api/stream/${id}`, { name: 'Garden camera' });
  expect(renamed.status).toBe(204);
  world.clock.advance(1000);
  expect((await delayed).status).toBe(204);
  expect(world.streams()).toMatchObject([{ id, name: 'Garden camera', record: true }]);
});

test('a delayed write finds no stream that was deleted meanwhile', async () => {
  const { world, id, send, untilDelayed } = await mockWithStream();
  world.addFault({ effect: 'delay', operation: 'updateStream', delay: 1000, times: 1 });
  const delayed = send(`PATCH /api/stream/${id}`, { name: 'Garden camera' });
  await untilDelayed();
  await world.deleteStream(id);
  world.clock.advance(1000);
  expect((await delayed).status).toBe(404);
  expect(world.streams()).toEqual([]);
});

test('a dialect that looks up the stream before the body writes what is there once the body has come', async () => {
  const { mock, world } = await clientOf({
    orders: { updateStream: ['key', 'no-key', 'id', 'body', 'fields', 'state'] },
  });
  const { id } = await world.createStream({ name: 'Harbour camera' });
  const body = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = body.writable.getWriter();
  const slow = mock.fetch(testRequest(`PATCH /api/stream/${id}`, { body: body.readable }));
  await writer.write(new TextEncoder().encode('{"name":'));
  await world.setRecord(id, true);
  await writer.write(new TextEncoder().encode('"Garden camera"}'));
  await writer.close();
  expect((await slow).status).toBe(204);
  expect(world.streams()).toMatchObject([{ id, name: 'Garden camera', record: true }]);
});
