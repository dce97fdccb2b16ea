import { defaultBehaviours, documentedKeys } from '../../interface/dialect/behaviours.ts';
import {
  convert,
  hasBounds,
  isBeyond,
  isKept,
  isRefusal,
  type Refusal,
} from '../../interface/dialect/cells.ts';
import type { ErrorId } from '../../interface/dialect/errors.ts';
import {
  type BodyOperation,
  errorsIn,
  expectedOf,
  type Field,
  type FieldError,
  type Fields,
  fieldsOf,
  fieldsOfProfile,
  findEqualNames,
  measureOf,
  profileElement,
} from '../../interface/dialect/fields.ts';
import { type Cells, keptFields } from '../../interface/dialect/matrix.ts';
import { defaultDialect, type ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isObject, isSameJson, type Json } from '../../interface/json.ts';
import type { Profile } from '../../interface/types.ts';
import { describeValue, Problem, type ProblemIssue } from '../messages/problem.ts';
import { protoKey } from '../messages/read-json.ts';
import { describeKeys, describePath, maxIssues } from '../messages/validate.ts';
import { acceptOrRefuse } from './accept-or-refuse.ts';

type FieldValues = Readonly<Record<string, Json>>;

/** Where a value is in a body: the key or index that leads to it, after those before. */
interface Place {
  readonly before: Place | undefined;
  readonly key: PropertyKey;
}

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
  readonly cells: Cells;
  readonly issues: FieldIssue[];
}

/** A wrong field, and how a body is refused for it. */
interface FieldIssue extends ProblemIssue {
  readonly error: ErrorId;
  readonly refusal: Refusal;
}

/** A field that a service does not know. */
interface UnwantedField extends Pick<FieldIssue, 'error' | 'refusal'> {
  readonly name: string;
}

/**
 * What became of a value: it was not sent, which is accepted; or it was sent and dropped, refused or kept. The effective
 * value takes effect, and the shown one is what clients see instead.
 */
type ReadValue =
  | { readonly outcome: 'missing'; readonly effective: Json | undefined }
  | { readonly outcome: 'dropped' | 'refused' }
  | { readonly outcome: 'kept'; readonly effective: Json | undefined; readonly shown: Json };

const dropped = { outcome: 'dropped' } as const;
const refused = { outcome: 'refused' } as const;

/** A value that counts as it was sent. */
function keptAsSent(value: Json): ReadValue {
  return { outcome: 'kept', effective: value, shown: value };
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
  const cells = dialect.cells[endpoint];
  const reading: Reading = { dialect, endpoint, cells, issues: [] };
  checkBody(reading, body);
  const sentFields = isObject(body) ? body : {};
  const read: ReadFields = { fields: {}, shown: {}, hidden: [] };
  let isEmpty = true;
  readEachField(reading, fieldsOf[endpoint], undefined, sentFields, (name, value) => {
    isEmpty = false;
    if (value.outcome === 'missing') read.hidden.push(name);
    if (value.outcome !== 'missing' && value.outcome !== 'kept') return;
    const { effective } = value;
    if (effective !== undefined) read.fields[name] = effective;
    if (value.outcome === 'missing' || value.shown === effective) return;
    if (!isSameJson(value.shown, effective)) read.shown[name] = value.shown;
  });
  refuseIssues(reading);
  if (endpoint === 'updateStream' && isEmpty && isObject(body)) {
    const error = Object.keys(body).length === 0 ? 'body:empty' : 'body:unknown';
    const issue = { path: 'body', expected: 'a field that can change', got: 'none' };
    acceptOrRefuse(cells, error, () => new Problem('invalid', issue));
  }
  return read;
}

/** Notes an issue. With as many as are reported, the rest of the body does not matter. */
function noteIssue(reading: Reading, issue: FieldIssue): void {
  reading.issues.push(issue);
  if (reading.issues.length === maxIssues) refuseIssues(reading);
}

