import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type Acceptance,
  type Cell,
  convert,
  isRefusal,
  wordsFor,
} from '../../../interface/cells.ts';
import { cellName } from '../../../interface/dialect.ts';
import {
  type Endpoint,
  endpointNames,
  errorsOf,
  isShared,
  type Mutation,
  type RequestError,
} from '../../../interface/errors.ts';
import { isSameJson } from '../../../interface/json.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
import { type CellOf, isHidden } from '../../../interface/refusals.ts';
import { textOf } from '../../json.ts';
import { recordsIn } from '../../response.ts';
import {
  type Entry,
  knownCells,
  type Observations,
  type Question,
  Unsayable,
  Unsteady,
} from '../asking/asking.ts';
import { acceptedField, acceptedQuery, type SentField } from './accepted.ts';
import { areAlike, refusalIn, sameRefusal } from './refusals.ts';
import { accepted, type CellProbe, type EndpointCell, isList, sendWrong } from './requests.ts';

const allPlaces: readonly EndpointCell[] = endpointNames.flatMap((endpoint) =>
  errorsOf[endpoint].map((error) => ({ endpoint, error })),
);

/**
 * When cells are asked for, in rounds, by the first pattern that fits: those that decide whether others show
 * come first. Queries are asked for while nothing is created, and last of all what may spoil each list that
 * shows it.
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

/** What asks for the cells of a round that a client can notice. */
export function cellsIn(round: keyof typeof rounds, observed: Observations): Entry[] {
  const cellOf = knownCells(observed);
  /** Whether a web page is answered instead of what is asked for, so that nothing can be said of it. */
  const isPage = (endpoint: Endpoint): boolean =>
    observed.get(cellName(endpoint, 'operation:given'))?.outcome === 'unsayable';
  return allPlaces.flatMap((place) => {
    const { endpoint, error } = place;
    const ofRound = Object.values(rounds).find((one) => one.test(error.id));
    const isShown = !isPage(endpoint) && !isHidden(endpoint, error.id, cellOf);
    if (ofRound !== rounds[round] || !isShown || !isAsked(place, cellOf)) return [];
    return [{ name: cellName(endpoint, error.id), question: probeCell(place) }];
  });
}

/** How many cells are asked for, of a service that has every operation. */
export const cellCount: number = allPlaces.filter((place) =>
  isAsked(place, () => ({ as: 'kept' })),
).length;

/**
 * What is the same for all operations is asked of one that reads, and so are wrong keys: some services lock
 * out who tries many.
 */
function isAsked({ endpoint, error }: EndpointCell, cellOf: CellOf): boolean {
  // A path that is unknown as well says the same with any key.
  if (endpoint === 'unknownRoute') return error.class === 'route';
  // No request that writes may hold an id that is no plain text.
  if (/^id:(percent|nul)$/.test(error.id)) return interfaceOperations[endpoint].method === 'GET';
  if (error.class === 'key') return endpoint === readingOperation(cellOf);
  // What is refused of a live stream is another set of profiles.
  if (endpoint === 'updateStream' && error.class === 'state') {
    const cell = cellOf(endpoint, 'field:profiles:given');
    return cell !== undefined && 'as' in cell && cell.as === 'kept';
  }
  return !isShared(error.id) || endpoint === 'listSessionsOfStream';
}

/** The operation to which wrong keys go. */
export function readingOperation(cellOf: CellOf): Endpoint {
  const offered = cellOf('listStreams', 'operation:given');
  return offered === undefined || isRefusal(offered) ? 'listSessionsOfStream' : 'listStreams';
}

/**
 * What happens to one error of one operation: a good request, made wrong in two ways. What was accepted is
 * read back. @throws Blocked without what it needs; Unsayable for what no cell can say
 */
