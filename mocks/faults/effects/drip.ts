import { clientOperationNames } from '../../../interface/operation-names.ts';
import type { PlainResponse } from '../../messages/response.ts';
import type { AdjustableClock } from '../../state/clock.ts';
import { openBody, replaceBody } from './body.ts';
import { type BodyOperation, type Effect, type RequestFault, withBody } from './effect.ts';

/** The request is carried out, and its response is sent slowly. */
export interface DripFault extends RequestFault<'drip', BodyOperation> {
  bytesPerSecond: number;
}

export const drip: Effect<DripFault> = {
  summary: 'The request is carried out, and its response is sent slowly.',
  sentence: ({ bytesPerSecond }, target) => `Send ${target} at ${bytesPerSecond} bytes a second`,
  operations: withBody(clientOperationNames),
  fields: {
    bytesPerSecond: {
      label: 'Bytes a second',
      kind: 'integer',
      what: 'a whole number of bytes',
      from: 1,
      to: 1_000_000_000,
      required: true,
      initial: '1000',
    },
  },
  needsBody: true,
  sends: 'slow',
  respond: async ({ bytesPerSecond }, { carryOut, clock }) =>
    slowDown(await carryOut(), bytesPerSecond, clock),
};

/** Sends the same bytes at so many in a second of the clock. */
export function slowDown(
  whole: PlainResponse,
  bytesPerSecond: number,
  clock: AdjustableClock,
): PlainResponse {
  const { read, cancel, length } = openBody(whole);
  if (length === 0) return whole;
  const gone = new AbortController();
  const allow = createAllowance(bytesPerSecond, clock, gone.signal);
  let rest: Uint8Array = new Uint8Array(0);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (rest.length === 0) rest = (await read()) ?? rest;
        if (rest.length === 0) return controller.close();
        const count = await allow(rest.length);
        if (gone.signal.aborted) return;
        controller.enqueue(rest.subarray(0, count));
        rest = rest.subarray(count);
      },
      cancel() {
        gone.abort();
        return cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return replaceBody(whole, body, length);
}

/** The shortest pause between two pieces of a body, in milliseconds. */
const shortestPause = 100;

/** Waits until the clock allows at least one byte more; returns how many, at most `most`. */
function createAllowance(
  bytesPerSecond: number,
  clock: AdjustableClock,
  gone: AbortSignal,
): (most: number) => Promise<number> {
  const pause = Math.max(shortestPause, Math.ceil(1000 / bytesPerSecond));
  let lastTime = clock.now();
  let allowed = 0;
  const wait = async (): Promise<void> => {
    // A clock that has reached its end stands still, and would never allow another byte.
    if (clock.hasEnded()) allowed = Number.POSITIVE_INFINITY;
    lastTime = Math.min(lastTime, clock.now()); // the clock may have been set back
    await clock.waitUntil(lastTime + pause, gone);
    const now = clock.now();
    allowed += (Math.max(0, now - lastTime) * bytesPerSecond) / 1000;
    lastTime = now;
  };
  return async (most) => {
    while (allowed < 1 && !gone.aborted) await wait();
    const count = Math.min(most, Math.floor(allowed));
    allowed -= count;
    return count;
  };
}
