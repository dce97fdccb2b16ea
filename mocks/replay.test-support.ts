import { testRequest } from './http/request.test-support.ts';
import type { Mock } from './mock.ts';

/** What a client sees of a response. */
export interface SeenResponse {
  readonly line: string;
  readonly status: number;
  readonly body: string;
}

/** Sends requests with a key, and collects the responses. */
function createClient({ fetch }: Mock, apiKey: string) {
  const responses: SeenResponse[] = [];
  const authorization = `Bearer ${apiKey}`;
  const send = async (line: string, body?: object): Promise<SeenResponse> => {
    const parts = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(testRequest(line, { authorization, ...parts }));
    const seen = { line, status: response.status, body: await response.text() };
    responses.push(seen);
    return seen;
  };
  return { responses, send };
}

/** Sends the first requests: afterwards a stream is live, and there are faults. */
export async function sendFirst(mock: Mock, apiKey: string): Promise<void> {
  const { send } = createClient(mock, apiKey);
  const { id } = JSON.parse((await send('POST /api/stream', { name: 'Quay', record: true })).body);
  await send(`POST /_mock/streams/${id}/start`);
  await send('POST /_mock/clock', { advance: '21s' });
  const refusal = { effect: 'status', status: 503, operation: 'createStream' };
  await send('POST /_mock/faults', { ...refusal, probability: 0.5 });
  await send('POST /_mock/faults', { effect: 'recording-failed', times: 2 });
  for (const name of ['a', 'b', 'c']) await send('POST /api/stream', { name });
  await send('GET /api/nowhere');
}

/** Sends the rest of the requests, which read everything that a client can see. */
export async function sendRest(mock: Mock, apiKey: string): Promise<readonly SeenResponse[]> {
  const { responses, send } = createClient(mock, apiKey);
  const [live] = JSON.parse((await send('GET /api/session?record=1')).body);
  await send(`PATCH /api/stream/${live.parentId}/record`, { record: false });
  await send(`GET /hls/${live.playbackId}/index.m3u8`);
  await send(`POST /_mock/streams/${live.parentId}/stop`);
  for (const name of ['d', 'e', 'f', 'g', 'h', 'i']) {
    const created = await send('POST /api/stream', { name, record: true });
    if (created.status !== 201) continue;
    const { id } = JSON.parse(created.body);
    const started = await send(`POST /_mock/streams/${id}/start`, { duration: 90.5 });
    await send('POST /_mock/clock', { advance: '2s' });
    await send(`GET /recordings/${JSON.parse(started.body).id}/index.m3u8`);
  }
  await send(`DELETE /api/stream/${live.parentId}`);
  await send('GET /api/stream');
  await send('GET /api/session');
  await send('GET /_mock/faults');
  await send('GET /_mock/requests');
  await send('GET /_mock/state?journal=1');
  return responses;
}
