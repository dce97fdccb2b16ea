import type { Sample } from './sample.ts';
import type { MeasuredServer } from './servers.ts';

/** How long, and how often. */
export interface Extent {
  /** Of each load. */
  readonly seconds: number;
  /** Of loads, of checks, and of memory. */
  readonly rounds: number;
  readonly starts: number;
  /** Requests of each kind, one after another. */
  readonly requests: number;
  /** Streams of the crowded worlds that are compared with a small one. */
  readonly largeStreams: number;
  /** As many as the memory of a usual machine allows. */
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
  /** The other mock servers; none where they are not installed. */
  readonly peers: readonly MeasuredServer[];
  /** Tells a person how far it is. */
  readonly say: (line: string) => void;
}
