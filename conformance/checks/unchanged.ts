import { fail, isSuccess, show } from '../expectations.ts';
import { Blocked } from '../failure.ts';
import type { Lab } from '../lab.ts';
import type { CreatedStream } from '../operations.ts';
import { needsListedSession } from '../recording.ts';
import type { Answer } from '../target/exchange.ts';
import type { Call } from '../target.ts';

/** Requests that are to leave a stream's record value as it is. */
interface Attempts {
  /** What is sent, given the opposite of the value. */
  readonly calls: (opposite: boolean) => readonly Call[];
  /** Where only refused requests are judged: the requirements by which they are refused. */
  readonly refusedBy?: string;
  /** Whether they are sent to another stream, so that a stream which follows it is judged. */
  readonly toAnother?: boolean;
}

/**
 * Expects that requests leave a stream's record value as it was. It is seen where the target shows
 * it, if it is known to show the truth, or else in the stream's next session.
 */
export async function expectUnchanged(
  lab: Lab,
  stream: CreatedStream,
  attempts: Attempts,
): Promise<void> {
  const shown = await showsTruth(lab, stream.id);
  let judged = 0;
  for (const record of shown ? [false, true] : [true]) {
    await lab.setRecord(stream.id, record);
    const answers: Answer[] = [];
    for await (const attempt of send(lab, stream.id, record, attempts)) {
      answers.push(attempt.answer);
      if (shown) await expectShown(lab, stream.id, record, attempt);
    }
    judged += answers.length;
    if (!shown) await expectNextRecorded(lab, stream, answers, attempts);
  }
  if (judged === 0) {
    throw new Blocked(`a request that is refused: all were taken; see ${attempts.refusedBy}`);
  }
}

/** A request that is judged, and its answer. */
interface Attempt {
  readonly call: Call;
  readonly answer: Answer;
  readonly toAnother: boolean;
}

async function* send(
  lab: Lab,
  id: string,
  record: boolean,
  { calls, refusedBy, toAnother = false }: Attempts,
): AsyncGenerator<Attempt> {
  for (const call of calls(!record)) {
    const answer = await lab.call(call);
    if (refusedBy === undefined || !isSuccess(answer)) yield { call, answer, toAnother };
    else await lab.setRecord(id, record);
  }
}

/** Retrieving a stream is not specified: it says something where it follows both values at once. */
async function showsTruth(lab: Lab, id: string): Promise<boolean> {
  for (const record of [true, false]) {
    await lab.setRecord(id, record);
    if ((await lab.retrieve(id))?.['record'] !== record) return false;
  }
  return true;
}

async function expectShown(
  lab: Lab,
  id: string,
  record: boolean,
  { call, answer, toAnother }: Attempt,
): Promise<void> {
  const after = await lab.retrieve(id);
  // Retrieving is not specified, so a target may stop to answer it.
  if (after === undefined) throw new Blocked('a stream that can still be retrieved');
  if (after['record'] === record) return;
  if (!toAnother) await expectIndependent(lab, id);
  const request = `${call.method} ${call.path.replace(/^\/stream\/[^/]+/, '/stream/{id}')}`;
  fail(
    `record of the stream: expected ${record} as before, got ${show(after['record'])} after ${request} with ${show(call.body)}`,
    answer,
    after,
  );
}

async function expectNextRecorded(
  lab: Lab,
  stream: CreatedStream,
  answers: readonly Answer[],
  { toAnother }: Attempts,
): Promise<void> {
  const { recorded, listed } = await lab.recordNextSession(stream);
  if (recorded) return;
  if (!toAnother) await expectIndependent(lab, stream.id);
  // Only where another recorded session was listed in time does the lack of this one say anything.
  const { switched } = await lab.history();
  if (switched.listed.length === 0) throw needsListedSession();
  const taken = answers.filter(isSuccess);
  const [decisive = listed, ...others] = taken.length > 0 ? taken : answers;
  fail(
    'expected the next session to be recorded as before, got none in the list',
    decisive,
    ...others,
    listed,
  );
}

/** Where switching another stream switches this one as well, that is the cause. @throws Blocked */
async function expectIndependent(lab: Lab, id: string): Promise<void> {
  const other = await lab.createStream();
  for (const record of [true, false]) {
    await lab.setRecord(id, !record);
    if ((await lab.retrieve(id))?.['record'] !== !record) return;
    await lab.setRecord(other.id, record);
    if ((await lab.retrieve(id))?.['record'] === record) {
      throw new Blocked('a stream that is switched by itself alone; see RECORD-9');
    }
  }
}
