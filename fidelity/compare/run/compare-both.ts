import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { nearKeyNames } from '../../../conformance/target/near-keys.ts';
import { nextQuery, nextToldBy } from '../../../conformance/target/next-page.ts';
import { isObject } from '../../json.ts';
import type { Finding } from '../equal/finding.ts';
import { readJson } from '../equal/read-json.ts';
import { compareResponses } from '../equal/responses.ts';
import type { RequestMove } from '../moves/move.ts';
import { type MadeRecords, recognize } from './made-records.ts';
import type { Run } from './run.ts';
import type { Two } from './side.ts';
import { toCall } from './to-call.ts';

/** How two responses to the same request differ, as far as the sequence can tell. */
export function compareBoth(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
): Finding[] {
  const { made, correspondence, services } = run;
  if (isRefusedAnyhow(move, responses)) return [];
  const found = compareResponses(responses, {
    correspondence,
    refusals: [services[0].refusals, services[1].refusals],
    recognize: (side, record) => recognize(made, side, record),
  });
  const next = compareNext(run, move, responses);
  // Where pages show what others made, ours are on other pages, and links lead to other ones.
  const isElsewhere = move.follow === true && made.sharedLists.has(move.operation);
  const isOfOthers = ({ where }: Finding): boolean =>
    (isElsewhere && /^(items|order of items)$/.test(where)) ||
    (made.sharedLists.has(move.operation) && where === 'header link');
  // Pages of another length show other items.
  const isOfPage = ({ where }: Finding): boolean => next.length > 0 && /items$/.test(where);
  return [...found.filter((one) => !isOfOthers(one) && !isOfPage(one)), ...next];
}

/**
 * Whether both sides refuse a key of which nothing is known but that it must be refused: one that is
 * almost right may be that of another account, which has no such stream.
 */
function isRefusedAnyhow({ credential }: RequestMove, responses: Two<TargetResponse>): boolean {
  const isVague = ['empty', ...nearKeyNames].some((key) => key === credential);
  return isVague && responses.every(({ status }) => status >= 400 && status <= 499);
}

/** Whether and how both sides tell of a next page, which is what `follow` then asks for. */
function compareNext(run: Run, move: RequestMove, responses: Two<TargetResponse>): Finding[] {
  const { made } = run;
  const [left, right] = [readJson(responses[0]), readJson(responses[1])];
  if (!Array.isArray(left) || !Array.isArray(right)) return [];
  if (showsOthers(made, left, 0) || showsOthers(made, right, 1)) {
    made.sharedLists.add(move.operation);
  }
  const [one, other] = [nextPath(run, move, responses, 0), nextPath(run, move, responses, 1)];
  if (one !== undefined && other !== undefined) made.next = { move, paths: [one, other] };
  const [first, second] = [nextToldBy(responses[0]), nextToldBy(responses[1])];
  // What others made may be what fills a page.
  const isTheirs = made.sharedLists.has(move.operation) && [first, second].includes('not');
  return first === second || isTheirs ? [] : [{ where: 'next page', kinds: [first, second] }];
}

/** Whether a list shows what the sequence did not make. */
function showsOthers(made: MadeRecords, list: readonly unknown[], side: 0 | 1): boolean {
  return list.some((record) => isObject(record) && recognize(made, side, record) === undefined);
}

/** The path and query of the next page on a side; `undefined` without one. */
function nextPath(
  { made, services }: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  side: 0 | 1,
): string | undefined {
  if (nextToldBy(responses[side]) === 'not') return undefined;
  const [path = '', query = ''] = toCall(move, services[side].target.apiKey, made, side).path.split(
    '?',
  );
  const next = nextQuery(responses[side], query);
  return next && path + next;
}
