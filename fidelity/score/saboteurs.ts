import { type RowId, rowOf } from '../../interface/silent.ts';
import type { Signature } from '../compare/model/signature.ts';
import type { DescribedRequest } from '../compare/run/describe-request.ts';
import type { Learned } from '../learn/learn.ts';
import { probes } from '../learn/probes.ts';
import type { Probe } from '../learn/questions/probe.ts';
import { foundWithin } from './comparing.ts';
import { compareMock, dialectOf, type Judged, learnMock } from './judged.ts';
import { judgeLearning, misjudged } from './learning.ts';

/** What is sabotaged: the score of a value. */
export interface Sabotaged {
  readonly judged: Judged;
  /** What is learned of the usual mock. */
  readonly usual: Learned;
  /** What `compare` finds first. */
  readonly found: Signature;
}

/**
 * Each way to spoil the score of a row: whether the score was lower with it, for one value. A score that
 * stays as high counts something else than the row.
 */
export const saboteurs: Readonly<Record<string, (sabotaged: Sabotaged) => Promise<boolean>>> = {
  /** The mock does not read the row. */
  async 'ignored row'({ judged, usual }) {
    const ignoring = misjudged(judged, usual, usual);
    const { differences } = await compareMock(undefined, {
      dialect: dialectOf(judged),
      ...{ operations: foundWithin, most: 1, explain: false },
    });
    return ignoring.length > 0 && differences.length > 0;
  },
  /** The probe says the default, whatever the target does. */
  async 'idle probe'({ judged, usual }) {
    return (await withIdleProbe(judged, usual)).length > 0;
  },
  /** No request reaches the row: those that show it are left out, kind after kind. */
  async 'missing move'({ judged, found }) {
    const kinds = [found];
    while (kinds.length < mostKinds) {
      const next = await findWithout(judged, kinds);
      if (next === undefined) return true;
      kinds.push(next);
    }
    return false;
  },
};

/** Kinds of requests that may show one row. */
const mostKinds = 200;

/** The difference that is found although requests of some kinds are left out. */
async function findWithout(
  judged: Judged,
  kinds: readonly Signature[],
): Promise<Signature | undefined> {
  const considered = new AbortController();
  let requests = 0;
  const leaveOut = (request: DescribedRequest): boolean => {
    // Sequences of which nothing is left have no end.
    if (++requests === 4 * foundWithin) considered.abort();
    return kinds.some((kind) => isOfKind(request, kind));
  };
  const { differences } = await compareMock(dialectOf(judged), {
    ...{ operations: foundWithin, most: 1, explain: false },
    ...{ leaveOut, signal: considered.signal },
  });
  return differences[0]?.found;
}

/** Whether a request has all that is not usual in another, or is of its operation if that is usual. */
function isOfKind({ operation, about }: DescribedRequest, kind: Signature): boolean {
  if (kind.about.length === 0) return operation === kind.operation;
  return kind.about.every((words) => about.includes(words));
}

/** Learns with a probe that says the default. A derived row has no probe: its value is replaced. */
async function withIdleProbe({ row, value }: Judged, usual: Learned): Promise<string[]> {
  const { default: idle } = rowOf(row);
  const table = probes as Record<string, Probe<RowId>>;
  const { [row]: own } = table;
  if (own === undefined) {
    const learned = await learnMock(dialectOf({ row, value }));
    const rows = { ...learned.dialect.rows, [row]: idle };
    return misjudged({ row, value }, { ...learned, dialect: { ...learned.dialect, rows } }, usual);
  }
  table[row] = async () => idle as never;
  try {
    return await judgeLearning({ row, value }, usual);
  } finally {
    table[row] = own;
  }
}
