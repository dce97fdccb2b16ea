import type { RefusalBody } from '../../../interface/cells.ts';
import { canonicalJson, type Json } from '../../../interface/json.ts';

/** A refusal, or a value that has refusals in it. */
interface Seen {
  readonly status: number;
  readonly body: RefusalBody;
}

/** The refusals in values of cells and rows. */
function refusalsIn(value: unknown): readonly Seen[] {
  if (typeof value !== 'object' || value === null) return [];
  // A route is no refusal, whatever its made-up body has.
  if ('method' in value && 'path' in value) return [];
  if ('status' in value && 'body' in value) return [value as Seen];
  return Object.values(value).flatMap(refusalsIn);
}

/** The texts of all forms in values of cells and rows. */
export function formsIn(values: readonly unknown[]): ReadonlySet<string> {
  return new Set(values.flatMap(refusalsIn).map(({ body }) => canonicalJson(body)));
}

/**
 * The form of most refusals' bodies, of equally frequent ones the first by its text, unless it is of one
 * kind of refusal; `undefined` where there is none.
 */
export function usualFormOf(values: readonly unknown[]): RefusalBody | undefined {
  const forms = new Map<string, { body: RefusalBody; count: number; statuses: Set<number> }>();
  for (const { status, body } of values.flatMap(refusalsIn)) {
    const text = canonicalJson(body);
    const form = forms.get(text) ?? { body, count: 0, statuses: new Set() };
    form.count += 1;
    form.statuses.add(status);
    forms.set(text, form);
  }
  const sorted = [...forms].toSorted(
    ([one, { count: most }], [other, { count }]) => count - most || (one < other ? -1 : 1),
  );
  const [, first] = sorted[0] ?? [];
  if (first === undefined) return undefined;
  const { body, count, statuses } = first;
  const isShared =
    statuses.size > 1 || (count > 1 && (body === 'empty' || !hasCode(body.json ?? null)));
  return isShared ? body : undefined;
}

function hasCode(json: Json): boolean {
  if (typeof json === 'string') return json !== '{message}' && json !== '{status}';
  return typeof json === 'object' && json !== null && Object.values(json).some(hasCode);
}

/** A value without the usual form in its refusals. */
export function withoutForm<Value>(value: Value, usual: RefusalBody | undefined): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('status' in value && 'body' in value) {
    const { body, ...rest } = value as Value & Seen;
    return canonicalJson(body) === canonicalJson(usual) ? (rest as Value) : value;
  }
  const entries = Object.entries(value).map(([key, part]) => [key, withoutForm(part, usual)]);
  return Object.fromEntries(entries) as Value;
}
