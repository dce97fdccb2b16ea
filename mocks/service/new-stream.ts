import * as z from 'zod';
import { newStreamSchema } from '../../interface/schemas.ts';
import { type Behaviours, type RowId, usualBehaviours } from '../../interface/silent.ts';
import { largestAccepted } from '../../interface/silent-row.ts';
import type { NewStream, StreamRecord } from '../../interface/types.ts';
import { bodySchema, fieldOf } from './body-fields.ts';
import { furtherRow, hasKnownField, keptFields, knownFieldValues } from './further-fields.ts';
import { perBehaviours } from './per-behaviours.ts';
import { keptProfile, profilesSchema, rowOfProfileIssue } from './profile-input.ts';

/** What a new stream is made from. */
export interface StreamInput
  extends NewStream,
    Partial<Pick<StreamRecord, 'profilesShown' | 'further'>> {}

/** Schema of the body that creates a stream. */
export const creationSchema: (behaviours: Behaviours) => z.ZodType = perBehaviours<z.ZodType>(
  newStreamSchema,
  (behaviours) => {
    const accepts = (name: string) => refusingName(name, behaviours) === undefined;
    const record = behaviours['create.record'];
    const shape = {
      name: z.string('a string').refine(accepts, 'a name that this service takes'),
      profiles: givenProfilesSchema(behaviours).exactOptional(),
      ...(record === 'taken' && { record: recordSchema(behaviours).exactOptional() }),
    };
    const fields = { record, ...knownFieldValues('create', behaviours) };
    return bodySchema(shape, fields, behaviours['create.unknown-field']);
  },
);

function recordSchema(behaviours: Behaviours): z.ZodType {
  const takes = (record: unknown): boolean =>
    typeof record === 'boolean' || behaviours[rowOfRecord(record)] === 'dropped';
  return z.unknown().refine(takes, 'true or false');
}

/** The row about a record that is not a boolean. */
function rowOfRecord(record: unknown): 'create.null-record' | 'create.wrong-record' {
  return record === null ? 'create.null-record' : 'create.wrong-record';
}

function givenProfilesSchema(behaviours: Behaviours): z.ZodType {
  const profiles = profilesSchema(behaviours);
  const some =
    typeof behaviours['profiles.empty'] === 'string'
      ? profiles
      : profiles.refine(
          (given) => (given as readonly unknown[]).length > 0,
          'at least one profile',
        );
  return typeof behaviours['profiles.null'] === 'string' ? some.nullable() : some;
}

/** The row that says how a client is refused whose new stream has an issue. */
export function rowOfCreation(issue: z.core.$ZodIssue, behaviours: Behaviours): RowId {
  const field = fieldOf(issue);
  const { path, input } = issue;
  switch (field) {
    case undefined:
      return `refusal.${input === undefined ? 'no-body' : 'not-object'}.createStream`;
    case 'name':
      return rowOfName(input, behaviours);
    case 'record':
      return typeof behaviours['create.record'] === 'string' ? rowOfRecord(input) : 'create.record';
    case 'profiles':
      if (path.length > 1) return rowOfProfileIssue(issue, behaviours);
      if (input === null) return 'profiles.null';
      return Array.isArray(input) ? 'profiles.empty' : 'refusal.wrong-profiles';
    default:
      return furtherRow('create', field);
  }
}

function rowOfName(name: unknown, behaviours: Behaviours): RowId {
  if (name === undefined) return 'refusal.missing-name';
  if (name === null) return 'refusal.null-name';
  return (typeof name === 'string' && refusingName(name, behaviours)) || 'refusal.wrong-name';
}

function refusingName(name: string, behaviours: Behaviours): RowId | undefined {
  if (isLonger(name, largestAccepted(behaviours['create.name-length']))) {
    return 'create.name-length';
  }
  if (name === '' && behaviours['create.empty-name'] !== 'accepted') return 'create.empty-name';
  const isOther = !/^\p{ASCII}*$/u.test(name);
  return isOther && behaviours['create.other-characters'] !== 'accepted'
    ? 'create.other-characters'
    : undefined;
}

/** Whether a text has more characters than `most`: an emoji counts once. */
function isLonger(text: string, most: number): boolean {
  return text.length > most && [...text].length > most;
}

/** What a stream is made from, by a body that fits {@link creationSchema}. */
export function readNewStream(body: NewStream, behaviours: Behaviours): StreamInput {
  if (behaviours === usualBehaviours && !hasKnownField(body)) return body;
  const { name, profiles, record, ...others } = body;
  const further = keptFields('create', others, behaviours);
  const shown = profilesShown(profiles, behaviours);
  return {
    name,
    profiles: (profiles ?? []).map((profile) => keptProfile(profile, behaviours)),
    record:
      behaviours['create.record'] === 'taken' && typeof record === 'boolean'
        ? record
        : behaviours['create.record-default'],
    ...((shown === 'absent' || shown === 'null') && { profilesShown: shown }),
    ...(Object.keys(further).length > 0 && { further }),
  };
}

/** What a stream shows that was created with these profiles; `undefined` when it has some. */
function profilesShown(
  profiles: NewStream['profiles'] | null,
  behaviours: Behaviours,
): Behaviours['profiles.empty'] | undefined {
  if (profiles === undefined) return behaviours['profiles.omitted'];
  if (profiles === null) return behaviours['profiles.null'];
  return profiles.length === 0 ? behaviours['profiles.empty'] : undefined;
}
