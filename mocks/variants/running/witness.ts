import { createApp, prepareApp, type Responder } from '../../http/app.ts';
import type { Notes, Witness } from '../../http/arrival.ts';
import type { ServiceParts } from '../../http/service.ts';
import type { VariantEvidence } from '../../journal/evidence.ts';
import {
  type ClientRequest,
  clientRequestOf,
  noteClientRequest,
  type Rewrite,
} from '../../messages/client-request.ts';
import { momentOfWorld, type WorldMoment } from '../../service/copy-world.ts';
import type { WorldSettings } from '../../service/world.ts';
import type { Worlds } from '../../stores/open-worlds.ts';
import { copyWorlds } from './copied-worlds.ts';

/** A mock that differs from a plain one: its settings, and what changes its responses. */
export interface Variation {
  readonly settings: WorldSettings;
  readonly rewrite: Rewrite;
}

interface WitnessParts {
  /** The worlds of the mock that is watched. */
  readonly worlds: Worlds;
  /** Their settings. */
  readonly settings: WorldSettings;
  readonly parts: Omit<ServiceParts, 'store' | 'settings'>;
  /** The mock that is watched. */
  readonly whole: Variation;
  /** The same mock without one of its variants, for each of them, or without its dialect. */
  readonly without: readonly (Variation & { readonly name: string })[];
}

/**
 * Finds out which variants change a response, or whether a dialect does: the mock answers the same request once more, with
 * all of its variants and without each of them, on copies of the worlds as they were before. A variant that others hide has
 * not changed anything.
 */
export function createWitness({ worlds, settings: copied, parts, whole, without }: WitnessParts) {
  const changed = Object.fromEntries(without.map(({ name }) => [name, 0]));
  let compared = 0;
  const trying = ({ settings, rewrite }: Variation) => {
    const answer = answering(rewrite);
    const prepared = prepareApp(parts.prefix, settings);
    return (request: Request, moments: readonly WorldMoment[], at: number) => {
      // Whoever runs the mock learns only of what clients see.
      const frozen = { ...settings, time: { now: () => at }, operator: {} };
      const copies = copyWorlds(moments, { settings: frozen, copied });
      const respond = createApp({ ...parts, settings: frozen, worlds: copies }, prepared);
      return answer(request.clone(), respond, settings);
    };
  };
  const tryWhole = trying(whole);
  const tryWithout = without.map((variation) => ({
    name: variation.name,
    tryIt: trying(variation),
  }));
  const watch: Witness = (request) => {
    const copy = request.clone();
    const moments = worlds.opened().map(momentOfWorld);
    const at = whole.settings.time.now();
    return async ({ fault }: Notes) => {
      // A fault has decided about the response, and the client does not see what a variant does.
      if (fault !== undefined) return;
      compared += 1;
      const seen = await tryWhole(copy, moments, at);
      for (const { name, tryIt } of tryWithout) {
        const differs = (await tryIt(copy, moments, at)) !== seen;
        if (differs) changed[name] = (changed[name] ?? 0) + 1;
      }
    };
  };
  const readCounts = (): Omit<VariantEvidence, 'variant'> => ({
    compared,
    changed: { ...changed },
  });
  return { watch, readCounts };
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
    const response = await fetch(request);
    return JSON.stringify([waited, await describe(response)]);
  };
}

/** Everything in a response that a client can tell apart, except the bytes of media. */
async function describe(response: Response): Promise<unknown> {
  const { status, headers, body } = response;
  const isText = /json|text|mpegurl/.test(headers.get('content-type') ?? '');
  if (!isText) await body?.cancel();
  const text = isText ? await response.text() : '';
  return [status, [...headers].sort(), text];
}
