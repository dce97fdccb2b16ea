import { exchange } from '../target/exchange.ts';
import { type JsonObject, readObject } from '../target/expectations.ts';
import { Blocked, CheckFailure, NoResponse } from '../target/failure.ts';
import { pathSegment, sendPaced, type Target } from '../target/target.ts';
import type { Encoder } from './provider.ts';

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
  const command = async (
    id: string,
    verb: 'start' | 'stop',
    status: number,
    duration?: number,
  ): Promise<JsonObject> => {
    const body = duration === undefined ? undefined : JSON.stringify({ duration });
    const url = `${controlUrl.replace(/\/+$/, '')}/streams/${pathSegment(id)}/${verb}`;
    const init = {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(sameOrigin && { authorization: `Bearer ${target.apiKey}` }),
      },
      ...(body !== undefined && { body }),
    } as const;
    // A real encoder takes as long as the session lasts.
    const timeout = target.timeout + (duration ?? 0) * 1000;
    const bounds = { timeout, limit: 1024 * 1024, note: () => {} };
    const from = verb === 'stop' ? unstoppable : target;
    const where = `POST ${controlUrl}/streams/{id}/${verb}`;
    const response = await sendPaced(where, target.timeout, () =>
      exchange(from, url, init, bounds),
    );
    if (response.status !== status) {
      const withheld = sameOrigin ? '' : ' (without the API key, as it has another origin)';
      throw new CheckFailure(
        `${where}: expected status ${status}, got ${response.status}${withheld}`,
      );
    }
    return readObject(response);
  };
  return {
    name: 'control',
    broadcast: ({ id }, seconds) => asPrecondition(command(id, 'start', 201, seconds)),
    async goLive({ id }) {
      await asPrecondition(command(id, 'start', 201));
      return async () => {
        await asPrecondition(command(id, 'stop', 200));
      };
    },
  };
}

async function asPrecondition<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CheckFailure || error instanceof NoResponse)) throw error;
    throw new Blocked(`going live through the control API: ${error.message}`);
  }
}
