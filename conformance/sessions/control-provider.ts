import { pathSegment, sendPaced } from '../target/call.ts';
import { exchange } from '../target/exchange.ts';
import { asPrecondition, fail } from '../target/failure.ts';
import { isSuccess, readObject } from '../target/read-response.ts';
import type { Target } from '../target/target.ts';
import type { Encoder } from './provider.ts';

/**
 * Goes live through the target's control API. The key is sent only if the control API has the same
 * origin as the base URL.
 * @param cleanUpTarget the target for requests that end a live session, even after an interruption
 */
export function controlProvider(
  target: Target,
  controlUrl: string,
  cleanUpTarget: Target = target,
): Encoder {
  target.gate.addControl(controlUrl);
  const sameOrigin = new URL(controlUrl).origin === new URL(target.baseUrl).origin;
  const send = async (id: string, verb: 'start' | 'stop', duration?: number) => {
    const body = duration && new TextEncoder().encode(JSON.stringify({ duration }));
    const streams = `${controlUrl.replace(/\/+$/, '')}/streams`;
    // Without an id, so that the same error with several streams has one message.
    const label = `${streams}/{id}/${verb}`;
    const init = {
      method: 'POST',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(sameOrigin && { authorization: `Bearer ${target.apiKey}` }),
      },
      ...(body && { body }),
    };
    // The response may come when the session ends.
    const timeout = target.timeout + (duration ?? 0) * 1000;
    const bounds = { timeout, limit: 1024 * 1024, label };
    const from = verb === 'stop' ? cleanUpTarget : target;
    const response = await sendPaced(from, `POST ${label}`, () =>
      exchange(from, `${streams}/${pathSegment(id)}/${verb}`, init, bounds),
    );
    if (isSuccess(response)) return readObject(response);
    const withheld = sameOrigin ? '' : ' (sent without the API key, as the origin differs)';
    return fail(
      `POST ${label}: expected a status from 200 to 299, got ${response.status}${withheld}`,
      response,
    );
  };
  const command = (...request: Parameters<typeof send>) =>
    asPrecondition('going live through the control API (--control-url)', () => send(...request));
  return {
    name: 'control',
    broadcast: ({ id }, seconds) => command(id, 'start', seconds),
    async goLive({ id }) {
      await command(id, 'start');
      return async () => void (await command(id, 'stop'));
    },
  };
}
