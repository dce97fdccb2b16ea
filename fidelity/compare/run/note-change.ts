import type { Exchange } from '../../../conformance/model/report.ts';
import { createCaller } from '../../../conformance/target/creations.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { post, readId } from '../../../conformance/target/operations.ts';
import { readJson } from '../equal/read-json.ts';
import { operations, type RequestMove } from '../moves/move.ts';
import { endEncoders } from './go-live.ts';
import { addRecord, recordAt, type Span } from './made-records.ts';
import type { Run } from './run.ts';
import { both, type Two } from './services.ts';

/** Notes what a request changed; `true` if only one side changed something. */
export async function noteChange(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  span: Span,
): Promise<boolean> {
  const { made } = run;
  if (!isWrite(move)) return false;
  const [one, other] = responses.map(isSuccess);
  if (one !== other) return true;
  if (!one) return false;
  if (creates(move)) {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    const shown = responses.map((response) => readJson(response) ?? {}) as [JsonObject, JsonObject];
    if (ids.includes(undefined)) return true;
    addRecord(made, { kind: 'stream', ids: [...ids], shown });
  }
  const addressed = move.id && recordAt(made, move.id);
  if (addressed === undefined) return false;
  if (deletes(move)) {
    addressed.deleted = true;
    delete addressed.stop;
  } else if (methodOf(move) === 'DELETE') await endEncoders(run, addressed, span);
  return false;
}

/**
 * Notes a request without a response from one side as if that side had done what the other did.
 * @returns whether a sequence can go on: the id of a stream that may have been created is not known
 */
export function noteUnanswered({ made }: Run, move: RequestMove, isDone: boolean): boolean {
  if (creates(move)) return false;
  const addressed = move.id && recordAt(made, move.id);
  if (isDone && deletes(move) && addressed !== undefined) addressed.deleted = true;
  return true;
}

/** Whether one of the sides did what a request says, as far as a response came. */
export function isDoneByOne(exchanges: Two<readonly Exchange[]>): boolean {
  return exchanges.some((all) => {
    const { status = 0, failure } = all.at(-1) ?? {};
    return failure === undefined && status >= 200 && status <= 299;
  });
}

function methodOf(move: RequestMove): string {
  return move.method ?? operations[move.operation].method;
}

/** Whether a request may change something. */
export function isWrite(move: RequestMove): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(methodOf(move));
}

/** Whether a request deletes what it names, and does not only end its session. */
function deletes(move: RequestMove): boolean {
  return methodOf(move) === 'DELETE' && move.operation !== 'terminateStream';
}

/** Whether a request creates a stream. */
export function creates(move: RequestMove): boolean {
  return methodOf(move) === 'POST' && operations[move.operation].path === '/stream';
}

/** Creates a stream of another API key, once in a sequence; `false` if that is not possible. */
export async function createForOtherKey(run: Run): Promise<boolean> {
  if (run.made.records.some(({ kind }) => kind === 'other-key')) return true;
  const [one, other] = await both(run.services, async ({ other: owner }) => {
    if (owner === undefined) return undefined;
    const send = createCaller(owner.target, owner.creations, () => {});
    return readId(await send(post('/stream', { name: 'of another key' })));
  });
  if (one === undefined || other === undefined) return false;
  addRecord(run.made, { kind: 'other-key', ids: [one, other], shown: [{}, {}] });
  return true;
}
