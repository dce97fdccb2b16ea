import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../../conformance/target/failure.ts';
import { setRecord } from '../../../conformance/target/operations.ts';
import { convert, wordsFor } from '../../../interface/accepted.ts';
import { type Acceptance, type Cell, isRefusal, type Refusal } from '../../../interface/cells.ts';
import {
  type Asked,
  askedNames,
  errorsOf,
  isShared,
  type Mutation,
  type RequestError,
} from '../../../interface/errors.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
import { isHidden } from '../../../interface/refusals.ts';
import {
  type Asking,
  type Observation,
  type Question,
  Unsayable,
  Unsteady,
} from '../asking/asking.ts';
import { recordsIn } from '../asking/streams.ts';
import { plainRecord, readFields, readQuery } from './accepted.ts';
import { areAlike, readRefusal, refusalIn, sameRefusal } from './refusals.ts';
import { goodRequest, isList, mutate, type Parts } from './requests.ts';

/** What is known of a cell. */
export type CellOf = (asked: Asked, error: string) => Cell | undefined;

/** The name of a cell, by which it is observed. */
export function cellName(asked: Asked, error: string): string {
  return `refusals.${asked}.${error}`;
}

/** What is known of cells by now. */
export function knownCells(observed: ReadonlyMap<string, Observation>): CellOf {
  return (asked, error) => {
    const found = observed.get(cellName(asked, error));
    return found?.outcome === 'observed' ? (found.value as Cell) : undefined;
  };
}

/** One cell that is asked for. */
interface Place {
  readonly asked: Asked;
  readonly error: RequestError;
}

const allPlaces: readonly Place[] = askedNames.flatMap((asked) =>
  errorsOf[asked].map((error) => ({ asked, error })),
);

type Round = 'operations' | 'fields' | 'profiles' | 'others' | 'parameters' | 'queries' | 'depth';

/**
 * When cells are asked for, in rounds: those that decide whether others show come first. Queries are asked
 * for while nothing is created, and last of all what may spoil each list that shows it.
 */
