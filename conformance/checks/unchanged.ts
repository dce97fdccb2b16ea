import type { TargetCall } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { Blocked, expectOfEach, fail } from '../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import { expectListed, isIn, pickReady } from '../../target/streams/recorded-list.ts';
import { type CreatedStream, statedOperations } from '../../target/streams/stream-requests.ts';
import { shorten, show } from '../../text/phrases.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Expects that requests do not change a stream's record value. The value is read from the stream if the
 * target shows it correctly. Otherwise it is inferred from whether the next session is recorded; as that takes long, other
 * requests than refused ones are then only tried while recording is on.
 * @param requests called with the opposite of the value
 * @param refusedBy set if only refused requests count: the requirements that judge whether they are refused
 */
export async function expectUnchanged(
  context: CheckContext,
  stream: CreatedStream,
  requests: (opposite: boolean) => readonly TargetCall[],
  refusedBy?: string,
): Promise<void> {
  const { id } = stream;
  const isShown = await showsRecord(context, id);
  let judgedCount = 0;
  const set = async (record: boolean): Promise<void> => {
    await context.setRecord(id, record);
    if (isShown) await expectSet(context, id, record);
  };
  const isTriedTwice = isShown || refusedBy !== undefined;
  await expectOfEach(isTriedTwice ? [false, true] : [true], async (record) => {
    await set(record);
    const judged: TargetResponse[] = [];
    await expectOfEach(requests(!record), async (call) => {
      const response = await context.call(call);
      if (refusedBy !== undefined && isSuccess(response)) {
        await set(record);
        return;
      }
      judged.push(response);
      if (!isShown) return;
      const after = await retrieveAgain(context, id);
      if (after['record'] === record) return;
      // The next request is judged by its own effect.
      await set(record);
      failChanged(stream, record, call, response, after);
    });
    judgedCount += judged.length;
    if (isShown) return;
    await expectNextSession(context, stream, record, judged);
  });
  if (judgedCount === 0) {
    throw new Blocked(`needs a refused request: all were accepted; see ${refusedBy}`);
  }
}

/** The interface does not specify retrieval, so it is trusted only if it shows each value right after it is set. */
export async function showsRecord(context: CheckContext, id: string): Promise<boolean> {
  for (const record of [true, false]) {
    await context.setRecord(id, record);
    if ((await context.retrieve(id))?.['record'] !== record) return false;
  }
  return true;
}

/** Expects that a stream has the value that was set, as what follows would be blamed on the wrong request. */
async function expectSet(context: CheckContext, id: string, record: boolean): Promise<void> {
  const shown = (await retrieveAgain(context, id))['record'];
  if (shown === record) return;
  throw new Blocked(
    `needs a stream whose record is ${record}: ${statedOperations.record} was accepted, but the stream still shows ${show(shown)}; see RECORD-4`,
  );
}

async function retrieveAgain(context: CheckContext, id: string): Promise<JsonObject> {
  const stream = await context.retrieve(id);
  if (stream === undefined) throw new Blocked('needs a stream that can still be retrieved');
  return stream;
}

function failChanged(
  { fields }: CreatedStream,
  record: boolean,
  { method, path, body }: TargetCall,
  response: TargetResponse,
  after: JsonObject,
): never {
  fail(
    `${method} ${patternOf(path, fields)} with ${showBody(body)}: expected record of the stream to stay ${record}, got ${show(after['record'])}`,
    response,
    after,
  );
}

/** A body as it is sent. */
function showBody(body: unknown): string {
  if (body === undefined) return 'no body';
  if (body === '') return 'an empty body';
  return typeof body === 'string' ? shorten(body, 120) : show(body);
}

/** A path with the name of the identifier in it, such as `/stream/{id}/record`: one cause has one message. */
function patternOf(path: string, fields: JsonObject): string {
  return path.replace(/(?<=^\/stream\/)[^/]+/, (segment) => {
    const names = ['playbackId', 'streamKey'];
    return `{${names.find((name) => segment === fields[name]) ?? 'id'}}`;
  });
}

/**
 * Expects the next session of a stream to be recorded or not, as its recording was on or off before some requests. Without
 * any, nothing needs to be tried.
 * @param why how messages name the reason
 */
export async function expectNextSession(
  context: CheckContext,
  stream: CreatedStream,
  record: boolean,
  responses: readonly TargetResponse[],
  why: string = 'as before',
): Promise<void> {
  if (responses.length === 0) return;
  context.expectEncoder();
  const expectNext = record ? expectNextRecorded : expectNextUnrecorded;
  await expectNext(context, stream, responses, why);
}

async function expectNextRecorded(
  context: CheckContext,
  stream: CreatedStream,
  responses: readonly TargetResponse[],
  why: string,
): Promise<void> {
  const { recorded, sessions } = await context.recordNextSession(stream);
  if (recorded) return;
  // A missing session proves nothing if the target never listed one in time.
  const { switched } = await context.history();
  expectListed(switched.sessions);
  if (!(await context.turnedOnTwice()).recorded) {
    throw new Blocked('needs a stream that still records if it is turned on twice; see RECORD-4');
  }
  fail(
    `expected the next session to be recorded ${why}, got none in the list`,
    sessions,
    ...responses,
  );
}

/** Another stream goes live after it, and is recorded: once that session is ready, this one would be listed, too. */
async function expectNextUnrecorded(
  context: CheckContext,
  stream: CreatedStream,
  responses: readonly TargetResponse[],
  why: string,
): Promise<void> {
  const recordedStream = await context.createStream();
  await context.setRecord(recordedStream.id, true);
  const before = await context.listRecorded(stream.id);
  await context.broadcast([stream, recordedStream]);
  pickReady(await context.listUntilReady(recordedStream.id));
  const sessions = await context.listRecorded(stream.id);
  const added = sessions.filter((session) => !isIn(session, before));
  const recorded = findRecorded(added);
  if (recorded === undefined) return;
  const { turnedOff } = await context.history();
  if (findRecorded(turnedOff.sessions) !== undefined) {
    throw new Blocked('needs a stream whose recording can be turned off; see RECORD-6');
  }
  fail(
    `expected the next session not to be recorded, ${why}, got one in the list`,
    recorded,
    ...responses,
  );
}

/** LIST-3 judges sessions that are listed as not recorded. */
function findRecorded(sessions: readonly JsonObject[]): JsonObject | undefined {
  return sessions.find((session) => session['record'] !== false);
}
