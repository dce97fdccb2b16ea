import * as z from 'zod';
import { byAge } from '../../fixtures/world-records.ts';
import { type Dialect, dialectSchema, differences } from '../../interface/dialect.ts';
import {
  millisecondsSchema,
  randomStateSchema,
  sessionRecordSchema,
  streamRecordSchema,
} from '../../interface/schemas.ts';
import type { FaultsState, UnableEffects } from '../faults/fault.ts';
import { refuseUnableFaults } from '../faults/faults.ts';
import { faultsStateSchema } from '../faults/schema.ts';
import { type Exchange, exchangeSchema } from '../journal/exchange.ts';
import { Problem } from '../messages/problem.ts';
import { refuseContradictions, type SavedState } from '../state/change.ts';
import { speedSchema } from '../state/clock-setting.ts';

/** Everything that a world holds, as JSON; an import continues from it. */
export interface Snapshot extends SavedState {
  /** The dialect of the mock that has exported it; none where that mock had none. */
  readonly dialect?: Dialect;
  /** The requests of clients with their responses; only in an export with the journal. */
  readonly journal?: readonly Exchange[];
  /** The faults, without which the same requests may get other responses; only with the journal. */
  readonly faults?: FaultsState;
}

/** The version of exported states. */
export const stateVersion = 2;

const headShape = {
  version: z.literal(stateVersion, `${stateVersion}, as in a state that this version has exported`),
  now: millisecondsSchema,
  speed: speedSchema.exactOptional(),
  seed: z.string('a string').exactOptional(),
  userId: z.string('a string'),
  random: randomStateSchema,
  dialect: dialectSchema.exactOptional(),
  faults: faultsStateSchema.exactOptional(),
};

const expectedState = 'a state that this mock has exported';

/** Schema of a state without its records and its journal. */
export const stateHeadSchema: z.ZodType<Omit<Snapshot, 'streams' | 'sessions' | 'journal'>> =
  z.strictObject(headShape, expectedState);

/** Schema of a {@link Snapshot}. */
export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject(
  {
    ...headShape,
    streams: z.array(streamRecordSchema, 'an array of streams'),
    sessions: z.array(sessionRecordSchema, 'an array of sessions'),
    journal: z.array(exchangeSchema, 'an array of exchanges').exactOptional(),
  },
  expectedState,
);

/** An exported state without what ends with the process. */
export function savedPart({ dialect, journal, faults, ...saved }: Snapshot): SavedState {
  return saved;
}

/**
 * Checks that a world of a mock can continue from an exported state. @returns it with its records sorted
 * @throws Problem 400 when the state contradicts itself or is of another dialect, 422 for a fault that
 * the integration cannot produce.
 */
export function acceptSnapshot(
  snapshot: Snapshot,
  { dialect, unable }: { readonly dialect: Dialect | undefined; readonly unable: UnableEffects },
): Snapshot {
  refuseOtherDialect(dialect, snapshot.dialect);
  refuseContradictions(snapshot);
  if (snapshot.faults !== undefined) refuseUnableFaults(snapshot.faults, unable);
  return {
    ...snapshot,
    streams: snapshot.streams.toSorted(byAge),
    sessions: snapshot.sessions.toSorted(byAge),
  };
}

/** Under another dialect the same requests would get other responses. */
function refuseOtherDialect(own: Dialect | undefined, exported: Dialect | undefined): void {
  const differing = differences(own, exported);
  if (differing.length === 0) return;
  throw new Problem('refused', {
    path: 'dialect',
    expected: own ? `the dialect ${own.name ?? 'of this mock'}` : 'none, as this mock has none',
    got: exported ? `${exported.name ?? 'another'}, which differs in ${differing[0]}` : 'none',
    advice: `start the mock with${exported ? ' the dialect in the state' : 'out a dialect'}`,
  });
}
