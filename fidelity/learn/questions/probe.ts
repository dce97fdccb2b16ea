import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { fail, isSuccess } from '../../../conformance/target/expectations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import type { Behaviours, RowId } from '../../../interface/silent.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { formOf } from '../../form.ts';
import type { Connection } from '../../target/connection.ts';

/** Something that is found out about a target once; several probes may build on it. */
export type Question<Value> = (context: ProbeContext) => Promise<Value>;

/**
 * Finds the value of a row. @throws Blocked without what it needs, so that the row stays assumed;
 * Inexpressible and CheckFailure for a response that no value of the row can say
 */
export type Probe<Id extends RowId> = Question<Behaviours[Id]>;

/** A probe for each row of a family. */
export type ProbesFor<Family> = { readonly [Id in keyof Family & RowId]: Probe<Id> };

/** What a probe gets. Everything is new each time that all rows are asked. */
export interface ProbeContext
  extends Pick<
    Connection,
    'target' | 'provider' | 'creations' | 'patience' | 'readOnly' | 'origin'
  > {
  /** Sends a request with the API key. @throws Blocked for one that may not be sent */
  readonly send: (call: Call) => Promise<TargetResponse>;
  /** Sends one with the other API key. @throws Blocked without another key */
  readonly sendAsOther: (call: Call) => Promise<TargetResponse>;
  /** The connection of the other API key. @throws Blocked without one */
  readonly other: () => Connection;
  /** The answer to a question, which is asked once for all probes. */
  readonly ask: <Value>(question: Question<Value>) => Promise<Value>;
  /** The value of a row that is tried first. */
  readonly expected: <Id extends RowId>(id: Id) => Behaviours[Id];
  /** How many streams are made for a list of them. */
  readonly streams: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Something that is undone after the last row. */
  readonly undoAtEnd: (undo: () => Promise<unknown>) => void;
}

/** A response that no value of the row can say. */
export class Inexpressible extends Error {
  override readonly name = 'Inexpressible';
}

/**
 * How a request was refused.
 * @throws Inexpressible where it was not; CheckFailure for an error of the server
 */
export function readRefusal(response: TargetResponse): Refusal {
  const { status } = response;
  if (status >= 400 && status <= 499) return { status, body: formOf(response) };
  const expected = 'expected a refusal with a status from 400 to 499';
  if (status >= 500) fail(`${expected}, got ${status}`, response);
  const got = isSuccess(response) ? `a success (${status})` : status;
  throw new Inexpressible(`${expected}, got ${got}`);
}

/** `word` for a success, or else how the request was refused. @throws as {@link readRefusal} does */
export function readWord<Word>(response: TargetResponse, word: Word): Word | Refusal {
  return isSuccess(response) ? word : readRefusal(response);
}

/** Whether a response is a success with JSON: a service may send a web page for what it does not offer. */
export function showsJson(response: TargetResponse): boolean {
  return isSuccess(response) && /json/i.test(response.headers.get('content-type') ?? '');
}

/** Whether two responses refuse in the same way, so that a client cannot tell them apart. */
export function refuseAlike(one: TargetResponse, other: TargetResponse): boolean {
  return (
    one.status === other.status && JSON.stringify(formOf(one)) === JSON.stringify(formOf(other))
  );
}

/** The same kind of probe for each of several names. */
export function probesFor<Prefix extends string, Name extends string, Value>(
  prefix: Prefix,
  names: readonly Name[],
  build: (name: Name) => Question<Value>,
): Record<`${Prefix}.${Name}`, Question<Value>> {
  const probes = names.map((name) => [`${prefix}.${name}`, build(name)] as const);
  return Object.fromEntries(probes) as Record<`${Prefix}.${Name}`, Question<Value>>;
}
