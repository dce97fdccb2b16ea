import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { isObject } from '../../interface/json.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { Change, SavedState, Update } from '../state/change.ts';
import { readProblem, type Store } from './store.ts';

/**
 * Reads the changes that a store has of a world. It checks what the mock relies on: a whole check of each record would
 * take three times as long as opening the world.
 * @throws Problem 503 if the store cannot be read, or if a change is not as it was appended. It names the world and the
 * change.
 */
export async function readChanges(store: Store, name: string): Promise<readonly Change[]> {
  let changes: readonly Change[];
  try {
    changes = await store.open(name);
  } catch (exception) {
    throw readProblem(exception);
  }
  const world = `world ${describeValue(name)}`;
  if (!Array.isArray(changes)) throw unusable('array', `the changes of ${world}`, changes);
  for (const [index, change] of changes.entries()) {
    const wrong = findWrong(change, index === 0);
    if (wrong === undefined) continue;
    const { path, kind, value } = wrong;
    const place = `change ${index + 1} of ${world}`;
    throw unusable(kind, path === '' ? place : `${path} in ${place}`, value);
  }
  return changes;
}

/** What a value is, with its article. */
const kinds = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
} as const;

type Kind = keyof typeof kinds;

/** Some keys of an object, and what their values are. */
type Shape = readonly (readonly [key: string, kind: Kind])[];

/** Makes a shape of keys that an object really has. */
function shapeOf<Item>(shape: Readonly<Partial<Record<keyof Item, Kind>>>): Shape {
  return Object.entries<Kind>(shape as Readonly<Record<string, Kind>>);
}

const stateShape = shapeOf<SavedState>({
  now: 'number',
  userId: 'string',
  random: 'array',
  streams: 'array',
  sessions: 'array',
});

/** An update may lack each of them. */
const updateShape = shapeOf<Update>({
  now: 'number',
  speed: 'number',
  random: 'array',
  streams: 'array',
  sessions: 'array',
  deleted: 'array',
});

const recordShapes = [
  [
    'streams',
    shapeOf<StreamRecord>({
      id: 'string',
      name: 'string',
      createdAt: 'number',
      profiles: 'array',
      streamKey: 'string',
      playbackId: 'string',
      record: 'boolean',
    }),
  ],
  [
    'sessions',
    shapeOf<SessionRecord>({
      id: 'string',
      parentId: 'string',
      name: 'string',
      createdAt: 'number',
      profiles: 'array',
      record: 'boolean',
    }),
  ],
] as const;

/** A value that is not what it must be, and where it is in a change: at `state.streams[3].name`. */
interface Wrong {
  readonly path: string;
  readonly kind: Kind;
  readonly value: unknown;
}

/** The first value in a change that is not what it must be. The first change of a world is a whole state. */
function findWrong(change: unknown, isFirst: boolean): Wrong | undefined {
  if (!isObject(change)) return { path: '', kind: 'object', value: change };
  const { at, state } = change;
  if (!isKind(at, 'number')) return { path: 'at', kind: 'number', value: at };
  if (state === undefined && !isFirst) {
    return findWrongKey(change, updateShape, true) ?? findWrongRecord(change);
  }
  if (!isObject(state)) return { path: 'state', kind: 'object', value: state };
  return within('state.', findWrongKey(state, stateShape) ?? findWrongRecord(state));
}

function findWrongRecord(contents: Readonly<Record<string, unknown>>): Wrong | undefined {
  for (const [list, shape] of recordShapes) {
    const records = (contents[list] ?? []) as readonly unknown[];
    for (const [index, record] of records.entries()) {
      const wrong = isObject(record)
        ? within('.', findWrongKey(record, shape))
        : ({ path: '', kind: 'object', value: record } as const);
      if (wrong !== undefined) return within(`${list}[${index}]`, wrong);
    }
  }
  return undefined;
}

function findWrongKey(
  values: Readonly<Record<string, unknown>>,
  shape: Shape,
  isOptional = false,
): Wrong | undefined {
  for (const [key, kind] of shape) {
    const value = values[key];
    if (isKind(value, kind) || (isOptional && value === undefined)) continue;
    return { path: key, kind, value };
  }
  return undefined;
}

function within(path: string, wrong: Wrong | undefined): Wrong | undefined {
  return wrong && { ...wrong, path: path + wrong.path };
}

function isKind(value: unknown, kind: Kind): boolean {
  if (kind === 'array') return Array.isArray(value);
  return kind === 'object' ? isObject(value) : typeof value === kind;
}

function unusable(kind: Kind, place: string, value: unknown): Problem {
  const advice = 'restore what the store has of this world, or remove it to start afresh';
  const expected = `${kinds[kind]} as ${place}`;
  return new Problem('unavailable', { path: 'store', expected, got: describeValue(value), advice });
}
