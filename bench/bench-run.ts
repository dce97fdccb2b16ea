/** How long, and how often. */
export interface Extent {
  /** Of each load. */
  readonly seconds: number;
  /** Of loads, of checks, and of memory. */
  readonly rounds: number;
  readonly starts: number;
  /** Requests of each kind, one after another. */
  readonly requests: number;
  /** Streams of the crowded world that is compared with a small one. */
  readonly streams: number;
}

/** What a part of the bench measures with. */
export interface BenchRun {
  readonly extent: Extent;
  /** An empty folder, which is removed at the end. */
  readonly folder: string;
  /** Tells a person how far it is. */
  readonly say: (line: string) => void;
}
