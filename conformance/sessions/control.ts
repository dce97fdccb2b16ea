import { exchange } from '../target/exchange.ts';
import { fail, type JsonObject, readObject } from '../target/expectations.ts';
import { asPrecondition } from '../target/failure.ts';
import { sendPaced } from '../target/pacing.ts';
import { pathSegment, type Target } from '../target/target.ts';
import type { Encoder } from './provider.ts';

/** The statuses of a success. */
const statuses = { start: 201, stop: 200 } as const;
type Verb = keyof typeof statuses;

/**
 * Goes live through the target's control API, which gets the key only if it has the origin of the
 * base address.
 * @param unstoppable the target for requests that end a live session, also after an interruption
 */
export function controlProvider(
  target: Target,
  controlUrl: string,
  unstoppable: Target = target,
): Encoder {
  target.gate.addControl(controlUrl);
  const sameOrigin = new URL(controlUrl).origin === new URL(target.baseUrl).origin;
  const send = async (id: string, verb: Verb, duration?: number): Promise<JsonObject> => {
    const body = duration && new TextEncoder().encode(JSON.stringify({ duration }));
    const streams = `${controlUrl.replace(/\/+$/, '')}/streams`;
    // Without an id, what goes wrong with several streams is one reason.
    const shown = `${streams}/{id}/${verb}`;
    const init = {
      method: 'POST',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(sameOrigin && { authorization: `Bearer ${target.apiKey}` }),
      },
      ...(body && { body }),
    };
    // A real encoder takes as long as the session lasts.
    const timeout = target.timeout + (duration ?? 0) * 1000;
    const bounds = { timeout, limit: 1024 * 1024, note: () => {}, shown };
    const from = verb === 'stop' ? unstoppable : target;
    const response = await sendPaced(`POST ${shown}`, target.timeout, () =>
      exchange(from, `${streams}/${pathSegment(id)}/${verb}`, init, bounds),
    );
    if (response.status === statuses[verb]) return readObject(response);
    const withheld = sameOrigin ? '' : ' (without the API key, as it has another origin)';
    return fail(
      `POST ${shown}: expected status ${statuses[verb]}, got ${response.status}${withheld}`,
      response,
    );
  };
  const command = (...request: Parameters<typeof send>): Promise<JsonObject> =>
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
