import type { Dialect } from '../../interface/dialect.ts';
import type { RowId } from '../../interface/silent.ts';
import { askRound, type Round, type RoundOptions } from './round.ts';
import { type LearnedRows, settle, toDialect } from './settle.ts';
import { type LearnOptions, readRound, visit } from './visit.ts';

/** What was learned of a service. */
export interface Learned {
  readonly dialect: Dialect;
  readonly rows: LearnedRows;
  /** Why the service cannot be asked at all; then nothing was learned. */
  readonly unreachable: string | undefined;
  /** What remains on the service, a line for each thing. */
  readonly leftBehind: readonly string[];
}

type Lesson = Pick<Learned, 'dialect' | 'rows'>;

const nothing: Lesson = { dialect: toDialect({}, {}), rows: {} };

/** Times that everything is asked from the start. */
const roundsAsked = 2;

/**
 * Learns how a service does what the interface leaves open. It resolves whatever the service does.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { found, ...rest } = await visit(options, (round) => ask(round, options, roundsAsked));
  return { ...(found ?? nothing), ...rest };
}

/** As {@link learn}, in one round and without cleaning up: for a target that is known to be steady. */
export async function learnOnce(options: LearnOptions): Promise<Lesson> {
  return ask(readRound(options), options, 1);
}

async function ask(
  round: RoundOptions,
  { onProgress }: LearnOptions,
  times: number,
): Promise<Lesson> {
  const total = times * round.rows.length;
  let done = 0;
  const onRow = (id: RowId): void => onProgress?.(++done, total, id);
  const rounds: Round[] = [];
  for (let count = 0; count < times; count++) rounds.push(await askRound({ ...round, onRow }));
  const { rows, breaks } = settle(rounds);
  return { dialect: toDialect(rows, breaks), rows };
}
