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
  const { method, path } = operations[move.operation];
  const sent = move.method ?? method;
  if (['GET', 'HEAD', 'OPTIONS'].includes(sent)) return false;
  const [one, other] = responses.map(isSuccess);
  if (one !== other) return true;
  if (!one) return false;
  if (sent === 'POST' && path === '/stream') {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    const shown = responses.map((response) => readJson(response) ?? {}) as [JsonObject, JsonObject];
    if (ids.includes(undefined)) return true;
    addRecord(made, { kind: 'stream', ids: [...ids], shown });
  }
  const addressed = move.id && recordAt(made, move.id);
  if (sent === 'DELETE' && addressed !== undefined) {
    if (move.operation === 'terminateStream') await endEncoders(run, addressed, span);
    else {
      addressed.deleted = true;
      delete addressed.stop;
    }
  }
  return false;
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
