import { clientOperationNames } from '../../../interface/operation-names.ts';
import type { PlainResponse } from '../../messages/response.ts';
import { openBody, replaceBody } from './body.ts';
import type { Effect, RequestFault } from './effect.ts';
import { brokenConnection } from './reset.ts';

/** The request is carried out, and its response breaks off halfway. */
export type TruncateFault = RequestFault<'truncate'>;

export const truncate: Effect<TruncateFault> = {
  summary: 'The request is carried out, and its response breaks off halfway.',
  sentence: (_, target) => `Cut off the response to ${target}`,
  operations: clientOperationNames,
  fields: {},
  needsBody: true,
  sends: 'partial',
  respond: async (_, { carryOut }) => breakOff(await carryOut()),
};

/** Sends the first half of the body, then an error. An empty response resets the connection. */
export function breakOff(whole: PlainResponse): PlainResponse {
  const { read, cancel, length } = openBody(whole);
  if (length === 0) return brokenConnection;
  const half = Math.ceil(length / 2);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = sent < half ? await read() : undefined;
        if (piece === undefined) {
          controller.error(new TypeError('The body was cut off by a fault.'));
          return cancel();
        }
        const part = piece.subarray(0, half - sent);
        sent += part.length;
        controller.enqueue(part);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { ...replaceBody(whole, body, length), breaksOff: true };
}
