import type { WorldName } from '../../fixtures/worlds.ts';
import type { Dialect, ResolvedDialect } from '../../interface/dialect/dialect.ts';
import type { FaultSettings } from '../faults/faults.ts';
import type { JournalRoom } from '../journal/journal.ts';
import type { TimeSource } from '../state/clock.ts';
import type { IngestAddresses } from '../state/control.ts';
import type { RecordCount } from '../state/limits.ts';
import type { ExportedState } from './exported-state.ts';

/** The settings of every world of a mock. */
export interface WorldSettings extends FaultSettings {
  /** How each world starts: by name, or as it was exported. */
  readonly world: WorldName | ExportedState;
  /** The number of streams in the crowded world. */
  readonly streams: number;
  readonly seed: string;
  /** The dialect that was given. */
  readonly dialectFile: Dialect | undefined;
  /** What the mock does if the interface is silent. Only clients see it: testers see the usual behaviour. */
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
}

/** The time of the mock's time source. It tells how long a kept world was not in use. */
export function readTime({ time }: WorldSettings): number {
  return Math.round(time.now());
}
