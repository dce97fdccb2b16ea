import { defaultBehaviours, documentedKeys } from '../../interface/dialect/behaviours.ts';
import { keptFields } from '../../interface/dialect/cells.ts';
import {
  type BodyOperation,
  errorsIn,
  expectedOf,
  type Field,
  type Fields,
  type FoundError,
  fieldsOf,
  fieldsOfProfile,
  findEqualNames,
  profileElement,
} from '../../interface/dialect/fields.ts';
import { defaultDialect, type ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isObject, isSameJson, type Json } from '../../interface/json.ts';
import type { Profile } from '../../interface/types.ts';
import { describeValue, Problem, type ProblemIssue } from '../messages/problem.ts';
import { describeKeys, describePath, maxIssues } from '../messages/validate.ts';
import { acceptOrRefuse, acceptValue } from './accept-or-refuse.ts';

type FieldValues = Readonly<Record<string, Json>>;

/** The keys and indexes that lead to a value in a body. */
type Path = readonly PropertyKey[];

/** The fields of a body as the service accepts them. */
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
  readonly dialect: ResolvedDialect;
  readonly endpoint: BodyOperation;
  readonly issues: ProblemIssue[];
}

/** A value that was read: the one that takes effect, and the one that is shown. Without `shown` it is dropped. */
interface ReadValue {
  readonly effective?: Json | undefined;
  readonly shown?: Json | undefined;
}

/** Stands for a body that was accepted although it is not JSON. */
export const unreadableBody: unique symbol = Symbol('unreadable body');

/** Stands for an empty body whose content type is JSON. */
export const blankBody: unique symbol = Symbol('blank body');

/**
 * Reads the fields of a body as the service accepts them: the same table says what is wrong with a value here
 * and in the probes of `learn`.
 * @throws Problem 422, 400 for equal names, or as the dialect refuses, with an issue for every error up to 20
 */
export function readFields(
  dialect: ResolvedDialect,
  endpoint: BodyOperation,
  body: unknown,
): ReadFields {
  const reading: Reading = { dialect, endpoint, issues: [] };
  checkBody(reading, body);
  const sentFields = isObject(body) ? body : {};
  const readValues = readEachField(reading, fieldsOf[endpoint], [], sentFields);
  refuseIssues(reading);
  if (endpoint === 'updateStream' && readValues.size === 0 && isObject(body)) {
    const error = Object.keys(body).length === 0 ? 'body:empty' : 'body:unknown';
    const issue = { path: 'body', expected: 'a field that can change', got: 'none', error };
    acceptOrRefuse(reading, new Problem('invalid', issue));
  }
  const read: ReadFields = { fields: {}, shown: {}, hidden: [] };
  for (const [name, { effective, shown }] of readValues) {
    if (effective !== undefined) read.fields[name] = effective;
    if (shown !== undefined && !isSameJson(shown, effective)) read.shown[name] = shown;
    if (shown === undefined && !Object.hasOwn(sentFields, name)) read.hidden.push(name);
  }
  return read;
}

function refuseIssues({ dialect, issues }: Reading): void {
  const [first] = issues;
  if (first === undefined) return;
  const code = first.error === equalNames ? 'not-allowed' : 'invalid';
  throw new Problem(code, ...issues.slice(0, dialect.orders.reported === 'all' ? maxIssues : 1));
}

/** Accepts or refuses a body that is not an object. */
function checkBody(reading: Reading, body: unknown): void {
  const error = errorOfBody(body);
  if (error === undefined) return;
  const keys = listKeptFields(reading, fieldsOf[reading.endpoint]);
  const expected = `an object with the key${keys.includes(',') ? 's' : ''} ${keys}`;
  const got = describeValue(body === blankBody ? undefined : body);
  acceptOrRefuse(reading, new Problem('invalid', { path: 'body', expected, got, error }));
}

function errorOfBody(body: unknown): string | undefined {
  if (body === undefined) return 'body:none';
  if (body === blankBody) return 'body:blank';
  if (body === null) return 'body:null';
  if (Array.isArray(body)) return 'body:array';
  return typeof body === 'object' || body === unreadableBody ? undefined : 'body:scalar';
}

/** The keys of a stream or session that the service sets. */
const shownKeys: ReadonlySet<string> = new Set([
  ...documentedKeys.stream,
  ...documentedKeys.session,
  ...Object.keys(defaultBehaviours['stream.further-keys']),
]);

/** The field with a name, or the one that stands for it. */
function fieldNamed(fields: Fields, name: string): Field | undefined {
  const namedField = name === 'read-only' ? undefined : fields.get(name);
  const readOnly = shownKeys.has(name) ? fields.get('read-only') : undefined;
  return namedField ?? readOnly ?? fields.get('unknown');
}

/** The names of the fields that a service keeps, as a message lists them. */
function listKeptFields({ dialect, endpoint }: Reading, fields: Fields): string {
  const names = keptFields(fields, dialect.refusals[endpoint]).map(([name]) => name);
  return names.filter((name) => name !== 'unknown').join(', ');
}

