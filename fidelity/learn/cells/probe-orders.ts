import { isRefusal, type Refusal } from '../../../interface/dialect/cells.ts';
import {
  type Endpoint,
  type ErrorClass,
  type ErrorId,
  endpointNames,
  errorsOf,
  type Flaw,
  fieldOfLiveUpdate,
} from '../../../interface/dialect/errors.ts';
import { type CellOf, isOffered } from '../../../interface/dialect/matrix.ts';
import { classesOf, fixedPairs, type OrderedPair } from '../../../interface/dialect/orders.ts';
import { cellName } from '../../../interface/dialect/statements.ts';
import { isSameJson } from '../../../interface/json.ts';
import {
  knownCells,
  type NamedProbe,
  need,
  type Observation,
  type Probe,
  type ProbeContext,
} from '../probing/prober.ts';
import { requireRefusal } from './observed-refusals.ts';
import { readingOperation } from './probe-cells.ts';
import { sendWrong } from './wrong-requests.ts';

/** An error, how a request is made wrong with it, and how that is refused if nothing else is wrong. */
export interface Refused {
  readonly class: ErrorClass;
  readonly id: ErrorId;
  readonly flaw: Flaw;
  readonly refusal: Refusal;
}

/**
 * Errors that say nothing about when their class is checked: wrong bytes, cursors and parents are noticed late,
 * and a body without valid fields cannot also have a wrong field or state.
 */
const uninformative: ReadonlySet<ErrorId> = new Set<ErrorId>([
  'key:empty',
  'key:scheme',
  'key:bare',
  'key:scheme-case',
  'key:spaces',
  'key:cut',
  'key:extended',
  'body:bytes',
  'body:form',
  'body:duplicate-key',
  'body:number-form',
  'body:none',
  'body:blank',
  'body:unknown',
  'body:null',
  'body:scalar',
  'body:array',
  'body:empty',
  'query:repeated',
  'query:cursor:unknown',
  'query:cursor:empty',
  'query:parentId:given',
  'query:parentId:unknown',
  'query:parentId:malformed',
  'query:parentId:empty',
  'state:live-same',
]);

/** Of the fields of a live update, only its profiles tell, as the same update may set others that are refused. */
function isInformative(error: ErrorId): boolean {
  return !uninformative.has(error) && fieldOfLiveUpdate(error) === undefined;
}

/** The errors of a class that are refused, in the order of the table. */
function refusedOf(endpoint: Endpoint, name: ErrorClass, cellOf: CellOf): readonly Refused[] {
  if (endpoint === 'unknownRoute' && name === 'body') {
    // A body that no operation reads can only be malformed JSON.
    const missing = missingField('createStream', cellOf);
    return refusedOf('createStream', name, cellOf).filter(
      ({ id, refusal }) => id === 'body:malformed' && !isSameJson(missing, refusal),
    );
  }
  return errorsOf[endpoint]
    .filter((error) => error.class === name && isInformative(error.id))
    .flatMap(({ id, flaws }): Refused[] => {
      const refusal = knownRefusal(endpoint, id, cellOf);
      const flaw = flaws.at(-1);
      return refusal && flaw ? [{ class: name, id, flaw, refusal }] : [];
    });
}

function knownRefusal(endpoint: Endpoint, error: ErrorId, cellOf: CellOf): Refusal | undefined {
  // Some keys are tried with one operation only.
  const elsewhere = error.startsWith('key:') ? readingOperation(cellOf) : undefined;
  const cell = cellOf(endpoint, error) ?? (elsewhere && cellOf(elsewhere, error));
  if (cell === undefined || !isRefusal(cell)) return undefined;
  const { above: _, below: __, ...refusal } = cell;
  return refusal;
}

/** One error of each class that an operation refuses, preferably with a refusal that no earlier class has. */
export function oneErrorOfEachClass(endpoint: Endpoint, cellOf: CellOf): readonly Refused[] {
  const errors: Refused[] = [];
  if (!isOffered(endpoint, cellOf)) return errors;
  for (const name of classesOf(endpoint)) {
    // A server may refuse a large body before it looks at anything else.
    const candidates = refusedOf(endpoint, name, cellOf).toSorted(
      (left, right) => Number(left.id === 'body:large') - Number(right.id === 'body:large'),
    );
    const reserved = name === 'body' ? [missingField(endpoint, cellOf)] : [];
    const taken = [...errors.map(({ refusal }) => refusal), ...reserved];
    const fresh = candidates.find(({ refusal }) => !taken.some((old) => isSameJson(old, refusal)));
    const error = fresh ?? candidates[0];
    if (error !== undefined) errors.push(error);
  }
  return errors;
}

/** How a body that counts as empty is refused: for its missing field. */
function missingField(endpoint: Endpoint, cellOf: CellOf): Refusal | undefined {
  const isNamed = endpoint === 'createStream';
  return knownRefusal(endpoint, isNamed ? 'field:name:missing' : 'field:record:missing', cellOf);
}

/** Sends a request with several errors. */
type SendErrors = (errors: readonly Refused[]) => Promise<Refusal>;

/**
 * Finds the order of the classes of some errors: it sends a request with one error of each class, then again
 * without the error that the refusal reports. This is done twice, as a key cannot be both wrong and missing.
 */
