import type { BenchRun } from './bench-run.ts';
import { measureCheck } from './check.ts';
import { measureData } from './data.ts';
import { measureDoors } from './doors.ts';
import type { Findings } from './findings.ts';
import { measureGrowth } from './growth.ts';
import { measureInstall } from './install.ts';
import { measureMedia } from './media.ts';
import { measureMemory } from './memory.ts';
import { measureStart } from './start.ts';
import { measureThroughput } from './throughput.ts';

/** Name of a part of the bench. */
export type PartName =
  | 'throughput'
  | 'start'
  | 'media'
  | 'growth'
  | 'data'
  | 'memory'
  | 'check'
  | 'doors'
  | 'install';

/** A part of the bench. */
interface Part {
  readonly measure: (run: BenchRun) => Promise<Findings>;
  /** Whether it compares with others, or loads as they are loaded. */
  readonly needsPeers: boolean;
}

/** All that is measured, in this order. */
export const parts: Readonly<Record<PartName, Part>> = {
  throughput: { measure: measureThroughput, needsPeers: true },
  start: { measure: measureStart, needsPeers: true },
  media: { measure: measureMedia, needsPeers: true },
  growth: { measure: measureGrowth, needsPeers: false },
  data: { measure: measureData, needsPeers: false },
  memory: { measure: measureMemory, needsPeers: false },
  check: { measure: measureCheck, needsPeers: false },
  doors: { measure: measureDoors, needsPeers: false },
  install: { measure: measureInstall, needsPeers: false },
};
