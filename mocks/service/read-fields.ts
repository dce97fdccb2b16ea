import type { Manners } from '../../interface/dialect.ts';
import { fieldError } from '../../interface/errors.ts';
import {
  type BodyOperation,
  type Field,
  fieldAt,
  fieldsOf,
  wrongsOf,
} from '../../interface/fields.ts';
import type { Json } from '../../interface/json.ts';
import type { Profile } from '../../interface/types.ts';
import { describeValue, Problem, type ProblemIssue } from '../problems/problem.ts';
import { describePath } from '../problems/validate.ts';
import { meet, meetValue } from './meet.ts';

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

/** What is under way while a body is read. */
interface Reading {
  readonly manners: Manners;
  readonly asked: BodyOperation;
  readonly issues: ProblemIssue[];
}

/** What becomes of one value: what counts, and what is shown; without `shown` it is dropped. */
interface Taken {
  readonly counts?: Json | undefined;
  readonly shown?: Json | undefined;
}

const dropped: Taken = {};

/**
 * Reads the fields of a body as a dialect takes them: the same table says what is wrong with a value here
 * and in the questions of `learn`.
 * @throws Problem 422, or as the dialect refuses, with an issue for every error up to 20
 */
export function readFields(manners: Manners, asked: BodyOperation, body: unknown): ReadFields {
  const reading: Reading = { manners, asked, issues: [] };
  const given = readObject(reading, body);
  const read: ReadFields = { fields: {}, shown: {}, hidden: [] };
  const fields = fieldsOf[asked].filter(({ path }) => !path.includes('[]') && path !== 'unknown');
  for (const field of fields) readField(reading, field, given, read);
  const known = new Set(fields.map(({ path }) => path));
  const unknown = fieldAt(asked, 'unknown');
  for (const [key, value] of Object.entries(given)) {
    if (known.has(key) || unknown === undefined) continue;
    const taken = takeGiven(reading, unknown, [key], value);
    if (taken.shown !== undefined) read.fields[key] = taken.shown;
  }
  if (reading.issues.length > 0) {
    const told =
      manners.orders.told === 'all'
        ? reading.issues.slice(0, mostIssues)
        : reading.issues.slice(0, 1);
    throw new Problem('invalid', ...told);
  }
  return read;
}

/** Most issues that are listed: a body can have an error in every byte. */
const mostIssues = 20;

/** The object of a body; one that is none is refused, or taken for an empty one. */
function readObject({ manners, asked }: Reading, body: unknown): JsonObject {
  const kind = kindOfBody(body);
  if (kind === undefined) return body as JsonObject;
  const problem = (): Problem =>
    new Problem('invalid', {
      path: 'body',
      expected: 'an object',
      got: describeValue(body),
      error: kind,
    });
  meet(manners, asked, { error: kind, problem }, undefined);
  return {};
}

function kindOfBody(body: unknown): string | undefined {
  if (body === undefined) return 'body:none';
  if (body === null) return 'body:null';
  if (Array.isArray(body)) return 'body:array';
  return typeof body === 'object' ? undefined : 'body:scalar';
}

