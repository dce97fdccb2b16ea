import { expect, test } from 'vitest';
import { callTarget } from '../requests/call.ts';
import { readTarget } from '../requests/target.ts';
import { type Caller, setOwnRecord } from './stream-requests.ts';

test('a refusal to switch recording blocks the check', async () => {
  const { call, calls } = answering(400);
  await expect(setOwnRecord(call, 's', true, 0)).rejects.toThrow(
    /^switching recording to true: expected a status from 200 to 299, got 400; see RECORD-1/,
  );
  expect(calls()).toBe(1);
});

test('recording is switched once the session that prevented it has ended', async () => {
  const { call, calls } = answering(409, 409, 204);
  expect(await setOwnRecord(call, 's', true, 60_000)).toMatchObject({ status: 204 });
  expect(calls()).toBe(3);
});

test('if the session never ends, the message says to raise --patience', async () => {
  const { call } = answering(409);
  await expect(setOwnRecord(call, 's', false, 30)).rejects.toThrow(
    /got 409; if its session ends late, raise --patience/,
  );
});

/** Responds to each request with the next status, and to all later ones with the last. */
function answering(...statuses: readonly number[]) {
  let calls = 0;
  const send = async (): Promise<Response> => {
    const status = statuses[Math.min(calls, statuses.length - 1)] ?? 500;
    calls += 1;
    return new Response(null, { status });
  };
  const target = readTarget({ baseUrl: 'http://a.test', apiKey: 'test-switch', send });
  target.gate.addMadeUp('s');
  const call: Caller = (request) => callTarget(target, request);
  return { call, calls: () => calls };
}
