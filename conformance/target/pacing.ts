import type { TargetResponse } from './exchange.ts';
import { NoResponse } from './failure.ts';

/**
 * Sends a request again after the pauses that the target asks for.
 * @param where names the request in messages
 * @param timeout milliseconds within which one response must be complete
 * @throws NoResponse if the target keeps asking to wait, and what `send` throws.
 */
export async function sendPaced(
  where: string,
  timeout: number,
  send: () => Promise<TargetResponse>,
): Promise<TargetResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await send();
    const asked = pauseAsked(response);
    if (asked === undefined) return response;
    if (attempt === maxAttempts) {
      throw new NoResponse(
        `${where}: expected a response, was asked to wait ${attempt} times (status ${response.status})`,
        String(response.status),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(asked, timeout)));
  }
}

const maxAttempts = 4;

/** Milliseconds that the target asks to wait: rate limits are left open (interface 8). */
function pauseAsked({ status, headers }: TargetResponse): number | undefined {
  const after = headers.get('retry-after');
  if (status !== 429 && (status !== 503 || after === null)) return undefined;
  const seconds = Number(after ?? 1);
  return Number.isFinite(seconds) ? Math.max(0.02, seconds) * 1000 : 1_000;
}
