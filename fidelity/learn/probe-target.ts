import { isOfTarget, NoResponse } from '../../target/requests/failure.ts';
import { whenOverdue } from '../../target/requests/scheduling.ts';
import { readCount } from '../../target/requests/target.ts';
import { createOwnStream } from '../../target/streams/stream-requests.ts';
import {
  type ConnectionOptions,
  connect,
  type TargetConnection,
  useTargets,
} from '../target-connection.ts';
import type { ProbeOptions } from './probing/prober.ts';
import type { RequestedRoute } from './routes-file.ts';

/** What is learned, and how. */
export interface LearnOptions extends ConnectionOptions {
  /** Another key of the same service; without one, nothing is learned about the items of others. */
  otherApiKey?: string;
  /** How many streams to create for a long list; default 12. */
  streams?: number;
  /** Routes to ask for, in addition to those that clients in this field read. */
  routes?: readonly RequestedRoute[];
  /** Words that the documentation of the service lists as values: samples show them. */
  words?: readonly string[];
  /** Writing methods with which the user allows `learn` to request routes. */
  allow?: readonly string[];
  /** Called after each answer, with the number so far, the total, and the family of the last one. */
  onProgress?: (done: number, total: number, family: string) => void;
}

/** What was found out about a service, or why it cannot be asked. */
export interface ProbeReport<Result> {
  /** Absent if the service cannot be asked at all. */
  readonly result?: Result | undefined;
  /** Why the service cannot be asked, in a sentence. */
  readonly unjudgeable?: string | undefined;
  /** Why no sessions can be made as the options say, in sentences; then nothing was asked. */
  readonly providerFailure?: string | undefined;
  /** What remains on the service, a line for each thing. */
  readonly leftBehind: readonly string[];
}

/**
 * Finds out whether a service can be asked, asks it, and deletes what was created.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function probeTarget<Result>(
  options: LearnOptions,
  ask: (probing: ProbeOptions) => Promise<Result>,
): Promise<ProbeReport<Result>> {
  const { otherApiKey: apiKey } = options;
  const connection = connect(options);
  const { gate } = connection.target;
  const otherAccount = apiKey === undefined ? apiKey : connect({ ...options, apiKey }, gate);
  const targets = otherAccount === undefined ? [connection] : [connection, otherAccount];
  const streams = readCount('streams', options.streams ?? 12, 3, 100_000);
  const documented = new Set(options.words);
  const probing: ProbeOptions = { connection, otherAccount, streams, documented };
  let outcome: Omit<ProbeReport<Result>, 'leftBehind'> = {};
  const leftBehind = await useTargets(targets, options, async () => {
    outcome = await probeConnection(probing, ask);
  });
  return { ...outcome, leftBehind };
}

async function probeConnection<Result>(
  probing: ProbeOptions,
  ask: (probing: ProbeOptions) => Promise<Result>,
): Promise<Omit<ProbeReport<Result>, 'leftBehind'>> {
  const { connection, otherAccount } = probing;
  const unjudgeable =
    (await connection.whyUnjudgeable(otherAccount)) ?? (await whyNothingIsCreated(connection));
  if (unjudgeable !== undefined) return { unjudgeable };
  const providerFailure = await connection.tryProvider();
  if (providerFailure !== undefined) return { providerFailure };
  const result = await Promise.race([ask(probing), whenOverdue(connection.stopSignal)]);
  if (result === undefined || connection.stopSignal.aborted) return { result };
  // Results from a target that stopped responding are discarded.
  const lost = await connection.whyUnjudgeable();
  return lost === undefined
    ? { result }
    : { unjudgeable: `It stopped responding while it was asked. ${lost}` };
}

/** Why no stream can be created, in a sentence; in that case, other responses mean nothing. */
async function whyNothingIsCreated(connection: TargetConnection): Promise<string | undefined> {
  if (connection.readOnly) return undefined;
  try {
    await createOwnStream(connection.createCaller(() => {}));
    return undefined;
  } catch (exception) {
    if (!isOfTarget(exception)) throw exception;
    // If no response began, the next one still may.
    if (exception instanceof NoResponse && exception.code !== undefined) return undefined;
    const reason = exception.message.replace(/^creating a stream: /, '');
    return `Nothing can be learned: no stream could be created (${reason}). Check --base-url and the service's response to this request.`;
  }
}
