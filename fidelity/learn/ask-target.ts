import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import { createStream } from '../../conformance/target/operations.ts';
import { readCount } from '../../conformance/target/read-target.ts';
import { type RowId, usualBehaviours } from '../../interface/silent.ts';
import { type ConnectionOptions, connect } from '../target/connection.ts';
import type { AskedRow, AskOptions } from './ask-rows.ts';
import { probes } from './probes.ts';

/** What is learned, and how. */
export interface LearnOptions extends ConnectionOptions {
  /** Another key of the same service: without one, nothing is learned of what it owns. */
  otherApiKey?: string;
  /** Streams that are made for a list of them; default 12. */
  streams?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Called before a row is asked: how many were, of how many. */
  onProgress?: (done: number, total: number, id: RowId) => void;
}

/** What was found out about a service, unless it cannot be asked at all. */
export interface AskedTarget<Found> {
  readonly found: Found | undefined;
  /** Why the service cannot be asked, in a sentence. */
  readonly unreachable: string | undefined;
  /** Why there are no sessions as the options say, in sentences; then nothing was asked either. */
  readonly withoutSessions: string | undefined;
  /** What remains on the service, a line for each thing. */
  readonly leftBehind: readonly string[];
}

/**
 * Finds out whether a service can be asked, asks it, and deletes what was created.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function askTarget<Found>(
  options: LearnOptions,
  ask: (all: AskOptions) => Promise<Found>,
): Promise<AskedTarget<Found>> {
  const all = readAskOptions(options);
  const { connection, other } = all;
  try {
    const unreachable = (await connection.preflight()) ?? (await whyNothingIsCreated(all));
    const withoutSessions = unreachable === undefined ? await connection.trySource() : undefined;
    const found = (unreachable ?? withoutSessions) === undefined ? await ask(all) : undefined;
    // What a target did before it stopped responding is a part from which nothing follows.
    const lost = found && !connection.stop.aborted ? await connection.preflight() : undefined;
    return {
      found: lost === undefined ? found : undefined,
      unreachable: unreachable ?? (lost && `It stopped responding while it was asked. ${lost}`),
      ...{ withoutSessions, leftBehind: await cleanUp() },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }

  async function cleanUp(): Promise<string[]> {
    return [...(await connection.cleanUp()), ...((await other?.cleanUp()) ?? [])];
  }
}

/** Why no stream can be created, in a sentence: what else a target answers then means nothing. */
async function whyNothingIsCreated({ connection }: AskOptions): Promise<string | undefined> {
  if (connection.readOnly) return undefined;
  try {
    await createStream(connection.createCaller(() => {}));
    return undefined;
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    if (!(error instanceof Blocked)) return undefined;
    const reason = error.message.replace(/^creating a stream: /, '');
    return `Nothing can be learned, as no stream could be created: ${reason}. Check --base-url, and what the service says of this request.`;
  }
}

/** What asks all rows. @throws TypeError for invalid options */
export function readAskOptions(options: LearnOptions): AskOptions {
  const { now = Date.now, otherApiKey } = options;
  const connection = connect(options);
  const { pause = connection.pause } = options;
  const other =
    otherApiKey === undefined ? undefined : connect({ ...options, apiKey: otherApiKey });
  const streams = readCount('streams', options.streams ?? 12, 3, 100_000);
  const rows = Object.keys(probes) as AskedRow[];
  return {
    ...{ connection, other, rows, streams, now, pause },
    expected: usualBehaviours,
    onRow: () => {},
  };
}
