import { createApp, type Responder } from '../http/app.ts';
import type { Notes, Witness } from '../http/arrival.ts';
import type { ServiceParts } from '../http/service.ts';
import type { VariantEvidence } from '../journal/evidence.ts';
import {
  type ClientRequest,
  clientRequestOf,
  noteClientRequest,
  type Rewrite,
} from '../messages/client-request.ts';
import { momentOfWorld, type WorldMoment } from '../service/copy-world.ts';
import type { WorldSettings } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import { copyWorlds } from './copied-worlds.ts';
import type { VariantName } from './variants.ts';

/** A variant alone, as it is compared with a plain mock. */
interface Suspect {
  readonly name: VariantName;
  readonly settings: WorldSettings;
  readonly rewrite: Rewrite;
}

interface WitnessParts {
  /** The worlds of the mock that is watched. */
  readonly worlds: Worlds;
  /** The forms of their ids. */
  readonly copiedForms: WorldSettings['idForms'];
  /** What a plain mock is made from. */
  readonly parts: Omit<ServiceParts, 'store'>;
  readonly variants: readonly Suspect[];
}

/**
 * Finds out which variants would have changed a response: each of them, and a plain mock, answer the same request on a
 * copy of the worlds as they were before it.
 */
export function createWitness({ worlds, copiedForms, parts, variants }: WitnessParts) {
  const changed = Object.fromEntries(variants.map(({ name }) => [name, 0]));
  let compared = 0;
  const respondAlone = (ofVariant: WorldSettings, moments: readonly WorldMoment[], at: number) => {
    const settings = { ...ofVariant, time: { now: () => at } };
    return createApp({
      ...parts,
      settings,
      worlds: copyWorlds(moments, { settings, copiedForms }),
    });
  };
  const suspects = variants.map((variant) => ({ ...variant, respond: answering(variant.rewrite) }));
  const watch: Witness = (request) => {
    const copy = request.clone();
    const moments = worlds.opened().map(momentOfWorld);
    const at = parts.settings.time.now();
    return async ({ fault }: Notes) => {
      // A fault has decided about the response, and the client does not see what a variant does.
      if (fault !== undefined) return;
      compared += 1;
      const plain = await describe(await respondAlone(parts.settings, moments, at)(copy.clone()));
      for (const { name, settings, respond } of suspects) {
        const result = await respond(copy.clone(), respondAlone(settings, moments, at), settings);
        const differs = result.waited || (await describe(result.response)) !== plain;
        if (differs) changed[name] = (changed[name] ?? 0) + 1;
      }
    };
  };
  const readEvidence = (): VariantEvidence => ({
    variant: variants.map(({ name }) => name).join('+'),
    compared,
    changed: { ...changed },
  });
  return { watch, readEvidence };
}

/** Lets a variant change the responses of many services in turn, since it may count requests. */
function answering(rewrite: Rewrite) {
  const responders = new WeakMap<ClientRequest, Responder>();
  const fetch = rewrite(async (request) => {
    const known = clientRequestOf(request);
    const respond = known && responders.get(known);
    if (respond === undefined) throw new Error('expected a request that a variant has derived');
    return respond(request);
  });
  return async (request: Request, respond: Responder, { time }: WorldSettings) => {
    let waited = false;
    const known: ClientRequest = {
      now: () => Math.round(time.now()),
      async wait() {
        waited = time.alarm !== undefined;
      },
    };
    responders.set(known, respond);
    noteClientRequest(request, known);
    return { response: await fetch(request), waited };
  };
}

/** Everything in a response that a client can tell apart, except the bytes of media. */
async function describe(response: Response): Promise<string> {
  const { status, headers, body } = response;
  const isText = /json|text|mpegurl/.test(headers.get('content-type') ?? '');
  if (!isText) await body?.cancel();
  const text = isText ? await response.text() : '';
  return JSON.stringify([status, [...headers].sort(), text]);
}
