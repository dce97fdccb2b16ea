import type { Behaviour } from '../../interface/dialect.ts';
import { fieldError } from '../../interface/errors.ts';
import {
  type BodyOperation,
  type Field,
  fieldAt,
  fieldsOf,
  type Wrong,
  wrongsOf,
} from '../../interface/fields.ts';
import { isObject, isSameJson, type Json } from '../../interface/json.ts';
import { documentedKeys, usualRows } from '../../interface/silent.ts';
import type { Profile } from '../../interface/types.ts';
import { describePath, maxIssues } from '../messages/json.ts';
import { describeValue, Problem, type ProblemIssue } from '../messages/problem.ts';
import { accept, acceptOrRefuse } from './accept-or-refuse.ts';

type JsonObject = Readonly<Record<string, Json>>;

/** The fields of a body under a dialect. */
export interface ReadFields {
  /** The values that count, by field: of the type that the rules and the media need. */
  readonly fields: Record<string, Json>;
  /** What a stream shows instead, by field. */
  readonly shown: Record<string, Json>;
  /** Required fields that were not sent: a stream does not show them. */
  readonly hidden: string[];
}

/** What is known while a body is read. */
interface Reading {
  readonly behaviour: Behaviour;
  readonly endpoint: BodyOperation;
  readonly issues: ProblemIssue[];
}

/** What happens to one value: what counts, and what is shown; without `shown` it is dropped. */
interface Taken {
  readonly counts?: Json | undefined;
  readonly shown?: Json | undefined;
}

/** Stands for a body that was accepted although it is not an object, so that it is not refused again as empty. */
export const noFields: JsonObject = Object.freeze({});

/** Stands for an empty body whose content type is JSON. */
export const blankBody: JsonObject = Object.freeze({});

/**
 * Reads the fields of a body as a dialect accepts them: the same table says what is wrong with a value here
 * and in the questions of `learn`.
 * @throws Problem 422, or as the dialect refuses, with an issue for every error up to 20
 */
export function readFields(
  behaviour: Behaviour,
  endpoint: BodyOperation,
  body: unknown,
): ReadFields {
  const reading: Reading = { behaviour, endpoint, issues: [] };
  const given = readObject(reading, body);
  const taken = takeFields(reading, '', [], given);
  if (reading.issues.length > 0) {
    throw new Problem(
      'invalid',
      ...reading.issues.slice(0, behaviour.orders.told === 'all' ? maxIssues : 1),
    );
  }
  checkEmpty(reading, given);
  const read: ReadFields = { fields: {}, shown: {}, hidden: [] };
  for (const [name, { counts, shown }] of taken) {
    if (counts !== undefined) read.fields[name] = counts;
    if (shown !== undefined && !isSameJson(shown, counts)) read.shown[name] = shown;
    if (shown === undefined && !Object.hasOwn(given, name)) read.hidden.push(name);
  }
  return read;
}

/** The object of a body; anything else is refused, or taken for an empty object. */
function readObject(reading: Reading, body: unknown): JsonObject {
  const error = errorOfBody(body);
  if (error === undefined) return body as JsonObject;
  const got = describeValue(body === blankBody ? undefined : body);
  const issue = { path: 'body', expected: 'an object', got, error };
  acceptOrRefuse(reading, new Problem('invalid', issue));
  return noFields;
}

/** Accepts or refuses an update without a field that the service accepts. */
function checkEmpty(reading: Reading, given: JsonObject): void {
  const { endpoint } = reading;
  if (endpoint !== 'updateStream' || given === noFields) return;
  const isTaken = Object.entries(given).some(([name, value]) => {
    const field = fieldAt(endpoint, name)?.path ?? 'unknown';
    return accept(reading, fieldError(field, 'given'), value)?.value !== undefined;
  });
  if (isTaken) return;
  const error = Object.keys(given).length === 0 ? 'body:empty' : 'body:unknown';
  const issue = { path: 'body', expected: 'a field that can change', got: 'none', error };
  acceptOrRefuse(reading, new Problem('invalid', issue));
}

function errorOfBody(body: unknown): string | undefined {
  if (body === undefined) return 'body:none';
  if (body === blankBody) return 'body:blank';
  if (body === null) return 'body:null';
  if (Array.isArray(body)) return 'body:array';
  return typeof body === 'object' ? undefined : 'body:scalar';
}

/** The keys of a stream or session that the service sets. */
export const shownKeys: ReadonlySet<string> = new Set([
  ...documentedKeys.stream,
  ...documentedKeys.session,
  ...Object.keys(usualRows['stream.further-keys']),
]);

