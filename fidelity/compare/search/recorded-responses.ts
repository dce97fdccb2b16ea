import type { SendTo } from '../../../conformance/target/exchange.ts';
import { asksToWait } from '../../../conformance/target/target.ts';

/** A recorded request, with its response. */
interface Recorded {
  readonly request: string;
  /** Absent where none came. */
  response?: Pick<Response, 'status' | 'headers'>;
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
   * Ends keeping. Returns a function that gives each response again, in order. It rejects where none
   * came, and for another request than the one that was recorded.
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
  let next = 0;
  return async (url, init) => {
    const found = all[next++];
    if (found?.request !== describe(url, init)) throw new TypeError('this was not recorded');
    const { response, chunks, isComplete } = found;
    if (response === undefined || !isComplete) throw new TypeError('no response was recorded');
    const { status, headers } = response;
    return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status, headers });
  };
}

function describe(url: string, { method = 'GET' }: RequestInit): string {
  return `${method} ${url}`;
}

export function createRecorder(): ResponseRecorder {
  let kept: Recorded[] = [];
  let isRecording = false;
  return {
    listen: (send) => async (url, init) => {
      if (!isRecording) return send(url, init);
      const recorded: Recorded = { request: describe(url, init), chunks: [], isComplete: false };
      kept.push(recorded);
      const response = await send(url, init);
      if (asksToWait(response)) {
        kept.splice(kept.indexOf(recorded), 1);
        return response;
      }
      const { status, headers, body } = response;
      recorded.response = { status, headers };
      recorded.isComplete = body === null;
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