function readField(reading: Reading, field: Field, given: JsonObject, read: ReadFields): void {
  const { path, kinds } = field;
  const value = Object.hasOwn(given, path) ? given[path] : undefined;
  if (value === undefined && !kinds.includes('missing')) return;
  const taken = takeValue(reading, field, [path], value);
  if (typeof taken === 'string') return;
  if (taken.counts !== undefined) read.fields[path] = taken.counts;
  if (taken.shown === undefined) {
    if (value === undefined) read.hidden.push(path);
  } else if (!isSame(taken.shown, taken.counts)) read.shown[path] = taken.shown;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** What becomes of a value in an array of profiles: it can drop its profile, or all. */
type InArray = Taken | 'element-dropped' | 'array-dropped';

/** What becomes of the value of a field, by its errors; `undefined` is a field that is missing. */
function takeValue(
  reading: Reading,
  field: Field,
  path: readonly PropertyKey[],
  value: Json | undefined,
): InArray {
  const met = meetErrors(reading, field, path, value);
  if (typeof met === 'string') return met;
  let taken = met.value;
  if (value !== undefined && field.kinds.includes('given')) {
    taken = note(reading, fieldError(field.path, 'given'), path, taken)?.value;
  }
  if (taken === undefined)
    return value === undefined ? { counts: countsAs(field, undefined) } : dropped;
  if (field.type === 'profiles' && Array.isArray(taken)) return takeProfiles(reading, path, taken);
  return { counts: countsAs(field, taken), shown: taken };
}

/** Meets the errors of a value one after the other, until it is dropped or refused. */
function meetErrors(
  reading: Reading,
  field: Field,
  path: readonly PropertyKey[],
  value: Json | undefined,
): { readonly value: Json | undefined } | 'element-dropped' | 'array-dropped' {
  let taken = value;
  for (const { kind, measure } of wrongsOf(field, value)) {
    const met = note(reading, fieldError(field.path, kind), path, taken, measure);
    if (met?.as === 'array-dropped') return met.as;
    // Of equal names the later profiles are dropped, and not what the array is in.
    if (met?.as === 'element-dropped' && kind !== 'equal') return met.as;
    taken = met?.as === 'element-dropped' ? firstOfEachName(taken) : met?.value;
    if (reading.issues.length > 0 || taken === undefined) break;
  }
  return { value: taken };
}

function firstOfEachName(profiles: Json | undefined): Json | undefined {
  if (!Array.isArray(profiles)) return profiles;
  const names = profiles.map((one) => (one as { name?: unknown } | null)?.name);
  return profiles.filter(
    (_, index) => names[index] === undefined || names.indexOf(names[index]) === index,
  );
}

/** Meets an error, and notes the refusal, so that the other errors of the body are told as well. */
function note(
  { manners, asked, issues }: Reading,
  error: string,
  path: readonly PropertyKey[],
  value: Json | undefined,
  measure?: number,
): ReturnType<typeof meetValue> {
  const met = meetValue(manners, asked, error, value, measure);
  if (met === undefined) {
    const expected = expectedFor(error);
    issues.push({ path: describePath(path), expected, got: describeValue(value), error });
  }
  return met;
}

/** What is expected instead of a value, in words. */
function expectedFor(error: string): string {
  const kind = error.slice(error.lastIndexOf(':') + 1);
  return kind === 'given' ? 'no such field' : `a value that is not ${kind}`;
}

/** What becomes of an array of profiles: of each, and of the array where one drops it. */
function takeProfiles(
  reading: Reading,
  path: readonly PropertyKey[],
  given: readonly Json[],
): Taken {
  const counts: Json[] = [];
  const shown: Json[] = [];
  const field = fieldAt(reading.asked, 'profiles[]') as Field;
  for (const [index, value] of given.entries()) {
    const at = [...path, index];
    const taken = takeElement(reading, field, at, value);
    if (taken === 'array-dropped') return dropped;
    if (taken === 'element-dropped') continue;
    counts.push(taken.counts as Json);
    shown.push(taken.shown as Json);
  }
  return { counts, shown };
}

function takeElement(
  reading: Reading,
  field: Field,
  path: readonly PropertyKey[],
  value: Json,
): InArray {
  if (wrongsOf(field, value).length === 0) return takeParts(reading, path, value as JsonObject);
  const taken = takeValue(reading, field, path, value);
  return typeof taken === 'string' ? taken : { counts: standInProfile, shown: value };
}

/** What becomes of the fields of one profile. */
function takeParts(reading: Reading, path: readonly PropertyKey[], given: JsonObject): InArray {
  const counts: Record<string, Json> = {};
  const shown: Record<string, Json> = {};
  const all = fieldsOf[reading.asked].filter(({ path: name }) => name.startsWith('profiles[].'));
  const unknown = all.find((part) => nameOf(part) === 'unknown') as Field;
  const parts = all.filter((part) => part !== unknown);
  for (const part of parts) {
    const name = nameOf(part);
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const taken = takePart(reading, part, [...path, name], own);
    if (typeof taken === 'string') return taken;
    if (taken.counts !== undefined) counts[name] = taken.counts;
    if (taken.shown !== undefined) shown[name] = taken.shown;
  }
  const known = new Set(parts.map(nameOf));
  for (const [name, own] of Object.entries(given).filter(([key]) => !known.has(key))) {
    const taken = takeGiven(reading, unknown, [...path, name], own).shown;
    if (taken === undefined) continue;
    counts[name] = taken;
    shown[name] = taken;
  }
  return { counts: { ...standInProfile, ...counts }, shown };
}

/** What becomes of one field of a profile: one that may be left out counts only where it is right. */
function takePart(
  reading: Reading,
  part: Field,
  path: readonly PropertyKey[],
  value: Json | undefined,
): InArray {
  if (part.kinds.includes('missing')) return takeValue(reading, part, path, value);
  if (value === undefined) return dropped;
  const taken = takeValue(reading, part, path, value);
  const isRight = typeof taken === 'string' || wrongsOf(part, value).length === 0;
  return isRight ? taken : { shown: taken.shown };
}

function nameOf({ path }: Field): string {
  return path.slice('profiles[].'.length);
}

/** A field that the interface does not name: kept, dropped or refused as it is. */
function takeGiven(
  reading: Reading,
  field: Field,
  path: readonly PropertyKey[],
  value: Json,
): Taken {
  return { shown: note(reading, fieldError(field.path, 'given'), path, value)?.value };
}

/** What counts of a profile where a service takes one that says too little: media needs these. */
const standInProfile: Profile & Record<string, Json> = {
  name: 'rendition',
  bitrate: 1_000_000,
  fps: 30,
  width: 640,
  height: 360,
};

/** The value that counts where a service takes one of another type. */
function countsAs({ path, type }: Field, value: Json | undefined): Json | undefined {
  switch (type) {
    case 'text':
    case 'rendition':
      return typeof value === 'string'
        ? value
        : value === undefined || value === null
          ? ''
          : String(value);
    case 'boolean':
      return value === undefined ? undefined : value === true || value === 'true' || value === 1;
    case 'whole':
    case 'count':
      return numberFor(path, value);
    case 'word':
      return typeof value === 'string' ? value : undefined;
    case 'profiles':
      return [];
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
