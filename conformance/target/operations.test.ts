import { expect, test } from 'vitest';
import type { TargetResponse } from './exchange.ts';
import { setOwnRecord } from './operations.ts';

const live = '{"errors":["record: the stream is live"]}';

test('a refusal to switch recording blocks', async () => {
  const { call, calls } = answering([400, live]);
  await expect(setOwnRecord(call, 's', true, 0)).rejects.toThrow(
    /^switching recording to true: expected a status from 200 to 299, got 400; see RECORD-1/,
  );
  expect(calls()).toBe(1);
});

test('recording is switched when the session that prevented it has ended', async () => {
  const { call, calls } = answering([409, live], [409, live], [204, '']);
  expect(await setOwnRecord(call, 's', true, 60_000)).toMatchObject({ status: 204 });
  expect(calls()).toBe(3);
});

test('if the session never ends, the message says what to do', async () => {
  const { call } = answering([409, live]);
  await expect(setOwnRecord(call, 's', false, 30)).rejects.toThrow(
    /got 409; if its session ends late, raise --patience/,
  );
});

/** Responds to one request after the other, and to all further ones with the last response. */
function answering(...responses: readonly (readonly [status: number, text: string])[]) {
  let calls = 0;
  const call = async (): Promise<TargetResponse> => {
    const [status, text] = responses[Math.min(calls, responses.length - 1)] ?? [500, ''];
    calls += 1;
    const where = { url: '', shown: '', foreign: false, sent: undefined };
    return {
      ...where,
      status,
      headers: new Headers(),
      bytes: new Uint8Array(0),
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  };
  return { call, calls: () => calls };
}
