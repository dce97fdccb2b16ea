import type { Manners } from '../../interface/dialect.ts';
import type { Json } from '../../interface/json.ts';
import type { NewStream, Profile, StreamRecord } from '../../interface/types.ts';
import { hasKnownField, keptFields } from './further-fields.ts';
import type { ReadFields } from './read-fields.ts';

/** What a new stream is made from. */
export interface StreamInput
  extends NewStream,
    Partial<Pick<StreamRecord, 'shown' | 'hidden' | 'further'>> {}

/** What a stream is made from, by the body of a creation without a dialect. */
export function readNewStream(body: NewStream): StreamInput {
  if (!hasKnownField(body)) return body;
  const { name, profiles = [], record = false, ...others } = body;
  return { name, profiles, record, further: keptFields(others) };
}

/** What a stream is made from, by the body of a creation as a dialect takes it. */
export function takeNewStream(
  { fields, shown, hidden }: ReadFields,
  manners: Manners,
): StreamInput {
  const { name, profiles, record, ...others } = fields;
  const { rows } = manners;
  const input = {
    name: String(name ?? ''),
    record: typeof record === 'boolean' ? record : rows['record.default'],
    further: keptFields(others),
    hidden: name === undefined ? [...hidden, 'name'] : hidden,
  };
  const given = profiles as readonly Profile[] | undefined;
  const { profiles: sent, ...shownOthers } = shown;
  if ((given !== undefined && given.length > 0) || (sent !== undefined && sent !== null)) {
    return { ...input, profiles: given ?? [], shown };
  }
  const kind = given === undefined ? 'omitted' : 'none';
  const usual = rows['profiles.default'][sent === null ? 'null' : kind];
  if (typeof usual !== 'string') return { ...input, profiles: usual, shown: shownOthers };
  return {
    ...input,
    profiles: [],
    shown: usual === 'null' ? { ...shownOthers, profiles: null } : shownOthers,
    hidden: usual === 'absent' ? [...input.hidden, 'profiles'] : input.hidden,
  };
}

/** The parts of a record that only some have. */
export function onlyFilled(parts: {
  readonly shown?: Readonly<Record<string, Json>> | undefined;
  readonly hidden?: readonly string[] | undefined;
  readonly further?: Readonly<Record<string, Json>> | undefined;
}): Partial<Pick<StreamRecord, 'shown' | 'hidden' | 'further'>> {
  const { shown = {}, hidden = [], further = {} } = parts;
  return {
    ...(Object.keys(shown).length > 0 && { shown }),
    ...(hidden.length > 0 && { hidden }),
    ...(Object.keys(further).length > 0 && { further }),
  };
}