export function probeCell(place: EndpointCell): Question<Cell> {
  const { endpoint, error } = place;
  if (error.id === 'operation:given') return probeOperation(endpoint);
  return async (asking) => {
    const probe = { ...place, asking };
    const isLimit = error.ladder !== undefined;
    const cell = await (isLimit ? findLimit(probe) : outcomeOf(probe, twice(error)));
    if (cell !== undefined) return cell;
    // A body that is refused for a further field is read whatever its depth.
    if (error.id === 'body:deep') return { as: 'accepted' };
    throw new Blocked('a body with a further field that is accepted');
  };
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

/**
 * What happens to requests that are wrong in the same way; `undefined` where they are refused as any is with
 * the further field that has what is wrong.
 */
async function outcomeOf(
  probe: CellProbe,
  mutations: readonly Mutation[],
): Promise<Cell | undefined> {
  const { asking, endpoint, error } = probe;
  const sent: SentField[] = [];
  for (const mutation of mutations) {
    const { field = '', value = undefined } = 'field' in mutation ? mutation : {};
    // What is left as it was differs then from what a value can be taken for.
    const isSwitch = endpoint === 'setRecord' && field === 'record';
    const record = isSwitch ? !convert({ as: 'boolean' }, value) : undefined;
    const one = await sendWrong(asking, endpoint, [mutation], { record });
    sent.push({ ...one, path: field, value, record });
  }
  const refusals = sent.flatMap(({ response }) => refusalIn(response) ?? []);
  if (refusals.length > 0 && refusals.length < sent.length) {
    throw new Unsteady('expected two such values to be treated alike: one is refused, one is not');
  }
  if (refusals.length === 0) return readAcceptance(probe, sent);
  const refusal = sameRefusal(refusals);
  const isInFurther =
    error.id === 'body:deep' || (error.id === 'body:bytes' && endpoint !== 'createStream');
  const anyway = isInFurther ? asking.cellOf(endpoint, 'field:unknown:given') : undefined;
  return areAlike(anyway, refusal) ? undefined : refusal;
}

const redirects = [301, 302, 307, 308] as const;

/** What became of requests that were not refused. */
async function readAcceptance(probe: CellProbe, sent: readonly SentField[]): Promise<Acceptance> {
  const { endpoint, error } = probe;
  const responses = sent.map(({ response }) => response);
  const [head] = error.id.split(':');
  const redirect = redirects.find((status) => responses.some((one) => one.status === status));
  if (head === 'path' && redirect !== undefined) return { redirect };
  const other = responses.find((response) => !isSuccess(response));
  if (other !== undefined) {
    throw new Unsayable(`expected a success or a refusal, got ${other.status}`);
  }
  if (head === 'field') return acceptedField(probe, sent);
  const pages = responses.map(recordsIn);
  if (isList(endpoint) && !pages.every((page) => page?.isList)) {
    throw new Unsayable('expected a list or a refusal, got something else');
  }
  const ids = pages.map((page) => (page?.records ?? []).map(({ id }) => textOf(id)));
  if (head === 'query' && isList(endpoint)) return acceptedQuery(probe, endpoint, ids);
  if (/^key:(cut|extended)$/.test(error.id)) await requireOwn(probe, ids.flat());
  const [word] = wordsFor(endpoint, error.id);
  if (word === undefined || word === 'constant' || word === 'redirect') {
    throw new Unsayable('expected a refusal, got a success');
  }
  const isEmpty = pages.every((page) => page?.records.length === 0);
  if (head !== 'id' || isEmpty === (word === 'empty')) return { as: word };
  throw new Unsayable(`expected ${word} or a refusal, got something else`);
}

/** That a key which is almost right shows what the right one does. @throws Blocked where it is that of another account */
async function requireOwn(
  { asking, endpoint }: CellProbe,
  shown: readonly string[],
): Promise<void> {
  const { response } = await sendWrong(asking, endpoint, []);
  const own = (recordsIn(response)?.records ?? []).map(({ id }) => textOf(id));
  const known = new Set([...own, ...asking.creations.streams]);
  // An account without streams looks like any other one without.
  const isOwn = own.length === 0 ? endpoint !== 'listStreams' : shown.some((id) => known.has(id));
  if (isOwn) return;
  throw new Blocked(
    "a key that is almost right and of no account: the service took it for another account's key (a mock without --api-key takes every test key)",
  );
}

/** Searches a ladder, whose first value is usual, for the place from which values are not taken as they are. */
async function findLimit(probe: CellProbe): Promise<Cell | undefined> {
  const { id, wrong, ladder = [] } = probe.error;
  const [word] = wordsFor(probe.endpoint, id);
  const taken: Cell = { as: word === 'kept' ? 'kept' : 'accepted' };
  const isTaken = (cell: Cell | undefined): boolean =>
    cell === undefined || isSameJson(cell, taken);
  let least = 0;
  let most = ladder.length - 1;
  let found = await outcomeOf(probe, wrong.slice(most - 1, most));
  if (isTaken(found)) return found;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    const other = await outcomeOf(probe, wrong.slice(middle - 1, middle));
    if (isTaken(other)) least = middle;
    else {
      most = middle;
      found = other;
    }
  }
  const [above, below] = [ladder[least] ?? 0, ladder[most] ?? 0].toSorted((a, b) => a - b);
  return { ...found, above, below } as Cell;
}

/** Whether an operation is there that the interface leaves open, and how it is refused where it is not. */
function probeOperation(endpoint: Endpoint): Question<Cell> {
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
    throw new Unsayable('expected JSON or a refusal, got another success');
  };
}
