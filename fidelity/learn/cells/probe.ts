import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../../conformance/target/failure.ts';
import { setRecord } from '../../../conformance/target/operations.ts';
import { convert, wordsFor } from '../../../interface/accepted.ts';
import type { Cell } from '../../../interface/cells.ts';
import type { Asked, Mutation, RequestError } from '../../../interface/errors.ts';
import { textOf } from '../../json.ts';
import { type Asking, type Question, Unsayable, Unsteady } from '../asking/asking.ts';
import { recordsIn } from '../asking/records.ts';
import { goLive } from '../asking/sessions.ts';
import { acceptanceOf, plainRecord, readShown, type Shown } from './fields.ts';
import { findLimit, limitCell, type Tried } from './limits.ts';
import { isList, knownLists, readList } from './lists.ts';
import { readRefusal, refusalIn, refuseAlike, sameRefusal } from './outcome.ts';
import { type Good, goodRequest, mutate, terminatesIdle } from './requests.ts';

/** A wrong request and its response. */
interface Sent {
  readonly good: Good;
  readonly mutation: Mutation;
  readonly response: TargetResponse;
  /** What the stream showed before, where that is not what every new one shows. */
  readonly before?: JsonObject;
}

/**
 * What happens to one error of one operation: a good request, made wrong in two ways. What was accepted is
 * read back. @throws Blocked without what it needs; Unsayable for what no cell can say
 */
export function probeCell(asked: Asked, error: RequestError): Question<Cell> {
  return async (asking) => {
    if (error.ladder !== undefined) return probeLimit(asking, asked, error, error.ladder);
    if (error.id === 'operation:given') return probeOperation(asking, asked);
    await requireText(asking, asked, error);
    const sent: Sent[] = [];
    for (const mutation of twice(error)) {
      // What is left as it was differs then from what a value can be taken for.
      const isSwitch = asked === 'setRecord' && 'field' in mutation;
      const before = isSwitch ? !convert({ as: 'boolean' }, mutation.value) : undefined;
      sent.push(await send(asking, asked, [mutation], before));
    }
    const refusals = sent.flatMap(({ response }) => refusalIn(response) ?? []);
    if (refusals.length === sent.length) return sameRefusal(refusals);
    if (refusals.length > 0) {
      throw new Unsteady(
        'expected two such values to be treated alike: one is refused, one is not',
      );
    }
    return readAcceptance(asking, asked, error.id, sent);
  };
}

/**
 * The wrong values that are sent: two, as a word that varies is no code. A key is sent once, as some services
 * lock out who tries many, and so is what takes a session each time.
 */
function twice({ class: errorClass, wrong }: RequestError): readonly Mutation[] {
  const [only] = wrong;
  const isCostly =
    only !== undefined && 'idOf' in only && ['session', 'other-key'].includes(only.idOf);
  if (wrong.length > 1 || only === undefined) return wrong;
  return isCostly || errorClass === 'key' || errorClass === 'state' ? wrong : [only, only];
}

/** @throws Blocked where the bytes of a text would be in a field that is refused whatever is in it */
async function requireText(
  asking: Asking,
  asked: Asked,
  { wrong: [first] }: RequestError,
): Promise<void> {
  if (first === undefined || !('bytes' in first) || asked === 'createStream') return;
  const { response } = await send(asking, asked, [{ bytes: 'text' }]);
  if (refusalIn(response) !== undefined) throw new Blocked('a body with a text that is accepted');
}

/**
 * Sends a good request of an operation, made wrong. A stream that a refusal left as it was serves again.
 * @param record what recording of the stream is switched to before, if it matters
 */
export async function send(
  asking: Asking,
  asked: Asked,
  mutations: readonly Mutation[],
  record?: boolean,
): Promise<Sent> {
  const good = await goodFor(asking, asked, mutations);
  const { stream } = good;
  const isSwitched = record !== undefined && (await asking.ask(plainRecord))['record'] !== record;
  if (isSwitched && stream !== undefined) await setRecord(asking.send, stream.id, record, 0);
  const response = await asking.send(await mutate(asking, good, mutations));
  if (stream !== undefined) await asking.lives.get(stream.id)?.().catch(ignoreTarget);
  const isSpare = !isSwitched && stream !== undefined && !asking.creations.live.has(stream.id);
  if (isSpare && refusalIn(response) !== undefined) asking.spares.push(stream);
  const mutation = mutations[0] as Mutation;
  return { good, mutation, response, ...(isSwitched && { before: { record } }) };
}

/** A stream that was deleted, or ended, cannot be ended again. */
function ignoreTarget(error: unknown): void {
  if (!isOfTarget(error)) throw error;
}

/** A good request that some mutations make wrong, and nothing else. */
async function goodFor(
  asking: Asking,
  asked: Asked,
  mutations: readonly Mutation[],
): Promise<Good> {
  const good = await goodRequest(asking, asked);
  const { stream } = good;
  // A service may refuse to end what is not live.
  const isEnding = asked === 'terminateStream' && !mutations.some((one) => 'state' in one);
  if (isEnding && stream !== undefined && !(await asking.ask(terminatesIdle))) {
    asking.lives.set(stream.id, await goLive(asking, stream));
  }
  // A query is asked of a list of several records, where there are some.
  if (!isList(asked) || asking.readOnly || !mutations.some((one) => 'query' in one)) return good;
  return { ...good, id: (await asking.ask(knownLists[asked])).streamId };
}

