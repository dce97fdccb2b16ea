import { createApp, prepareApp, type Responder } from '../../http/app.ts';
import { type Notes, notesOf, type Witness } from '../../http/arrival.ts';
import type { ServiceParts } from '../../http/service.ts';
import type { VariantEvidence } from '../../journal/evidence.ts';
import {
  type ClientRequest,
  clientRequestOf,
  noteClientRequest,
  type Rewrite,
} from '../../messages/client-request.ts';
import { momentOfWorld, type WorldMoment } from '../../service/copy-world.ts';
import type { OpenWorld, WorldSettings } from '../../service/world.ts';
import type { Worlds } from '../../stores/open-worlds.ts';
import type { Variant } from '../variant.ts';
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
  readonly without: readonly (Variation & {
    readonly name: string;
    /** Which part of a response has to differ. By default, any. */
    readonly shownBy?: Variant['shownBy'];
  })[];
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
      // Whoever runs the mock learns only of what clients see, and nobody but this reads what is noted of a request.
      const operator = { logsRequests: true };
      const frozen = { ...settings, time: { now: () => at }, operator };
      const copies = copyWorlds(moments, { settings: frozen, copied });
      const respond = createApp({ ...parts, settings: frozen, worlds: copies }, prepared);
      return answer(request.clone(), respond, settings);
    };
  };
  const tryWhole = trying(whole);
  const tryWithout = without.map((variation) => ({
    name: variation.name,
    partOf: partsOf[variation.shownBy ?? 'anything'],
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
      for (const { name, partOf, tryIt } of tryWithout) {
        const differs = partOf(await tryIt(copy, moments, at)) !== partOf(seen);
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
  const clocks = new WeakMap<ClientRequest, OpenWorld['clock']>();
  const fetch = rewrite(async (request) => {
    const known = clientRequestOf(request);
    const respond = known && responders.get(known);
    if (known === undefined || respond === undefined) {
      throw new Error('expected a request that a variant has derived');
    }
    const response = await respond(request);
    const world = notesOf(request)?.world;
    if (world !== undefined) clocks.set(known, world.clock);
    return response;
  });
  return async (request: Request, respond: Responder, { time }: WorldSettings) => {
    let waited = false;
    const known: ClientRequest = {
      now: () => clocks.get(known)?.now() ?? Math.round(time.now()),
      async wait() {
        waited = time.alarm !== undefined;
      },
    };
    responders.set(known, respond);
    noteClientRequest(request, known);
    const seen = await describe(await fetch(request));
    return { waited, ...seen };
  };
}

/** Everything that a client can tell apart about a response, except the bytes of media. */
interface Seen extends Awaited<ReturnType<typeof describe>> {
  readonly waited: boolean;
}

/** The parts of a response that can have to differ, as texts. */
const partsOf: Readonly<
  Record<'anything' | NonNullable<Variant['shownBy']>, (seen: Seen) => string>
> = {
  anything: (seen) => JSON.stringify(seen),
  status: ({ status }) => String(status),
  body: ({ text }) => text,
};

async function describe(response: Response) {
  const { status, headers, body } = response;
  const isText = /json|text|mpegurl/.test(headers.get('content-type') ?? '');
  if (!isText) await body?.cancel();
  const text = isText ? await response.text() : '';
  return { status, headers: [...headers].sort(), text };
}
