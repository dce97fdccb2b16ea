import * as z from 'zod';
import { byAge } from '../../fixtures/world-records.ts';
import { type Dialect, dialectSchema, differingRows } from '../../interface/dialect.ts';
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
import { Problem } from '../problems/problem.ts';
import { validateLarge } from '../problems/validate.ts';
import { saveState } from '../state/build-state.ts';
import { nextTurn } from '../state/next-turn.ts';
import { refuseContradictions, type SavedState } from '../state/saved-state.ts';
import { replaceBySaved } from './replace.ts';
import { announce, type WorldState } from './world.ts';

/** Everything that a world holds, as JSON; {@link importState} continues from it. */
export interface Snapshot extends SavedState {
  /** The dialect of the mock that has exported it; none where that mock had none. */
  readonly dialect?: Dialect;
  /** The requests of clients with their responses; only in an export with the journal. */
  readonly journal?: readonly Exchange[];
  /** The faults, without which the same requests may get other responses; only with the journal. */
  readonly faults?: FaultsState;
}

/** Schema of {@link Snapshot}. */
export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject(
  {
    version: z.literal(1, '1, as in a state from GET /_mock/state'),
    now: millisecondsSchema,
    seed: z.string('a string').exactOptional(),
    userId: z.string('a string'),
    random: randomStateSchema,
    streams: z.array(streamRecordSchema, 'an array of streams'),
    sessions: z.array(sessionRecordSchema, 'an array of sessions'),
    dialect: dialectSchema.exactOptional(),
    journal: z.array(exchangeSchema, 'an array of exchanges').exactOptional(),
    faults: faultsStateSchema.exactOptional(),
  },
  'a state that this mock has exported',
);

/** Records that are checked in one turn; other requests are answered between turns. */
const sliceLength = 500;

/**
 * Checks an exported state in several turns of the event loop.
 * @throws Problem 422 with the issues of the first wrong part.
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

/** The state of a world as JSON. With journal and faults, its requests can be sent again. */
export function exportState(world: WorldState, withJournal = false): Snapshot {
  const { clock, state, journal, faults, settings } = world;
  const { dialect } = settings;
  return {
    ...saveState(state, clock.now()),
    ...(dialect && { dialect }),
    ...(withJournal && { journal: journal.exchanges(), faults: faults.state() }),
  };
}

/**
 * Replaces everything that a world holds, including its journal, and its faults if the state has some.
 * @throws Problem 400 when the state contradicts itself or is of another dialect, 422 for a fault that this integration cannot
 * produce, 429 when the mock is full.
 */
export async function importState(world: WorldState, snapshot: Snapshot): Promise<void> {
  const { journal = [], faults, dialect, ...saved } = snapshot;
  refuseOtherDialect(world.settings.dialect, dialect);
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

/** Under another dialect the same requests would get other responses. */
function refuseOtherDialect(own: Dialect | undefined, exported: Dialect | undefined): void {
  const differing = differingRows(own, exported);
  if (differing.length === 0) return;
  const [first, ...others] = differing;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new Problem('refused', {
    path: 'dialect',
    expected: own ? `the dialect ${own.name ?? 'of this mock'}` : 'none, as this mock has none',
    got: exported ? `${exported.name ?? 'another'}, which differs in ${first}${more}` : 'none',
    advice: adviceFor(own, exported),
  });
}

function adviceFor(own: Dialect | undefined, exported: Dialect | undefined): string {
  if (exported === undefined) return 'start the mock without a dialect';
  const advice = 'start the mock with the dialect in the state';
  return own === undefined ? `${advice}, or remove it from there` : advice;
}
