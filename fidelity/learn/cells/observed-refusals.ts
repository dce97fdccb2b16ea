import { groupBy } from '../../../conformance/model/group-by.ts';
import type { Refusal, RefusalBody } from '../../../interface/dialect/cells.ts';
import { canonicalJson, isSameJson, type Json } from '../../../interface/json.ts';
import type { TargetResponse } from '../../../target/requests/exchange.ts';
import { isSuccess } from '../../../target/requests/read-response.ts';
import { formOf } from '../../form.ts';
import { isFieldPath, mapJson } from '../../json-shapes.ts';
import { Inexpressible, Unsteady } from '../probing/prober.ts';

/** How a request was refused; `undefined` if it was not. */
export function refusalIn(response: TargetResponse): Required<Refusal> | undefined {
  const { status } = response;
  return status >= 400 && status <= 599 ? { status, body: formOf(response) } : undefined;
}

/** How a request was refused. @throws Inexpressible if it was not */
export function requireRefusal(response: TargetResponse): Required<Refusal> {
  const refusal = refusalIn(response);
  if (refusal !== undefined) return refusal;
  const got = isSuccess(response) ? `a success (${response.status})` : response.status;
  throw new Inexpressible(`expected a refusal with a status from 400 to 599, got ${got}`);
}

/**
 * One refusal for several of the same error: a text that differs between them is not a code.
 * @throws Unsteady if their statuses differ
 */
export function sameRefusal(refusals: readonly Required<Refusal>[]): Refusal {
  const [first, ...laterRefusals] = refusals;
  if (first === undefined) throw new Inexpressible('expected a refusal, got none');
  let { body } = first;
  for (const later of laterRefusals) {
    if (first.status !== later.status) {
      throw new Unsteady(
        `expected one status for every such value, got ${first.status} and ${later.status}`,
      );
    }
    body = commonForm(body, later.body);
  }
  return { ...first, body };
}

/** A form with `{message}` in place of each text, unless another form is the same. */
function commonForm(left: RefusalBody, right: RefusalBody): RefusalBody {
  if (left === 'empty' || left.json === undefined || isSameJson(left, right)) return left;
  const leaf = (value: Json): Json => (typeof value === 'string' ? '{message}' : value);
  return { ...left, json: mapJson(left.json, { leaf, keeps: isFieldPath }) };
}

/** The forms of all refusals in values of cells and behaviours. */
export function formsIn(value: unknown): readonly RefusalBody[] {
  if (typeof value !== 'object' || value === null) return [];
  // A route is not a refusal, whatever its made-up body holds.
  if ('method' in value && 'path' in value) return [];
  if ('status' in value && 'body' in value) return [value.body as RefusalBody];
  return Object.values(value).flatMap(formsIn);
}

/** The most frequent form of refusals, the first in alphabetical order if several are; without refusals, the fallback. */
export function usualFormOf(values: readonly unknown[], fallback: RefusalBody): RefusalBody {
  const [mostFrequent] = groupBy(formsIn(values), canonicalJson).toSorted(
    (left, right) =>
      right.length - left.length || (canonicalJson(left[0]) < canonicalJson(right[0]) ? -1 : 1),
  );
  return mostFrequent?.[0] ?? fallback;
}

/** A value without a form, the usual one, in its refusals. */
export function withoutForm<Value>(value: Value, form: RefusalBody): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('status' in value && 'body' in value) {
    const { body, ...withoutBody } = value;
    return canonicalJson(body) === canonicalJson(form) ? (withoutBody as Value) : value;
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutForm(inner, form)]);
  return Object.fromEntries(entries) as Value;
}
