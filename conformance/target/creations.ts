/** What a run makes on the target, for cleaning up. */
export interface Creations {
  /** Ids of streams, in the order in which they were made. */
  readonly streams: string[];
  /** Ids of streams that went live, and so may have sessions. */
  readonly live: Set<string>;
  /** Requests under way that may make something. */
  readonly underWay: Set<Promise<unknown>>;
}

/** Nothing is made yet. */
export function createCreations(): Creations {
  return { streams: [], live: new Set(), underWay: new Set() };
}

/** Does work that may make something; whoever cleans up can wait for it. */
export async function track<Value>({ underWay }: Creations, work: Promise<Value>): Promise<Value> {
  underWay.add(work);
  try {
    return await work;
  } finally {
    underWay.delete(work);
  }
}
