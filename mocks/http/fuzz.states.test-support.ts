import fc from 'fast-check';
import { lastMoment } from '../../interface/schemas.ts';
import type { Snapshot } from '../service/snapshot.ts';
import { stateText } from './request.test-support.ts';

/** One change of an exported state, anywhere in it. */
export interface StateChange {
  /** Nothing; another value; the value of its neighbour; nothing in its place; itself twice. */
  readonly kind: 'keep' | 'put' | 'copy' | 'drop' | 'double';
  /** Which kind of place, such as the end of a session. */
  readonly place: number;
  /** Which of these places. */
  readonly index: number;
  readonly value: unknown;
}

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', 'x', '__proto__', [], {}, [{}], -1, 0, 0.5, 1),
  fc.constantFrom(1e-9, 1e3, lastMoment, lastMoment + 1, 2 ** 53, 1e308, 2_678_400, 2_678_401),
  fc.integer({ min: Date.UTC(2025, 11, 1), max: Date.UTC(2026, 1, 1) }),
  fc.integer(),
  fc.double({ min: 0, max: 1e7, noNaN: true }),
);

/** Changes of which some leave a state that is good. */
export const stateChanges: fc.Arbitrary<StateChange> = fc.record({
  kind: fc.constantFrom('keep', 'put', 'put', 'put', 'copy', 'copy', 'drop', 'double'),
  place: fc.nat(),
  index: fc.nat(),
  value: values,
});

interface Place {
  readonly holder: object;
  readonly key: string;
  /** Its path, the same for each element of an array. */
  readonly kind: string;
}

function placesIn(holder: object, path = ''): Place[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const kind = path + (Array.isArray(holder) ? '[]' : `.${key}`);
    const below = typeof value === 'object' && value !== null ? placesIn(value, kind) : [];
    return [{ holder, key, kind }, ...below];
  });
}

function pick<Value>(list: readonly Value[], index: number): Value | undefined {
  return list[index % list.length];
}

/** A state with the change, as its lines. */
export function changeState(state: Snapshot, { kind, place, index, value }: StateChange): string {
  const changed: Snapshot = structuredClone(state);
  const places = placesIn(changed);
  const chosen = pick([...new Set(places.map((candidate) => candidate.kind))], place);
  const alike = places.filter((candidate) => candidate.kind === chosen);
  const at = pick(alike, index);
  const neighbour = pick(alike, index + 1);
  if (at === undefined || neighbour === undefined || kind === 'keep') return stateText(state);
  const { holder, key } = at;
  if (kind === 'put') Reflect.set(holder, key, value);
  if (kind === 'copy') Reflect.set(holder, key, Reflect.get(neighbour.holder, neighbour.key));
  if (kind === 'double' && Array.isArray(holder)) holder.push(Reflect.get(holder, key));
  if (kind === 'drop' && Array.isArray(holder)) holder.splice(Number(key), 1);
  if (kind === 'drop' && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
  return linesOrNothing(changed);
}

/** A list that is none has no lines. */
function linesOrNothing(state: Snapshot): string {
  try {
    return stateText(state);
  } catch {
    return JSON.stringify(state);
  }
}