const rounds: Readonly<Record<Round, (error: RequestError) => boolean>> = {
  operations: ({ id }) => id === 'operation:given',
  fields: ({ id }) => /^field:[^[]*:given$/.test(id),
  profiles: ({ id }) => /^field:.*\[.*:given$/.test(id),
  others: ({ id, class: errorClass }) =>
    errorClass !== 'query' && !/^(operation:given|field:.*:given|body:deep)$/.test(id),
  parameters: ({ id }) => /^query:.*:given$/.test(id),
  queries: ({ id, class: errorClass }) => errorClass === 'query' && !id.endsWith(':given'),
  depth: ({ id }) => id === 'body:deep',
};

/** The cells of a round that a client can notice. */
export function cellsIn(
  round: Round,
  observed: ReadonlyMap<string, Observation>,
): readonly Place[] {
  const cellOf = knownCells(observed);
  /** Whether a web page is answered instead of what is asked for, so that nothing can be said of it. */
  const isPage = (asked: Asked): boolean =>
    observed.get(cellName(asked, 'operation:given'))?.outcome === 'unsayable';
  return allPlaces.filter(
    ({ asked, error }) =>
      rounds[round](error) &&
      !isPage(asked) &&
      isAsked({ asked, error }, cellOf) &&
      !isHidden(asked, error.id, cellOf),
  );
}

/** How many cells are asked for, of a service that has every operation. */
export const cellCount: number = allPlaces.filter((place) =>
  isAsked(place, () => ({ as: 'kept' })),
).length;

/**
 * What is the same for all operations is asked of one that reads, and so are wrong keys: some services lock
 * out who tries many.
 */
function isAsked({ asked, error }: Place, cellOf: CellOf): boolean {
  // A path that is unknown as well says the same with any key.
  if (asked === 'unknownRoute') return error.class === 'route';
  // No request that writes may hold an id that is no plain text.
  if (/^id:(percent|nul)$/.test(error.id)) return interfaceOperations[asked].method === 'GET';
  if (error.class === 'key') return asked === readingOperation(cellOf);
  // What is refused of a live stream is another set of profiles.
  if (asked === 'updateStream' && error.class === 'state') {
    const cell = cellOf(asked, 'field:profiles:given');
    return cell !== undefined && 'as' in cell && cell.as === 'kept';
  }
  return !isShared(error.id) || asked === 'listSessionsOfStream';
}

/** The operation to which wrong keys go. */
export function readingOperation(cellOf: CellOf): Asked {
  const offered = cellOf('listStreams', 'operation:given');
  return offered === undefined || isRefusal(offered) ? 'listSessionsOfStream' : 'listStreams';
}

/**
 * What happens to one error of one operation: a good request, made wrong in two ways. What was accepted is
 * read back. @throws Blocked without what it needs; Unsayable for what no cell can say
 */
export function probeCell({ asked, error }: Place): Question<Cell> {
  return async (asking) => {
    if (error.id === 'operation:given') return probeOperation(asking, asked);
    const anyway = await refusedAnyway(asking, asked, error);
    if (error.ladder !== undefined) {
      return probeLimit(asking, asked, error, { ladder: error.ladder, anyway });
    }
    const outcome = await outcomeOf(asking, asked, error.id, twice(error));
    if (!areAlike(anyway, outcome as Refusal)) return outcome;
    throw new Blocked('a body with a further field that is accepted');
  };
}

/** How a request is refused that holds a harmless value where a wrong one is meant; `undefined` where it is not. */
async function refusedAnyway(
  asking: Asking,
  asked: Asked,
  { wrong: [first], ladder }: RequestError,
): Promise<Refusal | undefined> {
  if (first === undefined) return undefined;
  const harmless =
    'bytes' in first
      ? { bytes: 'text' }
      : 'depth' in first
        ? { depth: ladder?.[0] ?? 1 }
        : undefined;
  return harmless && refusalIn((await send(asking, asked, [harmless])).response);
}

/**
 * The wrong values that are sent: two, as a word that varies is no code. A key is sent once, as some services
 * lock out who tries many, and so is what takes a session each time.
 */
function twice({ class: errorClass, wrong }: RequestError): readonly Mutation[] {
  const [only] = wrong;
  if (wrong.length > 1 || only === undefined) return wrong;
  const isCostly = 'idOf' in only && ['session', 'other-key'].includes(only.idOf);
  return isCostly || errorClass === 'key' || errorClass === 'state' ? wrong : [only, only];
}

/** A wrong request and its response. */
interface Sent {
  readonly good: Parts;
  readonly mutation: Mutation;
  readonly response: TargetResponse;
  /** What the stream showed before, where that is not what every new one shows. */
  readonly before: JsonObject | undefined;
}

/** What happens to requests that are wrong in the same way. */
async function outcomeOf(
  asking: Asking,
  asked: Asked,
  error: string,
  mutations: readonly Mutation[],
): Promise<Refusal | Acceptance> {
  const sent: Sent[] = [];
  for (const mutation of mutations) {
    // What is left as it was differs then from what a value can be taken for.
    const isSwitch = asked === 'setRecord' && 'field' in mutation;
    const before = isSwitch ? !convert({ as: 'boolean' }, mutation.value) : undefined;
    sent.push(await send(asking, asked, [mutation], before));
  }
  const refusals = sent.flatMap(({ response }) => refusalIn(response) ?? []);
  if (refusals.length === 0) return readAcceptance(asking, asked, error, sent);
  if (refusals.length === sent.length) return sameRefusal(refusals);
  throw new Unsteady('expected two such values to be treated alike: one is refused, one is not');
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
  const good = await goodRequest(asking, asked, mutations);
  const { stream } = good;
  const isSwitched = record !== undefined && (await asking.ask(plainRecord))['record'] !== record;
  if (isSwitched && stream !== undefined) await setRecord(asking.send, stream.id, record, 0);
  const response = await asking.send(await mutate(asking, good, mutations));
  if (asked === 'createStream') noteCreated(asking, response);
  if (stream !== undefined) {
    await asking.lives.get(stream.id)?.().catch(ignoreTarget);
    const isChanged = isSwitched || asking.creations.live.has(stream.id);
    if (!isChanged && refusalIn(response) !== undefined) asking.spares.push(stream);
  }
  const mutation = mutations[0] as Mutation;
  return { good, mutation, response, before: isSwitched ? { record } : undefined };
}

/** Notes a stream whose response is too deep to be read, so that it is deleted in the end. */
function noteCreated({ target: { gate }, creations }: Asking, response: TargetResponse): void {
  const [, id] = /"id"\s*:\s*"([\w-]+)"/.exec(response.text) ?? [];
  if (!isSuccess(response) || id === undefined || gate.owns(id)) return;
  gate.adopt(id);
  if (gate.owns(id)) creations.streams.push(id);
}

/** A stream that was deleted, or ended, cannot be ended again. */
function ignoreTarget(error: unknown): void {
  if (!isOfTarget(error)) throw error;
}

async function readAcceptance(
  asking: Asking,
  asked: Asked,
  error: string,
  sent: readonly Sent[],
): Promise<Acceptance> {
  const [head] = error.split(':');
  const responses = sent.map(({ response }) => response);
  const { status = 0 } = responses.find((response) => !isSuccess(response)) ?? {};
  if (head === 'path' && redirects.has(status)) {
    return { redirect: status as 301 | 302 | 307 | 308 };
  }
  if (status !== 0) throw new Unsayable(`expected a success or a refusal, got ${status}`);
  if (head === 'query' && isList(asked)) return readQuery(asking, asked, error, responses);
  if (head === 'field') {
    const fields = sent.flatMap(({ mutation, ...one }) =>
      'field' in mutation ? [{ ...one, path: mutation.field, sent: mutation.value }] : [],
    );
    return readFields(asking, asked, error, fields);
  }
  const [word] = wordsFor(asked, error);
  if (word === undefined || word === 'constant' || word === 'redirect') {
    throw new Unsayable('expected a refusal, got a success');
  }
  const isEmpty = responses.every((response) => recordsIn(response)?.records.length === 0);
  if (head !== 'id' || isEmpty === (word === 'empty')) return { as: word };
  throw new Unsayable(`expected ${word} or a refusal, got something else`);
}

const redirects: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** The values of a limit, and how a request is refused whatever value it has, if it is. */
interface Limit {
  readonly ladder: readonly number[];
  readonly anyway: Refusal | undefined;
}

/** Searches a ladder, whose first value is usual, for the place from which values are not taken as they are. */
async function probeLimit(
  asking: Asking,
  asked: Asked,
  { id, wrong }: RequestError,
  { ladder, anyway }: Limit,
): Promise<Cell> {
  const [word] = wordsFor(asked, id);
  const taken: Acceptance = { as: word === 'kept' ? 'kept' : 'accepted' };
  /** What becomes of a value; `undefined` where it is taken as it is. */
  const attempt = async (index: number): Promise<Refusal | Acceptance | undefined> => {
    const found = await outcomeOf(asking, asked, id, wrong.slice(index - 1, index));
    const isTaken = ('as' in found && found.as === taken.as) || areAlike(anyway, found as Refusal);
    return isTaken ? undefined : found;
  };
  let least = 0;
  let most = ladder.length - 1;
  let found = await attempt(most);
  if (found === undefined) {
    if (anyway === undefined) return taken;
    throw new Blocked('a body with a further field that is accepted');
  }
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    const other = await attempt(middle);
    if (other === undefined) least = middle;
    else [most, found] = [middle, other];
  }
  const [above, below] = [ladder[least] ?? 0, ladder[most] ?? 0].toSorted((a, b) => a - b);
  return { ...found, above, below } as Cell;
}

/** Requests of which a service that has an operation should accept one, or refuse one otherwise than the others. */
export function attemptsAt(asked: Asked): readonly (readonly Mutation[])[] {
  if (asked === 'updateStream') {
    return [[], [{ text: '{}' }], [{ field: 'name' }, { field: 'suspended', value: true }]];
  }
  // A service that ends streams may refuse one that is not live.
  return asked === 'terminateStream' ? [[{ state: 'idle' }], [{ state: 'live' }]] : [[]];
}

/** Whether an operation is there that the interface leaves open, and how it is refused where it is not. */
async function probeOperation(asking: Asking, asked: Asked): Promise<Cell> {
  const tried: Refusal[] = [];
  for (const mutations of attemptsAt(asked)) {
    const { response, good } = await send(asking, asked, mutations);
    if (isSuccess(response)) {
      // Some services send a web page for what they do not offer.
      const isJson = /json/i.test(response.headers.get('content-type') ?? '');
      if (good.method !== 'GET' || isJson) return { as: 'accepted' };
      throw new Unsayable('expected JSON or a refusal, got another success');
    }
    tried.push(readRefusal(response));
  }
  const [first] = tried;
  const isOffered = first === undefined || tried.some((one) => !areAlike(one, first));
  return isOffered ? { as: 'accepted' } : first;
}
