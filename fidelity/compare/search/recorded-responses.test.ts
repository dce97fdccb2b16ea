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
  expect(await (await again(url, {})).text()).toBe('body of 201');
  expect(await (await again(url, {})).text()).toBe('body of 200');
  await expect(again(url, {})).rejects.toThrow('this was not recorded');
});

test('a response that broke off is none, and another request has none', async () => {
  const recorder = createRecorder();
  const send = recorder.listen(async (address) => {
    const breaksOff = new ReadableStream({ pull: (body) => body.error(new Error('closed')) });
    return new Response(address.endsWith('/odd') ? breaksOff : address);
  });
  recorder.record();
  for (const path of ['/odd', '/one', '/two']) {
    await (await send(url + path, {})).text().catch(() => {});
  }
  const again = recorder.end()();
  await expect(again(`${url}/odd`, {})).rejects.toThrow('no response was recorded');
  expect(await (await again(`${url}/one`, {})).text()).toBe(`${url}/one`);
  await expect(again(`${url}/three`, {})).rejects.toThrow('this was not recorded');
});
