import { expect, test } from 'vitest';
import { createRecorder } from './recorded-responses.ts';

const url = 'http://service.test/stream';

test('responses are given again in their order, without those that asked to wait', async () => {
  const statuses = [201, 429, 503, 200];
  const recorder = createRecorder();
  const send = recorder.listen(async () => {
    const status = statuses.shift() ?? 500;
    const headers = status === 503 ? { 'retry-after': '1' } : {};
    return new Response(`body of ${status}`, { status, headers });
  });
  recorder.record();
  for (let sent = 0; sent < 4; sent++) await (await send(url, {})).text();
  const again = recorder.end()();
  const bodies = [await again(url, {}), await again(url, {}), await again(url, {})];
  expect(await Promise.all(bodies.map((response) => response.text()))).toEqual([
    'body of 201',
    'body of 200',
    'body of 200',
  ]);
});
