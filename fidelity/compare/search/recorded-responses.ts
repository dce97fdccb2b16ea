import type { SendTo } from '../../../conformance/target/exchange.ts';
import { asksToWait } from '../../../conformance/target/target.ts';

/** A recorded response. */
interface Recorded {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: Uint8Array[];
  /** Whether the whole body came. */
  isComplete: boolean;
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
  /**
   * Ends keeping. Returns a function that gives each complete response again, in order; it rejects a
   * request that was not recorded.
   */
  end(): () => SendTo;
}

function keepIn(kept: Recorded): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      kept.chunks.push(chunk);
      controller.enqueue(chunk);
    },
    flush() {
      kept.isComplete = true;
    },
  });
}

function replay(all: readonly Recorded[]): SendTo {
  const left = all.filter(({ isComplete }) => isComplete);
  return async (url, { method = 'GET' }) => {
    // A request that had no response is not sent again, nor what was sent for it alone.
    const index = left.findIndex(({ request }) => request === `${method} ${url}`);
    const found = left.splice(0, index + 1).at(-1);
    if (found === undefined) throw new TypeError('nothing was recorded for this request');
    const { status, headers, chunks } = found;
    return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status, headers });
  };
}

export function createRecorder(): ResponseRecorder {
  let kept: Recorded[] = [];
  let isRecording = false;
  return {
    listen: (send) => async (url, init) => {
      const response = await send(url, init);
      if (!isRecording || asksToWait(response)) return response;
      const { status, headers, body } = response;
      const request = `${init.method ?? 'GET'} ${url}`;
      const recorded = { request, status, headers, chunks: [], isComplete: body === null };
      kept.push(recorded);
      if (body === null) return response;
      return new Response(body.pipeThrough(keepIn(recorded)), { status, headers });
    },
    record() {
      kept = [];
      isRecording = true;
    },
    forgetLast: () => void kept.pop(),
    end() {
      isRecording = false;
      const all = kept;
      return () => replay(all);
    },
  };
}