/** What happens to the fields of a body, or of a profile: those of the table, then any other. */
function readEachField(reading: Reading, fields: Fields, path: Path, sentFields: FieldValues) {
  const readValues = new Map<string, ReadValue>();
  const refused = new Map<string, string | undefined>();
  for (const name of new Set([...fields.keys(), ...Object.keys(sentFields)])) {
    const field = fieldNamed(fields, name);
    const value = Object.hasOwn(sentFields, name) ? sentFields[name] : undefined;
    if (field === undefined || (value === undefined && !field.errors.has('missing'))) continue;
    const error = field.errors.get('given');
    const accepted = error === undefined ? { value } : acceptValue(reading, error, value);
    if (accepted === undefined) refused.set(name, error);
    // A field that is dropped is not checked any further.
    else if (accepted.value === value) {
      readValues.set(name, readValue(reading, field, [...path, name], value));
    }
  }
  if (refused.size > 0)
    reading.issues.push(issueOfNames(path, refused, listKeptFields(reading, fields)));
  return readValues;
}

/** The issue of keys that are not those of fields; `refused` has the error of each. */
function issueOfNames(
  path: Path,
  refused: ReadonlyMap<string, string | undefined>,
  keptNames: string,
): ProblemIssue {
  const [error] = refused.values();
  const got = describeKeys([...refused.keys()]);
  const advice = refused.has('record') ? 'PATCH /stream/{id}/record switches recording' : undefined;
  return { path: describePath(path), expected: `known keys (${keptNames})`, got, error, advice };
}

/** What happens to the value of a field; `undefined` is a missing field. */
function readValue(reading: Reading, field: Field, path: Path, value: Json | undefined): ReadValue {
  const accepted = acceptErrors(reading, field, path, value);
  if (accepted === undefined)
    return value === undefined ? { effective: effectiveValue(field, value) } : {};
  if (field.type === 'profiles' && Array.isArray(accepted))
    return readRenditions(reading, path, accepted);
  if (field.type === 'profile' && isObject(accepted)) return readProfile(reading, path, accepted);
  const isOptional = field.path.startsWith('profiles[].') && field.errors.has('given');
  // What a profile may leave out counts only where it is right.
  if (isOptional && errorsIn(field, value).length > 0) return { shown: accepted };
  return { effective: effectiveValue(field, accepted), shown: accepted };
}

/**
 * Accepts the errors of a value one after the other, until it is dropped, or notes the refusal, so that the other
 * errors of the body are reported as well.
 */
function acceptErrors(
  reading: Reading,
  field: Field,
  path: Path,
  value: Json | undefined,
): Json | undefined {
  let current = value;
  for (const foundError of errorsIn(field, value)) {
    const { error, measure } = foundError;
    const accepted = acceptValue(reading, error, current, measure);
    if (accepted === undefined)
      reading.issues.push(issueOf(reading, field, path, current, foundError));
    current = accepted?.value;
    if (current === undefined) break;
  }
  return current;
}

/** The error of two profiles that have the same name. */
const equalNames = 'field:profiles:equal';

function issueOf(
  { endpoint }: Reading,
  field: Field,
  path: Path,
  value: Json | undefined,
  { error, measure }: FoundError,
): ProblemIssue {
  if (error === equalNames) {
    const profiles = value as readonly FieldValues[];
    const [index, first] = findEqualNames(profiles);
    const got = `${describeValue(profiles[index]?.['name'])}, the name of profiles[${first}]`;
    return { path: describePath([...path, index, 'name']), expected: 'a unique name', got, error };
  }
  const site = { dialect: defaultDialect, endpoint };
  const isAcceptedByDefault = acceptValue(site, error, value, measure) !== undefined;
  const expected = `${expectedOf(field, value)}${isAcceptedByDefault ? ' that this service accepts' : ''}`;
  return { path: describePath(path), expected, got: describeValue(value), error };
}

/** What becomes of each profile of an array. */
function readRenditions(reading: Reading, path: Path, sentProfiles: readonly Json[]): ReadValue {
  const profiles = sentProfiles.map((value, index) =>
    readValue(reading, profileElement, [...path, index], value),
  );
  const effective = profiles.map((profile) => profile.effective as Json);
  return { effective, shown: profiles.map((profile) => profile.shown as Json) };
}

function readProfile(reading: Reading, path: Path, sentProfile: FieldValues): ReadValue {
  const effective: Record<string, Json> = { ...standInProfile };
  const shown: Record<string, Json> = {};
  for (const [name, value] of readEachField(reading, fieldsOfProfile, path, sentProfile)) {
    if (value.effective !== undefined) effective[name] = value.effective;
    if (value.shown !== undefined) shown[name] = value.shown;
  }
  return { effective, shown };
}

/** Fills in what an accepted but incomplete profile lacks, because media needs all of it. */
const standInProfile: Profile & Record<string, Json> = {
  name: 'rendition',
  bitrate: 1_000_000,
  fps: 30,
  width: 640,
  height: 360,
};

/** The value that counts where a service accepts one of another type. */
function effectiveValue({ path, type }: Field, value: Json | undefined): Json | undefined {
  switch (type) {
    case 'text':
    case 'rendition':
      return typeof value === 'string' ? value : String(value ?? '');
    case 'boolean':
      return value === undefined ? undefined : value === true || value === 'true' || value === 1;
    case 'positive':
      return numberFor(path, value);
    case 'profiles':
      return [];
    case 'profile':
      return standInProfile;
    default:
      return value;
  }
}

function numberFor(path: string, value: Json | undefined): Json | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  if (number > 0 && Number.isFinite(number)) return number;
  return standInProfile[path.slice('profiles[].'.length)];
}
