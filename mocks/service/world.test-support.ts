import { usualManners } from '../../interface/dialect.ts';
import { createMatchCounts } from '../faults/faults.ts';
import { createJournalRoom } from '../journal/journal.ts';
import { usualRecords } from '../state/limits.ts';
import type { WorldSettings } from './world.ts';

/** Settings of an empty world, whose time stands still. */
export function emptySettings(changes: Partial<WorldSettings> = {}): WorldSettings {
  return {
    world: 'empty',
    streams: 1,
    seed: 'a test',
    dialect: undefined,
    manners: usualManners,
    recordingDelay: 1000,
    time: { now: () => 1e12 },
    faults: [],
    matchCounts: createMatchCounts([]),
    unable: {},
    journalRoom: createJournalRoom(),
    secrets: [],
    ingest: {},
    recordCount: { counts: new Set(), mostRecords: usualRecords },
    ...changes,
  };
}