async function readAcceptance(
  asking: Asking,
  asked: Asked,
  error: string,
  sent: readonly Sent[],
): Promise<Cell> {
  const [head] = error.split(':');
  const redirect = sent[0]?.response.status ?? 0;
  if (head === 'path' && [301, 302, 307, 308].includes(redirect)) {
    return { redirect: redirect as 301 | 302 | 307 | 308 };
  }
  const failed = sent.find(({ response }) => !isSuccess(response));
  if (failed !== undefined) {
    throw new Unsayable(`expected a success or a refusal, got ${failed.response.status}`);
  }
  if (head === 'field') return acceptanceOf(asked, error, await readFields(asking, asked, sent));
  if (head === 'query' && isList(asked)) {
    if (sent.some(({ response }) => recordsIn(response)?.isList !== true)) {
      throw new Unsayable('expected a list or a refusal, got something else');
    }
    const shown = sent.map(({ response }) => idsIn(response));
    return { as: await readList(asking, asked, error, shown) };
  }
  const [word] = wordsFor(asked, error);
  if (word === undefined || word === 'constant' || word === 'redirect') {
    throw new Unsayable('expected a refusal, got a success');
  }
  if (head !== 'id') return { as: word };
  const isEmpty = sent.every(({ response }) => recordsIn(response)?.records.length === 0);
  if (isEmpty === (word === 'empty')) return { as: word };
  throw new Unsayable(`expected ${word} or a refusal, got something else`);
}

function idsIn(response: TargetResponse): readonly string[] {
  return (recordsIn(response)?.records ?? []).map(({ id }) => textOf(id));
}

/** What a stream shows of each wrong value. */
async function readFields(
  asking: Asking,
  asked: Asked,
  sent: readonly Sent[],
): Promise<readonly Shown[]> {
  const seen: Shown[] = [];
  for (const { mutation, ...one } of sent) {
    if (!('field' in mutation)) continue;
    const { field: path, value } = mutation;
    seen.push(await readShown(asking, asked, { ...one, path, sent: value }));
  }
  return seen;
}

async function probeLimit(
  asking: Asking,
  asked: Asked,
  error: RequestError,
  ladder: readonly number[],
): Promise<Cell> {
  const usual = await usualResponse(asking, asked, error, ladder[0] ?? 0);
  const attempt = async (index: number): Promise<Tried> => {
    const mutation = error.wrong[index - 1];
    if (mutation === undefined) throw new Blocked('a value of the ladder');
    const one = await send(asking, asked, [mutation]);
    if ('depth' in mutation && asked === 'createStream') noteCreated(asking, one.response);
    const refusal = refusalIn(one.response);
    // What is refused for another reason is refused whatever its size.
    const isOther = usual !== undefined && refuseAlike(usual, one.response);
    if (refusal !== undefined && !isOther) return refusal;
    if (isOther) return taken;
    return (await readAcceptance(asking, asked, error.id, [one])) as Tried;
  };
  const [accepted] = wordsFor(asked, error.id);
  const taken: Tried = { as: accepted === 'kept' ? 'kept' : 'accepted' };
  const found = await findLimit(ladder, (tried) => 'as' in tried && tried.as === taken.as, attempt);
  if (found !== undefined) return limitCell(found);
  if (usual !== undefined) throw new Blocked('a body with a further field that is accepted');
  return taken;
}

/** Notes a stream whose response is too deep to be read, so that it is deleted in the end. */
function noteCreated({ target: { gate }, creations }: Asking, response: TargetResponse): void {
  const [, id] = /"id"\s*:\s*"([\w-]+)"/.exec(response.text) ?? [];
  if (!isSuccess(response) || id === undefined || gate.owns(id)) return;
  gate.adopt(id);
  if (gate.owns(id)) creations.streams.push(id);
}

/** The response to the usual value of a limit, where that may be refused for another reason. */
async function usualResponse(
  asking: Asking,
  asked: Asked,
  { wrong: [first] }: RequestError,
  usual: number,
): Promise<TargetResponse | undefined> {
  if (first === undefined || !('depth' in first)) return undefined;
  const { response } = await send(asking, asked, [{ depth: usual }]);
  return refusalIn(response) === undefined ? undefined : response;
}

/** Requests of which a service that has the operation should accept one, or refuse one otherwise than the others. */
const attempts: Readonly<Partial<Record<Asked, readonly (readonly Mutation[])[]>>> = {
  updateStream: [[], [{ text: '{}' }], [{ field: 'name' }, { field: 'suspended', value: true }]],
  // A service that ends streams may refuse one that is not live.
  terminateStream: [[{ state: 'idle' }], [{ state: 'live' }]],
};

/** Whether an operation is there that the interface leaves open, and how it is refused where it is not. */
async function probeOperation(asking: Asking, asked: Asked): Promise<Cell> {
  const tried: TargetResponse[] = [];
  for (const mutations of attempts[asked] ?? [[]]) {
    const { response, good } = await send(asking, asked, mutations);
    if (isSuccess(response)) {
      // Some services send a web page for what they do not offer.
      if (good.method !== 'GET' || /json/i.test(response.headers.get('content-type') ?? '')) {
        return { as: 'accepted' };
      }
      throw new Unsayable('expected JSON or a refusal, got another success');
    }
    tried.push(response);
  }
  const [first] = tried;
  if (first === undefined) throw new Unsayable('expected a response');
  if (tried.every((response) => refuseAlike(response, first))) return readRefusal(first);
  return { as: 'accepted' };
}
