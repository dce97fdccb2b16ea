import type { Dialect, StaticRoute } from '../../interface/dialect/dialect.ts';
import { resolveDialect } from '../../interface/dialect/resolve.ts';
import { entriesByName, routeName, statementsOf } from '../../interface/dialect/statements.ts';
import { isObject, isSameJson } from '../../interface/json.ts';
import { sdkFields } from '../../interface/types.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { haveSameShape } from '../json-shapes.ts';
import { formsIn, usualFormOf, withoutForm } from './cells/observed-refusals.ts';
import { observe } from './learn.ts';
import { keepsRoute, keysAddedTo } from './probe-routes.ts';
import { type LearnOptions, probeTarget } from './probe-target.ts';
import { type Observations, type ProbeOptions, valuesIn } from './probing/prober.ts';

/** A behaviour that has changed since the dialect was written. */
interface Change {
  /** As in a dialect: `errors.createStream.key:none`. */
  readonly name: string;
  readonly before: unknown;
  /** `undefined` if a dialect cannot express it; then `reason` says why. */
  readonly now: unknown;
  readonly reason?: string;
}

/** What differs between a dialect and the service. */
export interface Drift {
  readonly changes: readonly Change[];
  /** What the dialect states and could not be asked. */
  readonly unknown: readonly { readonly name: string; readonly reason: string }[];
  /** Keys that static routes have gained, which is no change of the service: an account gains some as it is used. */
  readonly appeared: readonly { readonly name: string; readonly keys: readonly string[] }[];
}

/** What differs, and what was observed when everything was last asked. */
interface FoundDrift extends Drift {
  readonly observed: Observations;
}

/**
 * Finds out whether a service still does what a dialect says. If anything differs, everything is asked a second
 * time, so the writes that `allow` permits are sent twice.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function findDrift(options: LearnOptions, dialect: Dialect) {
  const { routes = [] } = options;
  const withRoutes = { ...options, routes: [...(dialect.routes ?? []), ...routes] };
  const observeNow = async (probing: ProbeOptions): Promise<FoundDrift> => {
    const observed = await observe(probing, withRoutes);
    return { ...driftFrom(dialect, observed), observed };
  };
  return probeTarget(options, async (probing) => {
    const first = await observeNow(probing);
    if (first.changes.length + first.unknown.length === 0) return first;
    const second = await observeNow(probing);
    return { ...second, ...commonDrift(first, second) };
  });
}

/** What differs in both of two runs: a change if it is the same change twice, else unknown. */
export function commonDrift(first: Drift, second: Drift): Drift {
  const firstValues = new Map(first.changes.map(({ name, now }) => [name, now]));
  const inFirst = new Set([...first.changes, ...first.unknown].map(({ name }) => name));
  const repeated = second.changes.filter(({ name }) => inFirst.has(name));
  const changes = repeated.filter(
    ({ name, now }) => firstValues.has(name) && mayBeSame(name, firstValues.get(name), now),
  );
  const reason = 'it changed between two runs of learn: run it again';
  const unsteady = repeated.filter((change) => !changes.includes(change));
  const unknown = second.unknown.filter(({ name }) => inFirst.has(name));
  return {
    changes,
    unknown: [...unknown, ...unsteady.map(({ name }) => ({ name, reason }))],
    appeared: second.appeared,
  };
}

/** What differs between a dialect and what was observed. */
export function driftFrom(dialect: Dialect, observed: Observations): Drift {
  const resolved = resolveDialect(dialect);
  const valuesByName = valuesIn(observed);
  const values = [...valuesByName.values()];
  // Not all refusals may be known: as long as one has the stated form, that form is still the usual one.
  const isStillUsed = formsIn(values).some((form) => isSameJson(form, resolved.refusalBody));
  const usualForm = isStillUsed ? resolved.refusalBody : usualFormOf(values, resolved.refusalBody);
  const entryOf = entriesByName(dialect);
  const checked = new Set([...valuesByName.keys()].map((name) => entryOf.get(name)));
  const statements = statementsOf(resolved);
  const changes: Change[] = isSameJson(usualForm, resolved.refusalBody)
    ? []
    : [{ name: 'refusalBody', before: resolved.refusalBody, now: usualForm }];
  const unknown: { name: string; reason: string }[] = [];
  for (const [name, observation] of observed) {
    const before = statements.get(name);
    const entry = entryOf.get(name);
    if (observation.outcome === 'observed') {
      const now = withoutForm(observation.value, usualForm);
      if (!mayBeSame(name, withoutForm(before, resolved.refusalBody), now)) {
        changes.push({ name, before, now });
      }
    } else if (entry !== undefined && !checked.has(entry)) {
      const { outcome, reason } = observation;
      if (outcome === 'inexpressible') changes.push({ name, before, now: undefined, reason });
      else unknown.push({ name, reason });
    }
  }
  return { changes, unknown, appeared: gainedKeys(dialect, valuesByName) };
}

/** The keys that routes have gained, of those that are otherwise unchanged. */
function gainedKeys({ routes = [] }: Dialect, values: ReadonlyMap<string, unknown>) {
  return routes.flatMap((before): Drift['appeared'] => {
    const name = routeName(before);
    const now: Partial<StaticRoute> = Object(values.get(name));
    const keys = keepsRoute(before, now) ? keysAddedTo(before, now) : [];
    return keys.length === 0 ? [] : [{ name, keys }];
  });
}

/** Whether what was observed agrees with what a dialect says. */
function mayBeSame(name: string, before: unknown, now: unknown): boolean {
  if (isSameJson(before, now)) return true;
  if (name.startsWith('behaviours.time.')) return areNear(Number(before), Number(now));
  if (!isObject(before) || !isObject(now)) return false;
  if (name.startsWith('routes.')) return keepsRoute(before, now);
  if (name.startsWith('errors.')) return isSameLimit(before, now);
  if (name.endsWith('.further-keys')) return areSameKeys(before, now);
  // For a behaviour with several names, only those that were observed count.
  return Object.entries(now).every(([key, value]) =>
    /keys\.by-place|response\.wrapped/.test(name)
      ? areSameKeys(Object(before[key]), Object(value))
      : isSameJson(before[key], value),
  );
}

/** Times vary with the load of a service, so times within a factor of 3, and up to 900 ms, count as equal. */
function areNear(left: number, right: number): boolean {
  return Math.max(left, right) <= 3 * Math.max(300, Math.min(left, right));
}

/** Whether two cells are the same and their limits may be, although they lie between different values. */
function isSameLimit(before: JsonObject, now: JsonObject): boolean {
  const { above: lower = 0, below: upper = 0, ...oldCell } = before as Record<string, number>;
  const { above = 0, below = 0, ...newCell } = now as Record<string, number>;
  return isSameJson(oldCell, newCell) && lower < below && above < upper;
}

/** Samples may come from other items, so only the shapes of values count, and fields that clients set do not. */
function areSameKeys(before: JsonObject, now: JsonObject): boolean {
  const ofClients: readonly string[] = sdkFields;
  const keys = Object.keys({ ...before, ...now }).filter((key) => !ofClients.includes(key));
  return keys.every((key) => key in before && key in now && haveSameShape(before[key], now[key]));
}
