import type { Exchange } from '../../../conformance/model/report.ts';
import { createCaller } from '../../../conformance/target/creations.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { NoResponse } from '../../../conformance/target/failure.ts';
import type { RequestMove } from '../moves/move.ts';
import type { Run } from './run.ts';
import { both, type Two } from './services.ts';
import { toCall } from './to-call.ts';

/**
 * Sends the request of a move to both sides, once.
 * @throws NoResponse or CheckFailure if a side does not respond in full
 */
export async function sendBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Two<TargetResponse>> {
  return both(run.services, async (service, side) => {
    if (side === 1 && move === run.notSent?.move) throw new NoResponse('it was not sent');
    const call = toCall(move, service, run.made, side);
    const { target, creations } = service;
    const send = createCaller(target, creations, (exchange) => exchanges[side].push(exchange));
    const response = await send(call);
    const { headers } = response;
    const etag = headers.get('etag');
    if (etag !== null) run.made.etags[side].set(call.path, etag);
    return response;
  });
}
