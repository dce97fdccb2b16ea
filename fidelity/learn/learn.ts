import type { Dialect } from '../../interface/dialect.ts';
import type { RowId } from '../../interface/silent.ts';
import { type Answers, type AskOptions, askRows } from './ask-rows.ts';
import { type AskedTarget, askTarget, type LearnOptions, readAskOptions } from './ask-target.ts';
import { type Settled, settle, toDialect } from './settle.ts';

/** What was learned of a service. */
export interface Learned extends LearnedDialect, Omit<AskedTarget<unknown>, 'found'> {}

interface LearnedDialect extends Pick<Settled, 'rows' | 'unknownBreaks'> {
  readonly dialect: Dialect;
}

/** Times that everything is asked from the start. */
const timesAsked = 2;

/**
 * Learns how a service does what the interface leaves open. It resolves whatever the service does.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { found, ...rest } = await askTarget(options, (all) => ask(all, options, timesAsked));
  return { ...(found ?? describe(settle([]))), ...rest };
}

/** As {@link learn}, asked once and without cleaning up: for a target that is known to be steady. */
export async function learnOnce(options: LearnOptions): Promise<LearnedDialect> {
  return ask(readAskOptions(options), options, 1);
}

async function ask(
  all: AskOptions,
  { onProgress }: LearnOptions,
  times: number,
): Promise<LearnedDialect> {
  const total = times * all.rows.length;
  let done = 0;
  const onRow = (id: RowId): void => onProgress?.(++done, total, id);
  const asked: Answers[] = [];
  for (let count = 0; count < times; count++) {
    // What was learned before is tried first: a time between two steps is then the same step again.
    const expected = { ...all.expected, ...toDialect(settle(asked)).rows };
    asked.push(await askRows({ ...all, expected, onRow }));
  }
  return describe(settle(asked));
}

function describe(settled: Settled): LearnedDialect {
  const { rows, unknownBreaks } = settled;
  return { dialect: toDialect(settled), rows, unknownBreaks };
}
