import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import type { Refusal, RefusalBody } from '../../../interface/cells.ts';
import type { Json } from '../../../interface/json.ts';
import { formOf } from '../../form.ts';
import { Unsayable, Unsteady } from '../asking/asking.ts';

/** How a request was refused; `undefined` where it was not. */
export function refusalIn(response: TargetResponse): Refusal | undefined {
  const { status } = response;
  return status >= 400 && status <= 599 ? { status, body: formOf(response) } : undefined;
}

/** How a request was refused. @throws Unsayable where it was not */
export function readRefusal(response: TargetResponse): Refusal {
  const refusal = refusalIn(response);
  if (refusal !== undefined) return refusal;
  const got = isSuccess(response) ? `a success (${response.status})` : response.status;
  throw new Unsayable(`expected a refusal with a status from 400 to 599, got ${got}`);
}

/** Whether two responses refuse in the same way, so that a client cannot tell them apart. */
export function refuseAlike(one: TargetResponse, other: TargetResponse): boolean {
  return (
    one.status === other.status && JSON.stringify(formOf(one)) === JSON.stringify(formOf(other))
  );
}

/**
 * One refusal for several of the same error: texts that are not the same each time are no codes.
 * @throws Unsteady where their statuses differ
 */
export function sameRefusal([first, ...others]: readonly Refusal[]): Refusal {
  if (first === undefined) throw new Unsayable('expected a refusal, got none');
  let { body } = first;
  for (const other of others) {
    if (other.status !== first.status) {
      throw new Unsteady(
        `expected one status for every such value, got ${first.status} and ${other.status}`,
      );
    }
    body = steadyForm(body, other.body);
  }
  return body === undefined ? { status: first.status } : { status: first.status, body };
}

function steadyForm(one: RefusalBody | undefined, other: RefusalBody | undefined) {
  if (typeof one !== 'object' || typeof other !== 'object') return one;
  if (one.json === undefined || other.json === undefined) return one;
  return { ...one, json: steady(one.json, other.json) };
}

/** A value with `{message}` for each text that is another in the other value. */
function steady(value: Json, other: Json | undefined): Json {
  if (typeof value === 'string' && typeof other === 'string') {
    return value === other ? value : '{message}';
  }
  if (typeof value !== 'object' || value === null) return value;
  if (typeof other !== 'object' || other === null) return value;
  const others = new Map(Object.entries(other));
  const entries = Object.entries(value).map(([key, part]) => [key, steady(part, others.get(key))]);
  return Array.isArray(value)
    ? entries.map(([, part]) => part as Json)
    : (Object.fromEntries(entries) as Json);
}
