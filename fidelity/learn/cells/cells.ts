import { isDeepStrictEqual } from 'node:util';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked, unlessPrevented } from '../../../conformance/target/failure.ts';
import {
  type Acceptance,
  type AcceptanceKind,
  type AcceptedAs,
  acceptanceKindsFor,
  type Cell,
  convert,
  isKept,
  isRefusal,
} from '../../../interface/dialect/cells.ts';
import { cellName } from '../../../interface/dialect/dialect.ts';
import {
  type Endpoint,
  endpointNames,
  errorsOf,
  isShared,
  type ListOperation,
  type Mutation,
  type RequestError,
} from '../../../interface/dialect/errors.ts';
import { type CellOf, isHidden } from '../../../interface/dialect/refusals.ts';
import { isObject, isSameJson, type Json } from '../../../interface/json.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
import { textOf } from '../../json.ts';
import { recordIn } from '../../response.ts';
import {
  Inexpressible,
  knownCells,
  type NamedProbe,
  type Observations,
  type Probe,
  type ProbeContext,
  Unsteady,
} from '../probing/prober.ts';
import {
  defaultRecordValue,
  knownLists,
  recordValueOf,
  severalSessions,
} from '../probing/sessions.ts';
import {
  currentStream,
  findOnPages,
  firstPage,
  pageIn,
  unchangedStream,
  withQuery,
} from '../probing/streams.ts';
import { areAlike, refusalIn, sameRefusal } from './refusals.ts';
import {
  type AskedCell,
  accepted,
  type CellKey,
  isList,
  type SentRequest,
  sendWrong,
} from './requests.ts';

const allCells: readonly CellKey[] = endpointNames.flatMap((endpoint) =>
  errorsOf[endpoint].map((error) => ({ endpoint, error })),
);

/**
 * The rounds in which cells are asked for, by the first pattern that fits: cells that can hide others come
 * first. Queries come while nothing is created, and deep bodies last, because they may spoil every list that
 * shows them.
 */
