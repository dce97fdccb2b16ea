import { jsonResponse, type PlainResponse, plainResponse } from '../messages/response.ts';
import type { WorldState } from '../service/world.ts';
import { parseDuration } from '../state/duration.ts';
import type { Delay, EffectName, Fault, FaultOf } from './fault.ts';
import type { FaultTarget, MetFault } from './faults.ts';
import { breakOff, brokenConnection, slowDown, spoilJson, withoutEnd } from './spoiled-bodies.ts';

/** A request that a fault may meet. */
export interface Scene {
  readonly world: WorldState;
  readonly request: Request;
  /** What is done without a fault; `afresh`, as if the client had nothing of it already. */
  readonly carryOut: (afresh?: boolean) => Promise<PlainResponse>;
  /** Hears of the fault that meets it, by its id. */
  readonly onFault: (id: number) => void;
}

/**
 * Answers a request as the world's faults have it. A status and a reset come before the request does
 * anything, the others spoil its answer. A client that goes away during a delay has asked nothing.
 */
export function answerFaulty(scene: Scene, target: FaultTarget): Promise<PlainResponse> {
  const met = scene.world.faults.take(target);
  return met === undefined ? scene.carryOut() : answerWith(met, scene);
}

async function answerWith({ id, fault }: MetFault, scene: Scene): Promise<PlainResponse> {
  const { world, request, onFault } = scene;
  onFault(id);
  if (fault.delay !== undefined) {
    const { clock } = world;
    await clock.waitUntil(clock.now() + drawDelay(world, fault.delay), request.signal);
    if (request.signal.aborted) return brokenConnection;
  }
  return applyEffect(fault, scene);
}

function drawDelay({ faults }: WorldState, delay: Delay): number {
  if (typeof delay !== 'object') return parseDuration(delay);
  return faults.draw(parseDuration(delay.from), parseDuration(delay.to));
}

function applyEffect(fault: Fault, scene: Scene): Promise<PlainResponse> {
  const apply = effects[fault.effect] as (fault: Fault, scene: Scene) => Promise<PlainResponse>;
  return apply(fault, scene);
}

const effects: {
  readonly [Name in EffectName]: (fault: FaultOf<Name>, scene: Scene) => Promise<PlainResponse>;
} = {
  delay: (_, { carryOut }) => carryOut(),
  status: async ({ status, body, retryAfter }) => refuse(status, body, retryAfter),
  reset: async () => brokenConnection,
  truncate: async (_, { carryOut }) => breakOff(await carryOut()),
  malformed: async (_, { carryOut }) => spoilJson(await carryOut()),
  drip: async ({ bytesPerSecond }, { world, carryOut }) =>
    slowDown(await carryOut(), bytesPerSecond, world.clock),
  'segment-missing': async () => refuse(404, { errors: ['path: the segment is missing'] }),
  'playlist-endless': async (_, { carryOut }) => withoutEnd(await carryOut(true)),
  'recording-failed': (_, { carryOut }) => carryOut(),
  'recording-waiting': (_, { carryOut }) => carryOut(),
};

function refuse(status: number, body: unknown, retryAfter?: number): PlainResponse {
  const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  if (typeof body === 'string') {
    return plainResponse(status, [body], {
      'content-type': 'text/plain; charset=utf-8',
      ...headers,
    });
  }
  return jsonResponse(
    status,
    body === undefined ? { errors: [`a fault answers ${status}`] } : body,
    headers,
  );
}
