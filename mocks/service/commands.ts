import type { Session } from '../../interface/types.ts';
import type { Fault } from '../faults/effects/effects.ts';
import type { FaultReport } from '../faults/fault.ts';
import { refuseLongRecord } from '../state/limits.ts';
import { startSession, stopSession, viewSession } from './sessions.ts';
import { announce, type WorldState } from './world.ts';

/*
 * What both the control API and the handle in code do to a world, beside resetting, importing and
 * restoring it: each command makes a change and announces it. Callers wait with `whenKept`.
 */

/**
 * An encoder connects: as `startSession`, and shows the session.
 * @throws Problem as `startSession` does.
 */
export function start(
  world: WorldState,
  origin: string,
  streamId: string,
  { duration }: { duration?: number } = {},
): Session {
  const session = startSession(world, streamId, duration);
  const { id: sessionId } = session;
  world.journal.arrange({
    kind: 'live',
    streamId,
    sessionId,
    ...(duration !== undefined && { duration }),
  });
  return viewSession(world, session, origin);
}

/**
 * The encoder disconnects: as `stopSession`, and shows the session.
 * @throws Problem as `stopSession` does.
 */
export function stop(world: WorldState, origin: string, streamId: string): Session {
  const session = stopSession(world, streamId);
  world.journal.arrange({ kind: 'ended', streamId, duration: session.duration ?? 0 });
  return viewSession(world, session, origin);
}

/**
 * Adds a fault behind the others.
 * @throws Problem 422 for an effect that this integration cannot produce, 429 when there are too many, 413
 * for one that is too long.
 */
export function addFault(world: WorldState, fault: Fault): FaultReport {
  refuseLongRecord(fault);
  const report = world.faults.add(fault);
  announce(world, 'faults');
  return report;
}

/**
 * Removes a fault.
 * @throws Problem 404 when there is none with this id.
 */
export function removeFault(world: WorldState, id: number | string): FaultReport {
  const report = world.faults.remove(id);
  announce(world, 'faults');
  return report;
}

/** Removes all faults. */
export function removeFaults(world: WorldState): FaultReport[] {
  const reports = world.faults.removeAll();
  announce(world, 'faults');
  return reports;
}
