import type {
  SessionRecord,
  StreamRecord,
  WorldContents,
  WorldSource,
} from '../../fixtures/world-records.ts';
import type { WorldName } from '../../fixtures/worlds.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { defaultDialect, type ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { createFaults, type FaultSettings, type Faults } from '../faults/faults.ts';
import type { VariantEvidence } from '../journal/evidence.ts';
import { createJournal, type Journal, type JournalRoom } from '../journal/journal.ts';
import type { Problem } from '../messages/problem.ts';
import { type Change, countSaved, type Replacement, type SavedState } from '../state/change.ts';
import { type AdjustableClock, createClock, type TimeSource } from '../state/clock.ts';
import type { IdForm } from '../state/ids.ts';
import type { Incoming, IngestAddresses } from '../state/ingest.ts';
import { type RecordCount, refuseRecords } from '../state/limits.ts';
import type { Moment } from '../state/moment.ts';
import { readState, type State, saveState } from '../state/state.ts';
import type { ExportedState } from './exported-state.ts';
import type { Operator } from './operator.ts';

/** The forms of the ids of new records. */
type IdForms = Readonly<Record<'stream' | 'session', IdForm>>;

/** The records of others who use the account of a key, which only clients see. */
export interface OtherRecords {
  build(source: WorldSource, apiKey: string): WorldContents;
  /** Whether an id is that of such a record. */
  has(id: string, source: WorldSource, apiKey: string): boolean;
}

/** The settings of every world of a mock. */
export interface WorldSettings extends FaultSettings {
  /** How each world starts: by name, or as it was exported. */
  readonly world: WorldName | ExportedState;
  /** The number of streams in the crowded world. */
  readonly streams: number;
  readonly seed: string;
  /** The forms of the ids of new records. */
  readonly idForms: IdForms;
  /** Which records others have in the account of each key, if they have some. */
  readonly others?: OtherRecords;
  /** The dialect as its file says it. */
  readonly dialectFile: Dialect | undefined;
  /** What the mock does if the interface is silent. Only clients see it: testers see the default behaviour. */
  readonly dialect: ResolvedDialect;
  /** Milliseconds from the end of a session until its recording is ready. */
  readonly recordingDelay: number;
  readonly time: TimeSource;
  /** The room that the journals of all worlds share. */
  readonly journalRoom: JournalRoom;
  /**
   * The accepted API keys, which are secrets: no journal may show them. `undefined` if any key of the form
   * `test-…` is accepted.
   */
  readonly apiKeys: readonly string[] | undefined;
  /** Counts the records of all worlds, and limits them. */
  readonly recordCount: RecordCount;
  /** Where encoders and cameras go live. */
  readonly ingest: IngestAddresses;
  /** A world for which nobody asks in so many milliseconds ends; `undefined` if none ends by itself. */
  readonly idle: number | undefined;
  /** How the mock reports to whoever runs it. */
  readonly operator: Operator;
  /** What the variant of the mock has changed so far, if it has one. */
  readonly readEvidence?: () => VariantEvidence;
}

/** The time of the mock's time source. It tells how long a kept world was not in use. */
export function readTime({ time }: WorldSettings): number {
  return Math.round(time.now());
}

/**
 * What has changed in a world: its records, its clock, its journal (`exchange`), its faults, its snapshots, or what
 * encoders send to it.
 */
export type WorldChange = 'state' | 'clock' | 'exchange' | 'faults' | 'snapshots' | 'ingest';

/** How a world is kept in a store. */
interface Persistence {
  /** Hands a change to the store, if there is one. */
  keep?(change: Change): void;
  /** Whether this process still has the world, if another process can take it. */
  hold?(): boolean | Promise<boolean>;
  /** How changes are refused once the world is no longer used: another process has taken it, or it has ended. */
  dropped?: Problem;
  /** Settles once all changes so far are kept. */
  saved: Promise<void>;
  /** Whether the store has all changes so far, if there is a store. */
  isSaved?(): boolean;
  /** When the last change was kept, by the mock's time source. */
  keptAt: number;
  /** The number of changes that this process has made. */
  changes: number;
}

