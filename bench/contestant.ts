import type { Sample } from './sample.ts';
import { type Server, startServer } from './servers.ts';
import type { Work, Works } from './work.ts';

/** A server that the bench measures. */
export interface Contestant {
  readonly name: string;
  /** Arguments of Node that start it afresh. */
  readonly args: (sample: Sample, port: number) => readonly string[];
  /** What it can do, in its own paths. */
  readonly works: (sample: Sample) => Works & { readonly list: Work };
}

/** Starts a server until it has answered a list of sessions. */
export function startContestant({ args, works }: Contestant, sample: Sample): Promise<Server> {
  return startServer((port) => args(sample, port), works(sample).list);
}