/** Refuses a body that has issues. The first one decides how. */
function refuseIssues({ dialect, issues }: Reading): void {
  const [first] = issues;
  if (first === undefined) return;
  const code = first.error === equalNames ? 'not-allowed' : 'invalid';
  const reported = dialect.orders.reported === 'all' ? issues : [first];
  throw new Problem(code, ...reported).refusedAs(first.refusal);
}

/** Accepts or refuses a body that is not an object. */
function checkBody(reading: Reading, body: unknown): void {
  const error = errorOfBody(body);
  if (error === undefined) return;
  acceptOrRefuse(reading.cells, error, () => {
    const keys = listKeptFields(reading, fieldsOf[reading.endpoint]);
    const expected = `an object with the key${keys.includes(',') ? 's' : ''} ${keys}`;
    const got = describeValue(body === blankBody ? undefined : body);
    return new Problem('invalid', { path: 'body', expected, got });
  });
}

function errorOfBody(body: unknown): ErrorId | undefined {
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
function listKeptFields({ cells }: Reading, fields: Fields): string {
  const names = keptFields(fields, cells).map(([name]) => name);
  return names.filter((name) => name !== 'unknown').join(', ');
}

/** Reads the fields of a body, or of a profile: those of the table, then any other. A dropped field is left out. */
function readEachField(
  reading: Reading,
  fields: Fields,
  place: Place | undefined,
  sentFields: FieldValues,
  take: (name: string, value: ReadValue) => void,
): void {
  const { cells } = reading;
  const unwanted: UnwantedField[] = [];
  const read = (name: string): void => {
    const field = fieldNamed(fields, name);
    const value = Object.hasOwn(sentFields, name) ? sentFields[name] : undefined;
    const presence = field?.presence;
    if (field === undefined || (value === undefined && presence?.kind !== 'missing')) return;
    if (presence?.kind === 'given') {
      const cell = cells[presence.id];
      if (isRefusal(cell)) unwanted.push({ name, error: presence.id, refusal: cell });
      // A field that is dropped is not checked any further, and no record can hold this key.
      if (!isKept(cell) || name === protoKey) return;
    }
    take(name, readValue(reading, field, { before: place, key: name }, value));
  };
  for (const name of fields.keys()) read(name);
  for (const name of Object.keys(sentFields)) if (!fields.has(name)) read(name);
  const [first] = unwanted;
  if (first !== undefined) {
    const names = unwanted.map(({ name }) => name);
    noteIssue(reading, issueOfNames(reading, fields, place, names, first));
  }
}

/** The issue of keys that are not those of fields, of which the first decides how they are refused. */
function issueOfNames(
  reading: Reading,
  fields: Fields,
  place: Place | undefined,
  names: readonly string[],
  { error, refusal }: UnwantedField,
): FieldIssue {
  const advice = names.includes('record')
    ? 'PATCH /stream/{id}/record switches recording'
    : undefined;
  const expected = `known keys (${listKeptFields(reading, fields)})`;
  return { path: describePlace(place), expected, got: describeKeys(names), advice, error, refusal };
}

/** The path of a place in a body, such as `profiles[1].fps`. */
function describePlace(place: Place | undefined, ...further: readonly PropertyKey[]): string {
  const path = [...further];
  for (let at = place; at !== undefined; at = at.before) path.unshift(at.key);
  return describePath(path);
}

/** What becomes of the value of a field; `undefined` is a missing field. */
function readValue(
  reading: Reading,
  field: Field,
  place: Place,
  sentValue: Json | undefined,
): ReadValue {
  const errors = errorsIn(field, sentValue);
  const accepted = acceptErrors(reading, field, place, sentValue, errors);
  if ('outcome' in accepted) return accepted;
  const { value, isWrong } = accepted;
  if (value === undefined) {
    if (sentValue !== undefined) return dropped;
    return { outcome: 'missing', effective: effectiveValue(field, undefined) };
  }
  if (field.type === 'profiles' && Array.isArray(value)) {
    return readRenditions(reading, place, value);
  }
  if (field.type === 'profile' && isObject(value)) return readProfile(reading, place, value);
  if (!isWrong) return keptAsSent(value);
  const isOptional = field.path.startsWith('profiles[].') && field.presence?.kind === 'given';
  // What a profile may leave out counts only where it is right.
  const effective = isOptional ? undefined : effectiveValue(field, value);
  return { outcome: 'kept', effective, shown: value };
}

/**
 * Accepts the errors of a value one after the other, until it is dropped. A refusal is noted, so that the other errors of
 * the body are reported as well.
 */
function acceptErrors(
  reading: Reading,
  field: Field,
  place: Place,
  sentValue: Json | undefined,
  errors: readonly FieldError[],
): { readonly value: Json | undefined; readonly isWrong: boolean } | typeof refused {
  let value = sentValue;
  let isWrong = false;
  for (const error of errors) {
    const cell = reading.cells[error.id];
    if (hasBounds(cell) && !isBeyond(error.id, measureOf(sentValue), cell)) continue;
    // Where there is no limit, nothing is wrong.
    isWrong ||= !field.limits.includes(error) || !isKept(cell);
    if (isRefusal(cell)) {
      noteIssue(reading, { ...issueOf(reading, field, place, value, error), refusal: cell });
      return refused;
    }
    value = convert(cell, value);
    if (value === undefined) break;
  }
  return { value, isWrong };
}

/** The error of two profiles that have the same name. */
const equalNames: ErrorId = 'field:profiles:equal';

function issueOf(
  { endpoint }: Reading,
  field: Field,
  place: Place,
  value: Json | undefined,
  { id: error }: FieldError,
): Omit<FieldIssue, 'refusal'> {
  if (error === equalNames) {
    const profiles = value as readonly FieldValues[];
    const [index, first] = findEqualNames(profiles);
    const got = `${describeValue(profiles[index]?.['name'])}, the name of profiles[${first}]`;
    const path = describePlace(place, index, 'name');
    return { path, expected: 'a unique name', got, error };
  }
  const cell = defaultDialect.cells[endpoint][error];
  const isAcceptedByDefault =
    !isRefusal(cell) || (hasBounds(cell) && !isBeyond(error, measureOf(value), cell));
  const expected = `${expectedOf(field, value)}${isAcceptedByDefault ? ' that this service accepts' : ''}`;
  return { path: describePlace(place), expected, got: describeValue(value), error };
}

/** What becomes of each profile of an array. */
function readRenditions(reading: Reading, place: Place, sentProfiles: readonly Json[]): ReadValue {
  const profiles = sentProfiles.map((value, index) =>
    readValue(reading, profileElement, { before: place, key: index }, value),
  );
  const kept = profiles.filter((profile) => profile.outcome === 'kept');
  const shown = kept.map((profile) => profile.shown);
  const isAsShown = kept.every((profile) => profile.effective === profile.shown);
  const effective = isAsShown ? shown : kept.map((profile) => profile.effective as Json);
  return { outcome: 'kept', effective, shown };
}

function readProfile(reading: Reading, place: Place, sentProfile: FieldValues): ReadValue {
  const shown: Record<string, Json> = {};
  const effective: Record<string, Json> = {};
  let isAsShown = true;
  readEachField(reading, fieldsOfProfile, place, sentProfile, (name, value) => {
    if (value.outcome === 'kept') shown[name] = value.shown;
    const counts = value.outcome === 'kept' || value.outcome === 'missing';
    if (counts && value.effective !== undefined) effective[name] = value.effective;
    isAsShown &&= value.outcome === 'kept' && value.effective === value.shown;
  });
  if (isAsShown) return keptAsSent(shown);
  return { outcome: 'kept', effective: { ...standInProfile, ...effective }, shown };
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
