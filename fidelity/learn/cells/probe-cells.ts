import {
  type Cell,
  convert,
  isKept,
  isRefusal,
  type Refusal,
} from '../../../interface/dialect/cells.ts';
import {
  type Endpoint,
  type ErrorId,
  endpointNames,
  errorsOf,
  type Flaw,
  type RequestError,
} from '../../../interface/dialect/errors.ts';
import { type CellOf, isMasked } from '../../../interface/dialect/matrix.ts';
import { cellName } from '../../../interface/dialect/statements.ts';
import { isSameJson } from '../../../interface/json.ts';
import {
  Inexpressible,
  knownCells,
  type NamedProbe,
  need,
  type Observations,
  type Probe,
  Unsteady,
  valuesIn,
} from '../probing/prober.ts';
import { readAcceptance, type SentField } from './acceptance.ts';
import { refusalIn, sameRefusal } from './observed-refusals.ts';
import { probeLiveUpdate } from './probe-combinations.ts';
import { acceptedAttempts, type CellKey, type CellQuestion, sendWrong } from './wrong-requests.ts';

const allCells: readonly CellKey[] = endpointNames.flatMap((endpoint) =>
  errorsOf[endpoint].map((error) => ({ endpoint, error })),
);

/**
 * The rounds in which cells are asked for, by the first pattern that fits: cells that can hide others come
 * first. Queries come while nothing is created; ids of sessions once lists were read, as a service may delete a session, so
 * that its stream seems never to have been live; children once a list has shown some; and deep bodies last, because they may
 * spoil every list that shows them.
 */