/** The world of an API key while a mock has it open: everything that its clients and testers see. */
export interface OpenWorld extends Persistence {
  readonly apiKey: string;
  readonly settings: WorldSettings;
  readonly clock: AdjustableClock;
  /** Only `commit.ts` changes it and the clock. */
  state: State;
  readonly journal: Journal;
  faults: Faults;
  /** Its snapshots, by name. They end with the mock. */
  readonly snapshots: Map<string, Snapshot>;
  /** Streams as they were before their first change or deletion; cleared when the world is replaced. */
  readonly originals: Map<string, StreamWithSessions>;
  /** What happened that its sessions do not show, oldest first; cleared when the world is replaced. */
  readonly moments: Moment[];
  /** Whose media its addresses say it is; empty if they name no owner. Only `media-owner.ts` changes it. */
  mediaOwner: string;
  /** What encoders send to its live streams, by stream id. */
  readonly incoming: Map<string, Incoming>;
  /** Called after every change, before its request is answered. */
  readonly listeners: Set<(change: WorldChange) => void>;
  /** Counts its records, including those in snapshots. */
  readonly count: () => number;
  /** The number of clients that read its events. */
  watchers: number;
  /** Whether anybody with its key has asked for it since it was opened. */
  isAsked: boolean;
  /** When somebody asked for it last or, before that, when it was changed last: by the mock's time source. */
  usedAt: number;
  /** Whether code has a handle of it. */
  hasHandle: boolean;
}

/** A world as it was. */
export interface Snapshot {
  readonly saved: SavedState;
  /** The number of its streams and sessions. */
  readonly count: number;
}

/** A stream and its sessions, oldest first. */
export interface StreamWithSessions {
  readonly stream: StreamRecord;
  readonly sessions: readonly SessionRecord[];
}

/** Who calls: in which world, and how the service behaves towards them. */
export interface Requester {
  readonly world: OpenWorld;
  readonly dialect: ResolvedDialect;
  /** Scheme, host and port at the beginning of the media addresses that they see. */
  readonly origin: string;
  /** Whether it is a tester. The journal has what testers do instead of their requests. */
  readonly isTester: boolean;
}

/** A tester of a world. Testers see the default behaviour, without a dialect. */
export function testerOf(world: OpenWorld, origin = ''): Requester {
  return { world, dialect: defaultDialect, origin, isTester: true };
}

/**
 * Makes the world of a key from a state.
 * @throws Problem 429 if the mock has no room for it.
 */
export function createWorld(settings: WorldSettings, apiKey: string, saved: SavedState): OpenWorld {
  refuseRecords(settings.recordCount, countSaved(saved));
  const clock = createClock(settings.time);
  clock.set(saved.now, saved.speed);
  const world: OpenWorld = {
    apiKey,
    settings,
    clock,
    state: readState(saved),
    journal: createJournal(settings.journalRoom, settings.apiKeys ?? [apiKey]),
    faults: createFaults(`${settings.seed}/${apiKey}`, settings),
    snapshots: new Map(),
    originals: new Map(),
    moments: [],
    mediaOwner: '',
    incoming: new Map(),
    listeners: new Set(),
    count: () => {
      let records = world.state.records.count();
      for (const snapshot of world.snapshots.values()) records += snapshot.count;
      return records;
    },
    watchers: 0,
    isAsked: false,
    usedAt: readTime(settings),
    hasHandle: false,
    saved: Promise.resolve(),
    keptAt: readTime(settings),
    changes: 0,
  };
  settings.recordCount.counts.add(world.count);
  return world;
}

/** Drops a world that another process has taken, or that has ended, and frees its room. */
export function dropWorld(world: OpenWorld, problem: Problem): void {
  world.dropped = problem;
  world.settings.recordCount.counts.delete(world.count);
  world.journal.close();
  announce(world, 'state');
}

/** Everything in a world, as one change. */
export function readWhole({ settings, state, clock }: OpenWorld): Replacement {
  return { at: readTime(settings), state: saveState(state, clock.now(), clock.speed()) };
}

/** Tells all listeners what has changed in a world. */
export function announce({ listeners }: Pick<OpenWorld, 'listeners'>, change: WorldChange): void {
  for (const listener of listeners) listener(change);
}
