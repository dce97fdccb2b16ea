import * as z from 'zod';
import { byAge } from '../../fixtures/world-records.ts';
import { expectedRecords, type WorldName } from '../../fixtures/worlds.ts';
import { type Dialect, dialectSchema, differences } from '../../interface/dialect.ts';
import {
  dialectSessionRecordSchema,
  dialectStreamRecordSchema,
  millisecondsSchema,
  randomStateSchema,
  sessionRecordSchema,
  streamRecordSchema,
} from '../../interface/schemas.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { FaultsState, UnableEffects } from '../faults/fault.ts';
import { refuseUnableFaults } from '../faults/faults.ts';
import { faultsStateSchema } from '../faults/schema.ts';
import { type Exchange, exchangeSchema } from '../journal/exchange.ts';
import { Problem } from '../messages/problem.ts';
import { validate } from '../messages/validate.ts';
import { countSaved, refuseContradictions, type SavedState } from '../state/change.ts';
import { speedSchema } from '../state/clock-setting.ts';
import { refuseLongRecord } from '../state/limits.ts';

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

/** Schemas of the records of a state: a dialect can accept profiles that the mock itself refuses. */
export const recordSchemas: Readonly<
  Record<
    'usual' | 'dialect',
    { readonly stream: z.ZodType<StreamRecord>; readonly session: z.ZodType<SessionRecord> }
  >
> = {
  usual: { stream: streamRecordSchema, session: sessionRecordSchema },
  dialect: { stream: dialectStreamRecordSchema, session: dialectSessionRecordSchema },
};

const headShape = {
  version: z.literal(stateVersion, `${stateVersion}, as in a state that this version has exported`),
  now: millisecondsSchema,
  speed: speedSchema.exactOptional(),
  seed: z.string('a string').exactOptional(),
  userId: z.string('a string'),
  random: randomStateSchema,
  dialect: dialectSchema.exactOptional(),
};

const expectedState = 'a state that this mock has exported';

type StateHead = Omit<Snapshot, 'streams' | 'sessions' | 'journal' | 'faults'>;

/** Schema of a state without its records, journal and faults. */
export const stateHeadSchema: z.ZodType<StateHead> = z.strictObject(headShape, expectedState);

const snapshotSchema = snapshotOf('usual');

/** Schema of a {@link Snapshot} of a mock that has a dialect, or may have one. */
export const dialectSnapshotSchema: z.ZodType<Snapshot> = snapshotOf('dialect');

function snapshotOf(kind: keyof typeof recordSchemas): z.ZodType<Snapshot> {
  const { stream, session } = recordSchemas[kind];
  return z.strictObject(
    {
      ...headShape,
      streams: z.array(stream, 'an array of streams'),
      sessions: z.array(session, 'an array of sessions'),
      journal: z.array(exchangeSchema, 'an array of exchanges').exactOptional(),
      faults: faultsStateSchema.exactOptional(),
    },
    expectedState,
  );
}

/** @throws Problem 422, or 413 for a record that is too long. */
export function validateSnapshot(value: unknown): Snapshot {
  const { dialect } = { ...(value as Partial<Snapshot> | null) };
  const schema = dialect === undefined ? snapshotSchema : dialectSnapshotSchema;
  const snapshot = validate(schema, value);
  snapshot.streams.forEach(refuseLongRecord);
  return snapshot;
}

/** An exported state without what ends with the process. */
export function savedPart({ dialect, journal, faults, ...saved }: Snapshot): SavedState {
  return saved;
}

/** About how many records a world has at first: one of a name, with so many streams, or an exported one. */
export function startingRecords(world: WorldName | Snapshot, streams: number): number {
  return typeof world === 'object' ? countSaved(world) : expectedRecords(world, streams);
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
  const [first, ...others] = differing;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new Problem('refused', {
    path: 'dialect',
    expected: own ? `the dialect ${own.name ?? 'of this mock'}` : 'none, as this mock has none',
    got: exported ? `${exported.name ?? 'another'}, which differs in ${first}${more}` : 'none',
    advice: `start the mock with${exported ? ' the dialect in the state' : 'out a dialect'}`,
  });
}