const rounds = {
  operations: /^operation:given$/,
  fields: /^field:[^[]*:given$/,
  profiles: /^field:.*:given$/,
  parameters: /^query:.*:given$/,
  queries: /^query:/,
  sessions: /^id:session$/,
  children: /^id:child$/,
  limits: /^field:.*:(small|large)$/,
  depth: /^body:deep$/,
  others: /^/,
} as const satisfies Record<string, RegExp>;

/** Whether sessions have ids of their own in the list of streams. */
const childrenName = 'behaviours.list.sessions-among-streams';

/** Asks for those cells of a round that a client can notice. */
export function cellsIn(round: keyof typeof rounds, observed: Observations): NamedProbe[] {
  const cellOf = knownCells(observed);
  /** Whether the service answers with a web page, so that nothing can be learned. */
  const isPage = (endpoint: Endpoint): boolean =>
    observed.get(cellName(endpoint, 'operation:given'))?.outcome === 'inexpressible';
  // Without children, nothing has their ids.
  if (round === 'children' && valuesIn(observed).get(childrenName) !== 'children') return [];
  return allCells.flatMap((key) => {
    const { endpoint, error } = key;
    const ofRound = Object.values(rounds).find((pattern) => pattern.test(error.id));
    const isShown = !isPage(endpoint) && !isMasked(endpoint, error.id, cellOf);
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
export function isAsked({ endpoint, error }: CellKey, cellOf: CellOf): boolean {
  // An unknown path may be refused whatever the key is.
  if (endpoint === 'unknownRoute') return error.class === 'route';
  if (error.class === 'key') return endpoint === readingOperation(cellOf);
  // Services refuse to change the profiles of a live stream.
  if (endpoint === 'updateStream' && error.id === 'state:live') {
    return isKept(cellOf(endpoint, 'field:profiles:given'));
  }
  return !error.isShared || endpoint === 'listSessionsOfStream';
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
  if (endpoint === 'updateStream' && error.class === 'state') return probeLiveUpdate(error.id);
  return async (context) => {
    const question = { ...key, context };
    const cell = await (error.limitSteps !== undefined
      ? findLimit(question)
      : findCell(question, flawsToSend(error)));
    return need(cell, 'an unknown field that is accepted');
  };
}

/**
 * The wrong values to send: two, because a text that varies is not a code. Wrong keys are sent once because some
 * services lock out a client, and so is what needs a session each time.
 */
function flawsToSend({ class: errorClass, flaws }: RequestError): readonly Flaw[] {
  const [flaw] = flaws;
  if (flaws.length > 1 || flaw === undefined) return flaws;
  const isCostly = 'idOf' in flaw && ['session', 'child', 'other-key'].includes(flaw.idOf);
  return isCostly || errorClass === 'key' || errorClass === 'state' ? flaws : [flaw, flaw];
}

/** What happens to requests that are wrong in the same way; `undefined` if that cannot be seen. */
async function findCell(question: CellQuestion, flaws: readonly Flaw[]): Promise<Cell | undefined> {
  const { context, endpoint, error } = question;
  const sent: SentField[] = [];
  for (const flaw of flaws) {
    const { field = '', value = undefined } = 'field' in flaw ? flaw : {};
    // So the old value differs from what the wrong value can be converted to.
    const isSwitch = endpoint === 'setRecord' && field === 'record';
    const record = isSwitch ? !convert({ as: 'boolean' }, value) : undefined;
    const looksBefore = error.acceptances.includes('carried-out');
    const request = await sendWrong(context, endpoint, [flaw], { record, looksBefore });
    sent.push({ ...request, path: field, value, record });
  }
  const refusals = sent.flatMap(({ response }) => refusalIn(response) ?? []);
  if (refusals.length > 0 && refusals.length < sent.length) {
    throw new Unsteady('expected the same for two such values: one is refused, one is not');
  }
  if (refusals.length === 0) return readAcceptance(question, sent);
  const ofUnknownField = context.cellOf(endpoint, 'field:unknown:given');
  return seenRefusal(endpoint, error.id, sameRefusal(refusals), ofUnknownField);
}

/**
 * What a client sees of a refusal. Some errors come in a field that no service knows: if that field is refused in the same
 * way, a deep body was parsed, whatever its depth, and nothing is known of wrong bytes: then it is `undefined`.
 */
export function seenRefusal(
  endpoint: Endpoint,
  error: ErrorId,
  refusal: Refusal,
  ofUnknownField: Cell | undefined,
): Cell | undefined {
  const isDeep = error === 'body:deep';
  const isInField = isDeep || (error === 'body:bytes' && endpoint !== 'createStream');
  if (!isInField || !isSameJson(ofUnknownField, refusal)) return refusal;
  return isDeep ? { as: 'accepted' } : undefined;
}

/**
 * Finds the step of a limit from which values are no longer accepted unchanged, by halves: what is beyond a limit stays
 * beyond it. The first step is valid. Most fields have no limit, which the last step shows at once; a body as large as that
 * might break the connection.
 */
async function findLimit(question: CellQuestion): Promise<Cell> {
  const { class: ofClass, flaws, acceptances, limitSteps = [] } = question.error;
  const unlimited: Cell = { as: acceptances[0] === 'kept' ? 'kept' : 'accepted' };
  let found: Cell | undefined;
  let first = 0;
  for (let end = flaws.length; first < end; ) {
    const isBeginning = end === flaws.length && first === 0;
    const step = isBeginning && ofClass === 'fields' ? end - 1 : Math.floor((first + end) / 2);
    const cell = await findCell(question, flaws.slice(step, step + 1));
    if (cell === undefined || isSameJson(cell, unlimited)) first = step + 1;
    else {
      found = cell;
      end = step;
    }
  }
  if (found === undefined) return unlimited;
  const [above, below] = limitSteps.slice(first, first + 2).toSorted((a, b) => a - b);
  return { ...found, above, below } as Cell;
}

/** Whether a service has an operation that the interface leaves open, and if not, how it is refused. */
function probeOperation(endpoint: Endpoint): Probe<Cell> {
  return async ({ ask }) => {
    const { sent, refusals } = await ask(acceptedAttempts[endpoint]);
    const [first, ...furtherRefusals] = refusals;
    if (sent === undefined) {
      const isOffered = furtherRefusals.some((refusal) => !isSameJson(refusal, first));
      return isOffered || first === undefined ? { as: 'accepted' } : first;
    }
    // Some services send a web page for what they do not offer.
    const isJson = /json/i.test(sent.response.headers.get('content-type') ?? '');
    if (sent.call.method !== 'GET' || isJson) return { as: 'accepted' };
    throw new Inexpressible('expected JSON or a refusal, got a success without JSON');
  };
}
