import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type Acceptance,
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
  type Mutation,
  type RequestError,
} from '../../../interface/dialect/errors.ts';
import { type CellOf, isHidden } from '../../../interface/dialect/refusals.ts';
import { isSameJson } from '../../../interface/json.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
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
export function cellsIn(round: keyof typeof rounds, observed: Observations): Entry[] {
  const cellOf = knownCells(observed);
  /** Whether the service answers with a web page, so that nothing can be learned. */
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

/** How many cells are asked for if a service has every operation. */
export const cellCount: number = allPlaces.filter((place) =>
  isAsked(place, () => ({ as: 'kept' })),
).length;

/**
 * Whether a cell is asked for. Wrong keys, and errors that all operations share, are tried with one reading
 * operation: some services lock out a client that tries many wrong keys.
 */
function isAsked({ endpoint, error }: EndpointCell, cellOf: CellOf): boolean {
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
 * back what was accepted. @throws Blocked without what it needs; Unsayable for what a cell cannot express
 */
export function probeCell(place: EndpointCell): Question<Cell> {
  const { endpoint, error } = place;
  if (error.id === 'operation:given') return probeOperation(endpoint);
  return async (asking) => {
    const probe = { ...place, asking };
    const isLimit = error.ladder !== undefined;
    const cell = await (isLimit ? findLimit(probe) : outcomeOf(probe, twice(error)));
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
function twice({ class: errorClass, wrong }: RequestError): readonly Mutation[] {
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
  probe: CellProbe,
  mutations: readonly Mutation[],
): Promise<Cell | undefined> {
  const { asking, endpoint, error } = probe;
  const sent: SentField[] = [];
  for (const mutation of mutations) {
    const { field = '', value = undefined } = 'field' in mutation ? mutation : {};
    // So the old value differs from what the wrong value can be converted to.
    const isSwitch = endpoint === 'setRecord' && field === 'record';
    const record = isSwitch ? !convert({ as: 'boolean' }, value) : undefined;
    const one = await sendWrong(asking, endpoint, [mutation], { record });
    sent.push({ ...one, path: field, value, record });
  }
  const refusals = sent.flatMap(({ response }) => refusalIn(response) ?? []);
  if (refusals.length > 0 && refusals.length < sent.length) {
    throw new Unsteady('expected the same for two such values: one is refused, one is not');
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
  const [word] = acceptanceKindsFor(endpoint, error.id);
  if (word === undefined || word === 'constant' || word === 'redirect') {
    throw new Unsayable('expected a refusal, got a success');
  }
  const isEmpty = pages.every((page) => page?.records.length === 0);
  if (head !== 'id' || isEmpty === (word === 'empty')) return { as: word };
  throw new Unsayable(`expected ${word} or a refusal, got something else`);
}

/** Requires that an almost right key shows what the right one does. @throws Blocked if it shows another account */
async function requireOwn(
  { asking, endpoint }: CellProbe,
  shown: readonly string[],
): Promise<void> {
  const { response } = await sendWrong(asking, endpoint, []);
  const own = (recordsIn(response)?.records ?? []).map(({ id }) => textOf(id));
  const known = new Set([...own, ...asking.creations.streams]);
  // Accounts without streams all look the same.
  const isOwn = own.length === 0 ? endpoint !== 'listStreams' : shown.some((id) => known.has(id));
  if (isOwn) return;
  throw new Blocked(
    'a key that is almost the right one belongs to another account (a mock without --api-key accepts every test key)',
  );
}

/** Searches a ladder, whose first value is valid, for the place from which values are no longer accepted unchanged. */
async function findLimit(probe: CellProbe): Promise<Cell | undefined> {
  const { id, wrong, ladder = [] } = probe.error;
  const [word] = acceptanceKindsFor(probe.endpoint, id);
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

/** Whether a service has an operation that the interface leaves open, and if not, how it is refused. */
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
    throw new Unsayable('expected JSON or a refusal, got a success without JSON');
  };
}
