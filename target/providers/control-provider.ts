import { show } from '../../text/phrases.ts';
import { pathSegment, sendPaced } from '../requests/call.ts';
import { exchange } from '../requests/exchange.ts';
import { asPrecondition, Blocked, fail } from '../requests/failure.ts';
import { isSuccess, readObject } from '../requests/read-response.ts';
import type { Target } from '../requests/target.ts';
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
  target.extraHeaders.addOrigin(controlUrl);
  const sameOrigin = new URL(controlUrl).origin === new URL(target.baseUrl).origin;
  /** The stream that went live instead of one of the run; then nothing goes live any more. */
  let other: string | undefined;
  const expectNoOther = (): void => {
    if (other === undefined) return;
    throw new Blocked(
      `the control API (--control-url) is not used any more, as it started ${other} instead of the stream that it was asked for`,
    );
  };
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
    const bounds = { timeout, limit: 1024 * 1024, label, isAddressShown: true };
    const from = verb === 'stop' ? cleanUpTarget : target;
    const response = await sendPaced(from, `POST ${label}`, () =>
      exchange(from, `${streams}/${pathSegment(id)}/${verb}`, init, bounds),
    );
    if (isSuccess(response)) {
      const session = readObject(response);
      const { parentId } = session;
      if (verb === 'start' && isOther(parentId, id)) other ??= `stream ${show(parentId)}`;
      return session;
    }
    const withheld = sameOrigin ? '' : ' (sent without the API key, as the origin differs)';
    return fail(
      `POST ${label}: expected a status from 200 to 299, got ${response.status}${withheld}`,
      response,
    );
  };
  const command = async (...request: Parameters<typeof send>) => {
    const [, verb] = request;
    if (verb === 'start') expectNoOther();
    const going = 'going live through the control API (--control-url)';
    const session = await asPrecondition(going, () => send(...request));
    if (verb === 'start') expectNoOther();
    return session;
  };
  return {
    name: 'control',
    broadcast: ({ id }, seconds) => command(id, 'start', seconds),
    async goLive({ id }) {
      await command(id, 'start');
      return async () => void (await command(id, 'stop'));
    },
  };
}

/** Whether a new session names another stream than the one that was to go live; a server may ignore letter case. */
function isOther(parentId: unknown, id: string): boolean {
  const isId = typeof parentId === 'string' || typeof parentId === 'number';
  return isId && String(parentId).toLowerCase() !== id.toLowerCase();
}
