import { parseDuration } from '../clock.ts';
import { type Answer, answer, answerJson } from '../http/answer.ts';
import type { WorldState } from '../world.ts';
import type { Delay, EffectName, Fault, FaultEffect } from './fault.ts';
import type { FaultTarget } from './faults.ts';
import { breakOff, brokenConnection, slowDown, spoilJson, withoutEnd } from './spoiled-bodies.ts';

type EffectOf<Name extends EffectName> = Extract<FaultEffect, { effect: Name }>;

/** What an effect works with. */
interface Scene {
  readonly world: WorldState;
  readonly carryOut: () => Promise<Answer>;
}

/**
 * Answers a request as the world's faults have it; `carryOut` is what is done without one. A status
 * and a reset come before the request does anything, the others spoil its answer.
 */
export async function answerFaulty(
  world: WorldState,
  target: FaultTarget,
  carryOut: () => Promise<Answer>,
): Promise<Answer> {
  const fault = world.faults.take(target);
  if (fault === undefined) return carryOut();
  if (fault.delay !== undefined) {
    await world.clock.waitUntil(world.clock.now() + drawDelay(world, fault.delay));
  }
  return applyEffect(fault, { world, carryOut });
}

function drawDelay({ faults }: WorldState, delay: Delay): number {
  if (typeof delay !== 'object') return parseDuration(delay);
  const [low, high] = [parseDuration(delay.from), parseDuration(delay.to)];
  return faults.draw(Math.min(low, high), Math.max(low, high));
}

function applyEffect(fault: Fault, scene: Scene): Promise<Answer> {
  const apply = effects[fault.effect] as (effect: Fault, scene: Scene) => Promise<Answer>;
  return apply(fault, scene);
}

const effects: {
  readonly [Name in EffectName]: (effect: EffectOf<Name>, scene: Scene) => Promise<Answer>;
} = {
  delay: (_, { carryOut }) => carryOut(),
  status: async ({ status, body, retryAfter }) => refuse(status, body, retryAfter),
  reset: async () => brokenConnection,
  truncate: async (_, { carryOut }) => breakOff(await carryOut()),
  malformed: async (_, { carryOut }) => spoilJson(await carryOut()),
  drip: async ({ bytesPerSecond }, { world, carryOut }) =>
    slowDown(await carryOut(), bytesPerSecond, world.clock),
  'segment-missing': async () => refuse(404, { errors: ['path: the segment is missing'] }),
  'playlist-endless': async (_, { carryOut }) => withoutEnd(await carryOut()),
  'recording-failed': (_, { carryOut }) => carryOut(),
  'recording-waiting': (_, { carryOut }) => carryOut(),
};

function refuse(status: number, body: unknown, retryAfter?: number): Answer {
  const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  if (typeof body === 'string') {
    return answer(status, body, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  }
  return answerJson(status, body ?? { errors: [`a fault answers ${status}`] }, headers);
}
