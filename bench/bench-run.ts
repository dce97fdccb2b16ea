import type { Contestant } from './contestant.ts';
import type { Sample } from './sample.ts';

/** How long, and how often. */
export interface Extent {
  /** Of each load. */
  readonly seconds: number;
  /** Of loads, of checks, and of memory. */
  readonly rounds: number;
  readonly starts: number;
  /** Requests of each kind, one after another. */
  readonly requests: number;
  readonly largeStreams: number;
  /** As large as the memory of a usual machine allows; only where there is time for it. */
  readonly hugeStreams?: number;
}

/** The usual extent, and one that shows only that the bench works. */
export const extents: Readonly<Record<'usual' | 'quick', Extent>> = {
  usual: {
    seconds: 2,
    rounds: 3,
    starts: 11,
    requests: 1_500,
    largeStreams: 100_000,
    hugeStreams: 1_000_000,
  },
  quick: { seconds: 0.3, rounds: 1, starts: 1, requests: 50, largeStreams: 2_000 },
};

/** What a part of the bench measures with. */
export interface BenchRun {
  readonly extent: Extent;
  readonly sample: Sample;
  /** Those that are installed. */
  readonly peers: readonly Contestant[];
  /** Tells a person how far it is. */
  readonly say: (line: string) => void;
}
