import type { SendTo } from '../../../conformance/target/exchange.ts';
import { asksToWait } from '../../../conformance/target/target.ts';

/** A recorded response. */
interface Recorded {
  readonly status: number;
  readonly headers: Headers;
  /** As much of the body as was read. */
  readonly chunks: Uint8Array[];
}

/** What a target responded in one sequence, to be played to other mocks without asking it again. */
export interface ResponseRecorder {
  /**
   * Sends requests as another function does. From `record` on the responses are kept, except those that
   * ask to wait: whoever plays them would wait again.
   */
  listen(send: SendTo): SendTo;
  /** Forgets what was kept, and keeps what comes. */
  record(): void;
  /** Forgets the last response: the request is sent again. */
  forgetLast(): void;
  /** Ends keeping. Returns a function that gives each response again, in order, and then the last. */
  end(): () => SendTo;
}

function keepIn(chunks: Uint8Array[]): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      chunks.push(chunk);
      controller.enqueue(chunk);
    },
  });
}

function replay(all: readonly Recorded[]): SendTo {
  let next = 0;
  return async () => {
    const found = all[Math.min(next++, all.length - 1)];
    if (found === undefined) throw new TypeError('nothing was recorded');
    const { status, headers, chunks } = found;
    return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status, headers });
  };
}

export function createRecorder(): ResponseRecorder {
  let kept: Recorded[] | undefined;
  return {
    listen: (send) => async (url, init) => {
      const response = await send(url, init);
      if (kept === undefined || asksToWait(response)) return response;
      const { status, headers, body } = response;
      const chunks: Uint8Array[] = [];
      kept.push({ status, headers, chunks });
      if (body === null) return response;
      return new Response(body.pipeThrough(keepIn(chunks)), { status, headers });
    },
    record() {
      kept = [];
    },
    forgetLast: () => void kept?.pop(),
    end() {
      const all = kept ?? [];
      kept = undefined;
      return () => replay(all);
    },
  };
}
