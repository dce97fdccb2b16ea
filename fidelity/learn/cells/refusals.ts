import { groupBy } from '../../../conformance/model/group-by.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import type { Cell, Refusal, RefusalBody } from '../../../interface/cells.ts';
import { canonicalJson, type Json } from '../../../interface/json.ts';
import { formOf } from '../../form.ts';
import { Unsayable, Unsteady } from '../asking/asking.ts';

/** How a request was refused; `undefined` where it was not. */
export function refusalIn(response: TargetResponse): Required<Refusal> | undefined {
  const { status } = response;
  return status >= 400 && status <= 599 ? { status, body: formOf(response) } : undefined;
}

/** How a request was refused. @throws Unsayable where it was not */
export function readRefusal(response: TargetResponse): Required<Refusal> {
  const refusal = refusalIn(response);
  if (refusal !== undefined) return refusal;
  const got = isSuccess(response) ? `a success (${response.status})` : response.status;
  throw new Unsayable(`expected a refusal with a status from 400 to 599, got ${got}`);
}

/** Whether two refusals are the same, so that a client cannot tell them apart. */
export function areAlike(one: Cell | undefined, other: Cell | undefined): boolean {
  return one !== undefined && canonicalJson(one) === canonicalJson(other);
}

/**
 * One refusal for several of the same error: texts that are not the same each time are no codes.
 * @throws Unsteady where their statuses differ
 */
export function sameRefusal(refusals: readonly Required<Refusal>[]): Refusal {
  const [first, ...others] = refusals;
  if (first === undefined) throw new Unsayable('expected a refusal, got none');
  let { body } = first;
  for (const other of others) {
    if (first.status !== other.status) {
      throw new Unsteady(
        `expected one status for every such value, got ${first.status} and ${other.status}`,
      );
    }
    body = commonForm(body, other.body);
  }
  return { ...first, body };
}

function commonForm(one: RefusalBody, other: RefusalBody): RefusalBody {
  if (one === 'empty' || other === 'empty' || one.json === undefined) return one;
  return { ...one, json: commonOf(one.json, other.json) };
}

/** A value with `{message}` for each text that is another in the other value. */
function commonOf(value: Json, other: Json | undefined): Json {
  if (typeof value === 'string' && typeof other === 'string' && value !== other) {
    return '{message}';
  }
  if (typeof value !== 'object' || value === null) return value;
  const others = new Map(Object.entries(Object(other)));
  const entries = Object.entries(value).map(([key, part]): [string, Json] => [
    key,
    commonOf(part, others.get(key) as Json | undefined),
  ]);
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** The refusals in values of cells and rows. */
function refusalsIn(value: unknown): readonly Required<Refusal>[] {
  if (typeof value !== 'object' || value === null) return [];
  // A route is no refusal, whatever its made-up body has.
  if ('method' in value && 'path' in value) return [];
  if ('status' in value && 'body' in value) return [value as Required<Refusal>];
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
  const [most] = groupBy(values.flatMap(refusalsIn), ({ body }) => canonicalJson(body)).toSorted(
    (one, other) =>
      other.length - one.length || (canonicalJson(one[0]) < canonicalJson(other[0]) ? -1 : 1),
  );
  if (most === undefined) return undefined;
  const [{ body, status }, ...others] = most;
  const hasOwnCode = others.length === 0 || (body !== 'empty' && hasCode(body.json ?? null));
  return hasOwnCode && others.every((one) => one.status === status) ? undefined : body;
}

function hasCode(json: Json): boolean {
  if (typeof json === 'string') return json !== '{message}' && json !== '{status}';
  return typeof json === 'object' && json !== null && Object.values(json).some(hasCode);
}

/** A value without the usual form in its refusals. */
export function withoutForm<Value>(value: Value, usual: RefusalBody | undefined): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('status' in value && 'body' in value) {
    const { body, ...rest } = value;
    return canonicalJson(body) === canonicalJson(usual) ? (rest as Value) : value;
  }
  const entries = Object.entries(value).map(([key, part]) => [key, withoutForm(part, usual)]);
  return Object.fromEntries(entries) as Value;
}