/** What happens to the fields of a body, or of a profile: those of the table, then any other. */
function takeFields(
  reading: Reading,
  prefix: '' | 'profiles[].',
  path: readonly PropertyKey[],
  given: JsonObject,
): ReadonlyMap<string, Taken> {
  const fields = new Map<string, Field>();
  for (const field of fieldsOf[reading.endpoint]) {
    const name = field.path.slice(prefix.length);
    if (field.path.startsWith(prefix) && !name.includes('[]')) fields.set(name, field);
  }
  const { unknown, shown = unknown } = Object.fromEntries(fields);
  const fieldOf = (name: string): Field | undefined =>
    fields.get(name) ?? (shownKeys.has(name) ? shown : unknown);
  fields.delete('shown');
  fields.delete('unknown');
  const taken = new Map<string, Taken>();
  for (const name of new Set([...fields.keys(), ...Object.keys(given)])) {
    const field = fieldOf(name);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (field === undefined || (value === undefined && !field.kinds.includes('missing'))) continue;
    taken.set(name, takeValue(reading, field, [...path, name], value));
  }
  return taken;
}

/** What happens to the value of a field; `undefined` is a missing field. */
function takeValue(
  reading: Reading,
  field: Field,
  path: readonly PropertyKey[],
  value: Json | undefined,
): Taken {
  const taken = acceptErrors(reading, field, path, value);
  if (taken === undefined) return value === undefined ? { counts: countsAs(field, value) } : {};
  if (field.type === 'profiles' && Array.isArray(taken)) return takeProfiles(reading, path, taken);
  if (field.type === 'profile' && isObject(taken)) return takeProfile(reading, path, taken);
  const isOptional = field.path.startsWith('profiles[].') && field.kinds.includes('given');
  // What a profile may leave out counts only where it is right.
  if (isOptional && wrongsOf(field, value).length > 0) return { shown: taken };
  return { counts: countsAs(field, taken), shown: taken };
}

/** Accepts or refuses the errors of a value one after the other, until it is dropped or refused. */
function acceptErrors(
  reading: Reading,
  field: Field,
  path: readonly PropertyKey[],
  value: Json | undefined,
): Json | undefined {
  // Where a field is not accepted at all, nothing else is wrong with its value.
  const given: Wrong[] = field.kinds.includes('given') ? [{ kind: 'given' }] : [];
  let taken = value;
  for (const { kind, measure } of [...given, ...wrongsOf(field, value)]) {
    taken = note(reading, fieldError(field.path, kind), path, taken, measure);
    if (taken === undefined) break;
  }
  return taken;
}

/** Accepts an error, or notes the refusal, so that the other errors of the body are reported as well. */
function note(
  reading: Reading,
  error: string,
  path: readonly PropertyKey[],
  value: Json | undefined,
  measure?: number,
): Json | undefined {
  const accepted = accept(reading, error, value, measure);
  if (accepted !== undefined) return accepted.value;
  const kind = error.slice(error.lastIndexOf(':') + 1);
  const expected = kind === 'given' ? 'no such field' : 'a value that this service accepts';
  reading.issues.push({ path: describePath(path), expected, got: describeValue(value), error });
  return undefined;
}

/** What becomes of each profile of an array. */
function takeProfiles(
  reading: Reading,
  path: readonly PropertyKey[],
  given: readonly Json[],
): Taken {
  const counts: Json[] = [];
  const shown: Json[] = [];
  const field = fieldAt(reading.endpoint, 'profiles[]') as Field;
  for (const [index, value] of given.entries()) {
    const taken = takeValue(reading, field, [...path, index], value);
    counts.push(taken.counts as Json);
    shown.push(taken.shown as Json);
  }
  return { counts, shown };
}

function takeProfile(reading: Reading, path: readonly PropertyKey[], given: JsonObject): Taken {
  const counts: Record<string, Json> = { ...standInProfile };
  const shown: Record<string, Json> = {};
  for (const [name, part] of takeFields(reading, 'profiles[].', path, given)) {
    if (part.counts !== undefined) counts[name] = part.counts;
    if (part.shown !== undefined) shown[name] = part.shown;
  }
  return { counts, shown };
}

/** What counts where a service accepts an incomplete profile: media needs these. */
const standInProfile: Profile & Record<string, Json> = {
  name: 'rendition',
  bitrate: 1_000_000,
  fps: 30,
  width: 640,
  height: 360,
};

/** The value that counts where a service accepts one of another type. */
function countsAs({ path, type }: Field, value: Json | undefined): Json | undefined {
  switch (type) {
    case 'text':
    case 'rendition':
      return typeof value === 'string' ? value : String(value ?? '');
    case 'boolean':
      return value === undefined ? undefined : value === true || value === 'true' || value === 1;
    case 'whole':
    case 'count':
      return numberFor(path, value);
    case 'word':
      return typeof value === 'string' ? value : undefined;
    case 'profiles':
      return [];
    case 'profile':
      return standInProfile;
    default:
      return value;
  }
}

function numberFor(path: string, value: Json | undefined): Json | undefined {
  if (typeof value === 'number' && value >= 0) return value;
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  if (number > 0 && Number.isFinite(number)) return number;
  return standInProfile[path.slice('profiles[].'.length)];
}