const rounds = {
  operations: /^operation:given$/,
  fields: /^field:[^[]*:given$/,
  profiles: /^field:.*:given$/,
  parameters: /^query:.*:given$/,
  queries: /^query:/,
  depth: /^body:deep$/,
  others: /^/,
} as const satisfies Record<string, RegExp>;

/** Asks for those cells of a round that a client can notice. */
export function cellsIn(round: keyof typeof rounds, observed: Observations): NamedProbe[] {
  const cellOf = knownCells(observed);
  /** Whether the service answers with a web page, so that nothing can be learned. */
  const isPage = (endpoint: Endpoint): boolean =>
    observed.get(cellName(endpoint, 'operation:given'))?.outcome === 'inexpressible';
  return allCells.flatMap((key) => {
    const { endpoint, error } = key;
    const ofRound = Object.values(rounds).find((one) => one.test(error.id));
    const isShown = !isPage(endpoint) && !isHidden(endpoint, error.id, cellOf);
    if (ofRound !== rounds[round] || !isShown || !isAsked(key, cellOf)) return [];
    return [{ name: cellName(endpoint, error.id), probe: probeCell(key) }];
  });
}

/** How many cells are asked for if a service has every operation. */
export const cellCount: number = allCells.filter((key) =>
  isAsked(key, () => ({ as: 'kept' })),
).length;

/**
 * Whether a cell is asked for. Wrong keys, and errors that all operations share, are tried with one reading
 * operation: some services lock out a client that tries many wrong keys.
 */
function isAsked({ endpoint, error }: CellKey, cellOf: CellOf): boolean {
  // An unknown path may be refused whatever the key is.
  if (endpoint === 'unknownRoute') return error.class === 'route';
  // An id that is not a plain segment is only sent in requests that read.
  if (/^id:(percent|nul)$/.test(error.id)) return interfaceOperations[endpoint].method === 'GET';
  if (error.class === 'key') return endpoint === readingOperation(cellOf);
  // Services refuse to change the profiles of a live stream.
  if (endpoint === 'updateStream' && error.class === 'state') {
    return isKept(cellOf(endpoint, 'field:profiles:given'));
  }
  return !isShared(error.id) || endpoint === 'listSessionsOfStream';
}

/** The operation with which wrong keys are tried. */
export function readingOperation(cellOf: CellOf): Endpoint {
  const offered = cellOf('listStreams', 'operation:given');
  return offered === undefined || isRefusal(offered) ? 'listSessionsOfStream' : 'listStreams';
}

/**
 * Finds out what happens to one error of one operation: it makes a good request wrong in two ways, and reads
 * back what was accepted. @throws Blocked without what it needs; Inexpressible for what a cell cannot express
 */
export function probeCell(key: CellKey): Probe<Cell> {
  const { endpoint, error } = key;
  if (error.id === 'operation:given') return probeOperation(endpoint);
  return async (context) => {
    const asked = { ...key, context };
    const isLimit = error.limitSteps !== undefined;
    const cell = await (isLimit ? findLimit(asked) : outcomeOf(asked, mutationsToSend(error)));
    if (cell !== undefined) return cell;
    // A body that is refused only for its unknown field was parsed, whatever its depth.
    if (error.id === 'body:deep') return { as: 'accepted' };
    throw new Blocked('an unknown field that is accepted');
  };
}

/**
 * The wrong values to send: two, because a text that varies is not a code. Wrong keys are sent once because some
 * services lock out a client, and so is what needs a session each time.
 */
function mutationsToSend({ class: errorClass, wrong }: RequestError): readonly Mutation[] {
  const [only] = wrong;
  if (wrong.length > 1 || only === undefined) return wrong;
  const isCostly = 'idOf' in only && ['session', 'other-key'].includes(only.idOf);
  return isCostly || errorClass === 'key' || errorClass === 'state' ? wrong : [only, only];
}

/**
 * What happens to requests that are wrong in the same way; `undefined` if they are refused in the same way as
 * any request with the unknown field that contains the error.
 */
async function outcomeOf(
  asked: AskedCell,
  mutations: readonly Mutation[],
): Promise<Cell | undefined> {
  const { context, endpoint, error } = asked;
  const sent: SentField[] = [];
  for (const mutation of mutations) {
    const { field = '', value = undefined } = 'field' in mutation ? mutation : {};
    // So the old value differs from what the wrong value can be converted to.
    const isSwitch = endpoint === 'setRecord' && field === 'record';
    const record = isSwitch ? !convert({ as: 'boolean' }, value) : undefined;
    const one = await sendWrong(context, endpoint, [mutation], { record });
    sent.push({ ...one, path: field, value, record });
  }
  const refusals = sent.flatMap(({ response }) => refusalIn(response) ?? []);
  if (refusals.length > 0 && refusals.length < sent.length) {
    throw new Unsteady('expected the same for two such values: one is refused, one is not');
  }
  if (refusals.length === 0) return readAcceptance(asked, sent);
  const refusal = sameRefusal(refusals);
  const isInFurther =
    error.id === 'body:deep' || (error.id === 'body:bytes' && endpoint !== 'createStream');
  const anyway = isInFurther ? context.cellOf(endpoint, 'field:unknown:given') : undefined;
  return areAlike(anyway, refusal) ? undefined : refusal;
}

const redirects = [301, 302, 307, 308] as const;

/** What became of requests that were not refused. */
async function readAcceptance(asked: AskedCell, sent: readonly SentField[]): Promise<Acceptance> {
  const { endpoint, error } = asked;
  const responses = sent.map(({ response }) => response);
  const [head] = error.id.split(':');
  const redirect = redirects.find((status) => responses.some((one) => one.status === status));
  if (head === 'path' && redirect !== undefined) return { redirect };
  const other = responses.find((response) => !isSuccess(response));
  if (other !== undefined) {
    throw new Inexpressible(`expected a success or a refusal, got ${other.status}`);
  }
  if (head === 'field') return acceptedField(asked, sent);
  const pages = responses.map(pageIn);
  if (isList(endpoint) && !pages.every((page) => page?.isList)) {
    throw new Inexpressible('expected a list or a refusal, got something else');
  }
  const ids = pages.map((page) => page?.ids ?? []);
  if (head === 'query' && isList(endpoint)) return acceptedQuery(asked, endpoint, ids);
  if (/^key:(cut|extended)$/.test(error.id)) await requireOwn(asked, ids.flat());
  const [kind] = acceptanceKindsFor(endpoint, error.id);
  if (kind === undefined || kind === 'constant' || kind === 'redirect') {
    throw new Inexpressible('expected a refusal, got a success');
  }
  const isEmpty = pages.every((page) => page?.records.length === 0);
  if (head !== 'id' || isEmpty === (kind === 'empty')) return { as: kind };
  throw new Inexpressible(`expected ${kind} or a refusal, got something else`);
}

/** Requires that an almost right key shows what the right one does. @throws Blocked if it shows another account */
async function requireOwn(
  { context, endpoint }: AskedCell,
  shown: readonly string[],
): Promise<void> {
  const { response } = await sendWrong(context, endpoint, []);
  const own = pageIn(response)?.ids ?? [];
  const known = new Set([...own, ...context.creations.streams]);
  // Accounts without streams all look the same.
  const isOwn = own.length === 0 ? endpoint !== 'listStreams' : shown.some((id) => known.has(id));
  if (isOwn) return;
  throw new Blocked(
    'a key that is almost the right one belongs to another account (a mock without --api-key accepts every test key)',
  );
}

/** Climbs the steps of a limit, of which the first is valid, to the one from which values are no longer accepted unchanged. */
async function findLimit(asked: AskedCell): Promise<Cell | undefined> {
  const { id, wrong, limitSteps = [] } = asked.error;
  const [kind] = acceptanceKindsFor(asked.endpoint, id);
  const unlimited: Cell = { as: kind === 'kept' ? 'kept' : 'accepted' };
  let found: Cell | undefined;
  for (const [index, mutation] of wrong.entries()) {
    found = await outcomeOf(asked, [mutation]);
    if (found === undefined || isSameJson(found, unlimited)) continue;
    const [above, below] = limitSteps.slice(index, index + 2).toSorted((a, b) => a - b);
    return { ...found, above, below } as Cell;
  }
  return found;
}

/** Whether a service has an operation that the interface leaves open, and if not, how it is refused. */
function probeOperation(endpoint: Endpoint): Probe<Cell> {
  return async ({ ask }) => {
    const { sent, refusals } = await ask(accepted[endpoint]);
    const [first, ...others] = refusals;
    if (sent === undefined) {
      const isOffered = others.some((one) => !areAlike(one, first));
      return isOffered || first === undefined ? { as: 'accepted' } : first;
    }
    // Some services send a web page for what they do not offer.
    const isJson = /json/i.test(sent.response.headers.get('content-type') ?? '');
    if (sent.call.method !== 'GET' || isJson) return { as: 'accepted' };
    throw new Inexpressible('expected JSON or a refusal, got a success without JSON');
  };
}

/** A request with a wrong value of a field, and its response. */
interface SentField extends SentRequest {
  /** In `profiles[].width`, the field is in the first of two profiles. */
  readonly path: string;
  readonly value: unknown;
  /** The value of `record` before, if it was set. */
  readonly record: boolean | undefined;
}

/** What a stream shows after a wrong value of a field was accepted. */
interface ShownField {
  readonly sent: unknown;
  readonly shown: unknown;
  /** Whether it is as if it had been left out. */
  readonly isOmitted: boolean;
}

/** What happened to wrong values of a field that were accepted: the first kind that explains what is shown. */
async function acceptedField(asked: AskedCell, sent: readonly SentField[]): Promise<Acceptance> {
  const kinds = acceptanceKindsFor(asked.endpoint, asked.error.id);
  // What is shown then is up to a behaviour, or to the service.
  if (kinds.length === 1) return { as: kinds[0] as AcceptedAs };
  const seen: ShownField[] = [];
  for (const one of sent) seen.push(await shownField(asked, one));
  const errorKind = asked.error.id.split(':').at(-1) ?? '';
  const kind = kinds.find((one) => explains(one, seen, errorKind));
  if (kind === undefined) throw unexpected(kinds);
  return kind === 'constant' ? { constant: seen[0]?.shown as Json } : { as: kind as AcceptedAs };
}

async function shownField(asked: AskedCell, one: SentField): Promise<ShownField> {
  const { path, value: sent, record } = one;
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  const field = key === undefined ? path : 'profiles';
  const shown = await fieldAfter(asked, one, field);
  const isOmitted = isDeepStrictEqual(shown, record ?? (await omitted(asked, field)));
  if (key === undefined) return { sent, shown, isOmitted };
  const items: readonly unknown[] = Array.isArray(shown) && !isOmitted ? shown : [];
  if (items.length < 2)
    throw new Inexpressible('expected both profiles that were sent, got others');
  const [first] = items;
  const part = key === '' ? first : isObject(first) ? first[key] : undefined;
  return { sent, shown: part, isOmitted: part === undefined };
}

/** A field as a stream shows it after a request, or else as the response shows it. */
async function fieldAfter(
  { context, endpoint }: AskedCell,
  { stream, response }: SentRequest,
  field: string,
): Promise<unknown> {
  const returned = recordIn(response);
  const isCreation = endpoint === 'createStream';
  const before = isCreation ? returned : stream?.shown;
  if (before === undefined)
    throw new Inexpressible('expected the stream that was created, got none');
  if (isCreation && field in before) return before[field];
  const now = currentStream(context, textOf(before['id']));
  if (field !== 'record') return ((await unlessPrevented(now)) ?? returned ?? (await now))[field];
  const { record: _, ...others } = before;
  return recordValueOf(context, (await unlessPrevented(now)) ?? returned ?? others);
}

/** What a stream shows if a field is left out; unknown for the name. */
async function omitted({ context: { ask }, endpoint }: AskedCell, field: string): Promise<unknown> {
  if (field === 'record') return ask(defaultRecordValue);
  const isOpen = endpoint === 'createStream' && field === 'name';
  return isOpen ? undefined : (await ask(unchangedStream)).shown[field];
}

function explains(kind: AcceptanceKind, seen: readonly ShownField[], errorKind: string): boolean {
  const [first, second] = seen;
  if (first === undefined) return false;
  const isSame = seen.every(({ shown }) => isDeepStrictEqual(shown, first.shown));
  if (kind === 'constant') return isSame && first.shown !== undefined;
  // A service may add to what it keeps.
  if (kind === 'kept' && errorKind === 'given' && second !== undefined && !isSame) {
    return seen.some(({ shown, isOmitted }) => shown !== undefined && !isOmitted);
  }
  if (kind === 'dropped') return seen.every(({ isOmitted }) => isOmitted);
  return seen.every(({ sent, shown }) =>
    isDeepStrictEqual(shown, convert({ as: kind as AcceptedAs }, sent as Json)),
  );
}

function unexpected(kinds: readonly string[]): Inexpressible {
  return new Inexpressible(`expected one of ${kinds.join(', ')}, got something else`);
}

/**
 * What happened to a query parameter that a list accepted.
 * @param listed the ids that it shows with each value
 */
async function acceptedQuery(
  { context, endpoint, error }: AskedCell,
  list: ListOperation,
  listed: readonly (readonly string[])[],
): Promise<Acceptance> {
  const kinds = acceptanceKindsFor(endpoint, error.id) as readonly AcceptedAs[];
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return { as: only };
  const { path } = await context.ask(knownLists[list]);
  const { ids } = await firstPage(context, path);
  if (ids.length < 2) throw new Blocked('a list of two records');
  const kind = await kindOfQuery(context, path, error.id, listed);
  if (kinds.includes(kind)) return { as: kind };
  throw unexpected(kinds);
}

async function kindOfQuery(
  context: ProbeContext,
  path: string,
  error: string,
  listed: readonly (readonly string[])[],
): Promise<AcceptedAs> {
  const isLike = async (other: string): Promise<boolean> => {
    const { ids } = await firstPage(context, other);
    return listed.every((one) => one.join() === ids.join());
  };
  if (error === 'query:record:given') return recordQuery(context, path);
  // The usual order may be the one that was asked for.
  const other = error === 'query:order:given' ? withQuery(path, 'order=createdAt-true') : path;
  if (/:given$|:parentId:/.test(error)) return (await isLike(other)) ? 'dropped' : 'kept';
  const active = withQuery(path, 'active=true');
  // Any text may count as true.
  if (error.includes(':active:')) return (await isLike(active)) ? 'kept' : 'dropped';
  if (listed.every((ids) => ids.length === 0)) return 'empty';
  // A limit such as 1.5 may count as 1.
  return error.includes(':limit:') && listed[0]?.length === 1 ? 'truncated' : 'dropped';
}

/** A list may be the same without the parameter, and new sessions may be on its last page. */
async function recordQuery(context: ProbeContext, path: string): Promise<AcceptedAs> {
  const { unrecorded } = await context.ask(severalSessions);
  const recordedOnly = path.includes('record=1') ? path : withQuery(path, 'record=1');
  const isOther = ({ id, record }: JsonObject): boolean =>
    record === false || unrecorded.includes(textOf(id));
  const other = await findOnPages(context, recordedOnly, isOther);
  return other === undefined ? 'kept' : 'dropped';
}
