import { type RowId, rowOf } from '../../interface/silent.ts';
import type { Comparison } from '../compare/model/comparison.ts';
import type { Signature } from '../compare/model/signature.ts';
import type { DescribedRequest } from '../compare/run/describe-request.ts';
import type { Learned } from '../learn/learn.ts';
import { probes } from '../learn/probes.ts';
import type { Probe } from '../learn/questions/probe.ts';
import { foundWithin } from './comparing.ts';
import { compareMock, dialectOf, type Judged } from './judged.ts';
import { judgeLearning, misjudged } from './learning.ts';

/** What is sabotaged: the score of a value. */
export interface Sabotaged {
  readonly judged: Judged;
  /** What is learned of the usual mock. */
  readonly usual: Learned;
  /** What `compare` finds first. */
  readonly found: Signature;
}

/** Whether the score is lower with it; `undefined` for a row that it does not concern. */
type Saboteur = (sabotaged: Sabotaged) => Promise<boolean | undefined>;

/**
 * Each way to spoil the score of a row, for one value. A score that stays as high counts something else
 * than the row.
 */
export const saboteurs: Readonly<Record<string, Saboteur>> = {
  /** The mock does not read the row. */
  async 'ignored row'({ judged, usual }) {
    const ignoring = misjudged(judged, usual, usual);
    const { differences } = await compareMock(undefined, {
      dialect: dialectOf(judged),
      ...{ operations: foundWithin, most: 1, explain: false },
    });
    return ignoring.length > 0 && differences.length > 0;
  },
  /** The probe says the default, whatever the target does. A row that follows from others has none. */
  async 'idle probe'({ judged, usual }) {
    const table = probes as Record<string, Probe<RowId>>;
    const { [judged.row]: own } = table;
    if (own === undefined) return undefined;
    table[judged.row] = async () => rowOf(judged.row).default as never;
    try {
      return (await judgeLearning(judged, usual)).length > 0;
    } finally {
      table[judged.row] = own;
    }
  },
  /** No request reaches the row: those that show it are left out, kind after kind. */
  async 'missing move'({ judged, found }) {
    const kinds = [found];
    while (kinds.length < mostKinds) {
      const { differences, unconfirmed } = await compareWithout(judged, kinds);
      const [next] = differences;
      if (next === undefined) return unconfirmed === 0;
      kinds.push(next.found);
    }
    return false;
  },
};

/** Kinds of requests that may show one row. */
const mostKinds = 200;

/** Requests in a row that are left out, after which the search ends: it may have no others. */
const mostLeftOut = 10_000;

/** Searches for one difference without requests of some kinds. */
async function compareWithout(judged: Judged, kinds: readonly Signature[]): Promise<Comparison> {
  const nothingLeft = new AbortController();
  let inARow = 0;
  const leaveOut = (request: DescribedRequest): boolean => {
    const isLeftOut = kinds.some((kind) => isOfKind(request, kind));
    inARow = isLeftOut ? inARow + 1 : 0;
    if (inARow === mostLeftOut) nothingLeft.abort();
    return isLeftOut;
  };
  return compareMock(dialectOf(judged), {
    ...{ operations: foundWithin, most: 1, explain: false },
    ...{ leaveOut, signal: nothingLeft.signal },
  });
}

/** Whether a request has all that is not usual in another, or is of its operation if that is usual. */
function isOfKind({ operation, about }: DescribedRequest, kind: Signature): boolean {
  if (kind.about.length === 0) return operation === kind.operation;
  return kind.about.every((words) => about.includes(words));
}
