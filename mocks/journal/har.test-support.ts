import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { HttpArchive } from './har.ts';

/** The name that a stream of {@link archiveOfEveryKind} gets. */
export const archivedName = 'Hafenkamera Öst';

/** The archive of a mock that responded in every way: with a body, without one, with media, with an error, or not at all. */
export async function archiveOfEveryKind(): Promise<HttpArchive> {
  const mock = createMock({
    recordingDelay: 0,
    dialect: { dialect: 3, behaviours: { 'create.location': 'present' } },
  });
  const world = await mock.world(testKey);
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { mp4URL = '' } = await world.start(id, { duration: 4 });
  const send = async (request: Request) => (await mock.fetch(request)).text();
  const body = JSON.stringify({ name: archivedName });
  await send(testRequest('POST /api/stream?a=1&a=2', { body }));
  await send(testRequest(`PATCH /api/stream/${id}/record`, { body: '{"record":false}' }));
  await send(testRequest('HEAD /api/stream'));
  await send(new Request(mp4URL));
  await send(new Request(mp4URL, { headers: { range: 'bytes=0-99' } }));
  await send(testRequest('POST /api/stream', { body: new Uint8Array([0xff]), type: null }));
  await send(testRequest('POST /api/stream', { body, type: null }));
  const authorization = `Bearer ${testKey}`;
  await send(
    new Request(`http://${testKey}.test/api/stream?key=${testKey}`, { headers: { authorization } }),
  );
  world.addFault({ effect: 'reset' });
  await send(testRequest('GET /api/stream'));
  return await world.archive();
}