export async function findOrder(
  endpoint: Endpoint,
  errors: readonly Refused[],
  sendErrors: SendErrors,
): Promise<readonly ErrorClass[]> {
  const pairs = [...fixedPairs];
  for (const unused of ['no-key', 'key'] as const) {
    let remaining = errors.filter((error) => error.class !== unused);
    while (remaining.length > 1) {
      const first = await firstReported(endpoint, remaining, sendErrors);
      if (first === undefined) break;
      remaining = remaining.filter((error) => error !== first);
      pairs.push(...remaining.map((later) => [first.class, later.class] as const));
      // Nothing is checked after an unknown path.
      if (first.class === 'route') break;
    }
  }
  return sortClasses(classesOf(endpoint), pairs);
}

/** Which of several errors a refusal reports; `undefined` if it reports none of them. */
async function firstReported(
  endpoint: Endpoint,
  errors: readonly Refused[],
  sendErrors: SendErrors,
): Promise<Refused | undefined> {
  const names = errors.map((error) => error.class);
  const possible = errors.filter((error) => !isAfter(error.class, names, fixedPairs));
  if (possible.length === 1) return possible[0];
  const refusal = await sendErrors(possible);
  // Some keys were tried with another operation, which may refuse them differently.
  const isOfElsewhere = (name: ErrorClass): boolean =>
    name === 'key' || (name === 'no-key' && endpoint === 'unknownRoute');
  return (
    possible.find((error) => isSameJson(error.refusal, refusal)) ??
    possible.find((error) => isOfElsewhere(error.class))
  );
}

/** Whether a class is reported after one of some others. */
function isAfter(name: ErrorClass, others: readonly ErrorClass[], pairs: readonly OrderedPair[]) {
  return pairs.some(([first, later]) => later === name && others.includes(first));
}

/** Sorts classes by pairs of them, otherwise in the given order. */
function sortClasses(classes: readonly ErrorClass[], pairs: readonly OrderedPair[]): ErrorClass[] {
  const next = classes.find((name) => !isAfter(name, classes, pairs)) ?? classes[0];
  if (next === undefined) return [];
  const remaining = classes.filter((name) => name !== next);
  return [next, ...sortClasses(remaining, pairs)];
}

/** Asks which class of errors is reported first, and whether a refusal lists all errors of a body. */
export function endpointOrders(cellOf: CellOf): NamedProbe[] {
  const orders = endpointNames.flatMap((endpoint): NamedProbe[] => {
    const errors = oneErrorOfEachClass(endpoint, cellOf);
    if (errors.length < 2) return [];
    const probe: Probe<readonly ErrorClass[]> = (context) =>
      findOrder(endpoint, errors, (subset) => sendWithErrors(context, endpoint, subset));
    return [{ name: `orders.${endpoint}`, probe }];
  });
  return [...orders, { name: 'orders.reported', probe: probeReported }];
}

async function sendWithErrors(
  context: ProbeContext,
  endpoint: Endpoint,
  errors: readonly Refused[],
): Promise<Refusal> {
  // A state changes the body, so it comes before what makes the body wrong.
  const flaws = errors.map(({ flaw }) => flaw).toReversed();
  // A service may read a body before it looks at the path.
  const isBody = endpoint === 'unknownRoute' && errors.some((error) => error.class === 'body');
  if (isBody) flaws.unshift({ method: 'POST' });
  return requireRefusal((await sendWrong(context, endpoint, flaws)).response);
}

/** Notes that all operations refuse keys in the same way as the one that was asked. */
export function noteKeys(observed: Map<string, Observation>): void {
  const reading = readingOperation(knownCells(observed));
  const note = (endpoint: Endpoint, error: ErrorId): void => {
    const observation = observed.get(cellName(reading, error));
    const name = cellName(endpoint, error);
    if (observation !== undefined && !observed.has(name)) observed.set(name, observation);
  };
  for (const endpoint of endpointNames) note(endpoint, 'key:wrong');
  note('unknownRoute', 'key:none');
}

/** Whether a refusal names every wrong field of a body. @throws Blocked if it names no field */
const probeReported: Probe<'all' | 'first'> = async (context) => {
  const errors = refusedOf('createStream', 'fields', context.cellOf);
  const wrong = (field: string): readonly Flaw[] =>
    errors.flatMap(({ id, flaw }) => (id.startsWith(`field:${field}:`) ? flaw : [])).slice(0, 1);
  const name = wrong('name');
  const record = wrong('record');
  const ofName = await namedFields(context, name);
  const ofRecord = await namedFields(context, record);
  const areNamed = ofName === 'name' && ofRecord === 'record';
  need(areNamed, 'two fields of a creation whose refusals name them');
  return (await namedFields(context, [...name, ...record])) === 'name,record' ? 'all' : 'first';
};

/** Which of the two fields a refusal names. */
async function namedFields(context: ProbeContext, flaws: readonly Flaw[]): Promise<string> {
  const { response } = await sendWrong(context, 'createStream', flaws);
  const { text } = response;
  requireRefusal(response);
  return ['name', 'record'].filter((field) => new RegExp(`\\b${field}\\b`).test(text)).join();
}
