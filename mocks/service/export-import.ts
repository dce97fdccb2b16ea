import * as z from 'zod';
import { byAge } from '../../fixtures/world-records.ts';
import {
  millisecondsSchema,
  randomStateSchema,
  sessionRecordSchema,
  streamRecordSchema,
} from '../../interface/schemas.ts';
import type { FaultsState } from '../faults/fault.ts';
import { refuseFaults } from '../faults/refuse.ts';
import { faultsStateSchema } from '../faults/schema.ts';
import type { Exchange } from '../journal/exchange.ts';
import { exchangeSchema } from '../journal/exchange-schema.ts';
import { validateLarge } from '../problems/validate.ts';
import { saveState } from '../state/build-state.ts';
import { nextTurn } from '../state/next-turn.ts';
import { refuseContradictions, type SavedState } from '../state/saved-state.ts';
import { replaceBySaved } from './replace.ts';
import { announce, type WorldState } from './world.ts';

/** All that a world holds, as JSON: what {@link importState} continues from. */
export interface Snapshot extends SavedState {
  /** What clients had sent and been answered; only in an export with the journal. */
  readonly journal?: readonly Exchange[];
  /** What goes wrong, without which a journal may not repeat itself; only there too. */
  readonly faults?: FaultsState;
}

/** Schema of {@link Snapshot}. */
export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject(
  {
    version: z.literal(1, '1'),
    now: millisecondsSchema,
    seed: z.string('a string').exactOptional(),
    userId: z.string('a string'),
    random: randomStateSchema,
    streams: z.array(streamRecordSchema, 'an array of streams'),
    sessions: z.array(sessionRecordSchema, 'an array of sessions'),
    journal: z.array(exchangeSchema, 'an array of exchanges').exactOptional(),
    faults: faultsStateSchema.exactOptional(),
  },
  'a state that this mock has exported',
);

/** Records that are checked at once; others are answered in between. */
const sliceLength = 500;

/**
 * Checks what may be an exported state, as {@link validateLarge} does.
 * @throws Problem 422 with the faults of the first part that is at fault.
 */
export async function validateState(value: unknown): Promise<Snapshot> {
  const { streams, sessions } = { ...(value as Partial<Snapshot> | null) };
  let checked = 0;
  for (const [schema, records] of [
    [streamRecordSchema, streams],
    [sessionRecordSchema, sessions],
  ] as const) {
    if (!Array.isArray(records)) return validateLarge(snapshotSchema, value);
    for (const record of records) {
      if (!schema.safeParse(record).success) return validateLarge(snapshotSchema, value);
      checked += 1;
      if (checked % sliceLength === 0) await nextTurn();
    }
  }
  validateLarge(snapshotSchema, { ...(value as Snapshot), streams: [], sessions: [] });
  return value as Snapshot;
}

/** The state of a world as JSON; with its journal and faults it is a report that can be replayed. */
export function exportState(world: WorldState, withJournal = false): Snapshot {
  const { clock, state, journal, faults } = world;
  return {
    ...saveState(state, clock.now()),
    ...(withJournal && { journal: journal.exchanges(), faults: faults.state() }),
  };
}

/**
 * Replaces everything that a world holds, its journal too, and its faults if the state has some.
 * @throws Problem 400 when the state contradicts itself, 422 for a fault that cannot be here, 429 when
 * the mock has no room for it.
 */
export async function importState(world: WorldState, snapshot: Snapshot): Promise<void> {
  const { journal = [], faults, ...saved } = snapshot;
  refuseContradictions(saved);
  if (faults !== undefined) refuseFaults(faults, world.settings.unable);
  const sorted = {
    ...saved,
    streams: saved.streams.toSorted(byAge),
    sessions: saved.sessions.toSorted(byAge),
  };
  await replaceBySaved(world, sorted, () => {
    world.journal.replace(journal);
    if (faults !== undefined) world.faults.resume(faults);
  });
  if (faults !== undefined) announce(world, 'faults');
}
