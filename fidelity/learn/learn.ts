import { readCount } from '../../conformance/target/read-target.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { type RowId, usualBehaviours } from '../../interface/silent.ts';
import { type ConnectionOptions, connect } from '../target/connection.ts';
import { probes } from './probes.ts';
import { type AskedRow, askRound, type Round, type RoundOptions } from './round.ts';
import { type LearnedRows, settle, toDialect } from './settle.ts';

/** What is learned, and how. */
export interface LearnOptions extends ConnectionOptions {
  /** Another key of the same service: without one, nothing is learned of what it owns. */
  otherApiKey?: string;
  /** Streams that are made for a list of them; default 12. */
  streams?: number;
  /** Milliseconds since any fixed moment; default `performance.now`. */
  now?: () => number;
  /** Waits for some milliseconds. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Called before a row is asked. */
  onProgress?: (done: number, total: number, id: RowId) => void;
}

/** What was learned of a service. */
export interface Learned {
  readonly dialect: Dialect;
  readonly rows: LearnedRows;
  /** Why the service cannot be asked at all; then nothing was learned. */
  readonly unreachable?: string;
  /** What remains on the service, a line for each thing. */
  readonly leftBehind: readonly string[];
}

const nothing = { dialect: toDialect({}, {}), rows: {} } as const;

/** Times that everything is asked from the start. */
const roundsAsked = 2;

/**
 * Learns how a service does what the interface leaves open. It resolves whatever the service does.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  const round = readRound(options);
  const { connection, other } = round;
  const unreachable = await connection.preflight();
  const learned = unreachable === undefined ? await ask(round, options, roundsAsked) : nothing;
  const leftBehind = [...(await connection.cleanUp()), ...((await other?.cleanUp()) ?? [])];
  return { ...learned, ...(unreachable !== undefined && { unreachable }), leftBehind };
}

/** As {@link learn}, in one round and without cleaning up: for a target that is known to be steady. */
export async function learnOnce(options: LearnOptions): Promise<Pick<Learned, 'dialect' | 'rows'>> {
  return ask(readRound(options), options, 1);
}

function readRound(options: LearnOptions): RoundOptions {
  const { now = () => performance.now(), pause = wait, otherApiKey } = options;
  const connection = connect(options);
  const other =
    otherApiKey === undefined ? undefined : connect({ ...options, apiKey: otherApiKey });
  const streams = readCount('streams', options.streams ?? 12, 3, 100_000);
  const rows = Object.keys(probes) as AskedRow[];
  return {
    connection,
    other,
    rows,
    expected: usualBehaviours,
    streams,
    now,
    pause,
    onRow: () => {},
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function ask(
  round: RoundOptions,
  { onProgress }: LearnOptions,
  times: number,
): Promise<Pick<Learned, 'dialect' | 'rows'>> {
  const total = times * round.rows.length;
  let done = 0;
  const onRow = (id: RowId): void => onProgress?.(done++, total, id);
  const rounds: Round[] = [];
  for (let count = 0; count < times; count++) rounds.push(await askRound({ ...round, onRow }));
  const { rows, breaks } = settle(rounds);
  return { dialect: toDialect(rows, breaks), rows };
}
