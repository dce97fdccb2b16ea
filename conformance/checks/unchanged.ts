import { expectListed } from '../sessions/recorded-list.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { fail, isSuccess, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import type { CreatedStream } from '../target/operations.ts';
import type { TargetCall } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';

/** Requests that must leave a stream's record value as it is. */
interface Attempts {
  /** The requests, given the opposite of the value. */
  readonly calls: (opposite: boolean) => readonly TargetCall[];
  /** Set if only refused requests count: the requirements that say which requests are refused. */
  readonly refusedBy?: string;
}

/**
 * Expects that requests leave a stream's record value as it was. The value is read from the stream
 * if the target shows it correctly, and otherwise inferred from whether its next session is recorded.
 */
export async function expectUnchanged(
  context: CheckContext,
  stream: CreatedStream,
  attempts: Attempts,
): Promise<void> {
  const shown = await showsRecord(context, stream.id);
  let judgedCount = 0;
  for (const record of shown ? [false, true] : [true]) {
    await context.setRecord(stream.id, record);
    const judged = await sendAttempts(context, stream.id, record, attempts, shown);
    judgedCount += judged.length;
    if (shown || judged.length === 0) continue;
    context.expectEncoder();
    await expectNextRecorded(context, stream, judged);
  }
  if (judgedCount === 0) {
    throw new Blocked(`a request that is refused: all were accepted; see ${attempts.refusedBy}`);
  }
}

/** Sends the requests. Resolves to the responses that count. */
async function sendAttempts(
  context: CheckContext,
  id: string,
  record: boolean,
  { calls, refusedBy }: Attempts,
  shown: boolean,
): Promise<TargetResponse[]> {
  const judged: TargetResponse[] = [];
  for (const call of calls(!record)) {
    const response = await context.call(call);
    if (refusedBy !== undefined && isSuccess(response)) {
      await context.setRecord(id, record);
      continue;
    }
    judged.push(response);
    if (shown) await expectShown(context, id, record, { call, response });
  }
  return judged;
}

/** Retrieval is not specified, so it is trusted only if it shows each value right after it is set. */
async function showsRecord(context: CheckContext, id: string): Promise<boolean> {
  for (const record of [true, false]) {
    await context.setRecord(id, record);
    if ((await context.retrieve(id))?.['record'] !== record) return false;
  }
  return true;
}

async function expectShown(
  context: CheckContext,
  id: string,
  record: boolean,
  { call, response }: { readonly call: TargetCall; readonly response: TargetResponse },
): Promise<void> {
  const after = await context.retrieve(id);
  if (after === undefined) throw new Blocked('a stream that can still be retrieved');
  if (after['record'] === record) return;
  const request = `${call.method} ${call.path.replace(/^\/stream\/[^/]+/, '/stream/{id}')}`;
  fail(
    `record of the stream: expected ${record} as before, got ${show(after['record'])} after ${request} with ${show(call.body)}`,
    response,
    after,
  );
}

async function expectNextRecorded(
  context: CheckContext,
  stream: CreatedStream,
  responses: readonly TargetResponse[],
): Promise<void> {
  const { recorded, listed } = await context.recordNextSession(stream);
  if (recorded) return;
  // A missing session proves nothing if the target never listed any in time.
  const { switched } = await context.history();
  expectListed(switched.listed);
  const accepted = responses.filter(isSuccess);
  const [decisive = listed, ...others] = accepted.length > 0 ? accepted : responses;
  fail(
    'expected the next session to be recorded as before, got none in the list',
    decisive,
    ...others,
    listed,
  );
}
