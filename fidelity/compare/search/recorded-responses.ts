import type { Send } from '../../../conformance/target/exchange.ts';

/** A recorded response. */
interface Recorded {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ArrayBuffer;
}

/** What a target responded in one sequence, to be played to other mocks without asking it again. */
export interface ResponseRecorder {
  /** Sends requests to the target; its responses are kept from `record` on. */
  readonly send: Send;
  /** Forgets what was kept, and keeps what comes. */
  record(): void;
  /** Forgets the last response: the request is sent again. */
  forgetLast(): void;
  /** Ends keeping. Resolves to a function that gives each response again, in order, and then the last. */
  end(): () => Send;
}

export function recordResponses(send: Send): ResponseRecorder {
  let kept: Recorded[] | undefined;
  return {
    async send(request) {
      const response = await send(request);
      if (kept === undefined) return response;
      const copy = response.clone();
      const { status, headers } = copy;
      kept.push({ status, headers, body: await copy.arrayBuffer() });
      return response;
    },
    record() {
      kept = [];
    },
    forgetLast: () => void kept?.pop(),
    end() {
      const all = kept ?? [];
      kept = undefined;
      return () => {
        let next = 0;
        return async () => {
          const found = all[Math.min(next++, all.length - 1)];
          if (found === undefined) throw new TypeError('nothing was recorded');
          const { status, headers, body } = found;
          const hasBody = body.byteLength > 0 && ![204, 205, 304].includes(status);
          return new Response(hasBody ? body : null, { status, headers });
        };
      };
    },
  };
}
