import type { Random } from '../../fixtures/random.ts';
import type { Behaviour } from '../../interface/dialect.ts';
import type { Json } from '../../interface/json.ts';
import { isObject } from '../../interface/json.ts';
import type { NewStream, Profile, StreamRecord } from '../../interface/types.ts';
import { createId } from '../state/ids.ts';
import { type ReadFields, shownKeys } from './read-fields.ts';

/** What a new stream is made from. */
export interface StreamInput
  extends NewStream,
    Partial<Pick<StreamRecord, 'shown' | 'hidden' | 'further'>> {}

/** What a stream is made from, by the fields of a creation. */
export function newStreamFrom(
  { fields, shown: allShown, hidden }: ReadFields,
  { rows }: Behaviour,
): StreamInput {
  const { name = '', profiles, record, ...others } = fields;
  const { profiles: sent, ...shown } = allShown;
  const given = profiles as readonly Profile[] | undefined;
  const hasProfiles = (given !== undefined && given.length > 0) || (sent ?? null) !== null;
  const omission = given === undefined ? 'omitted' : 'none';
  const usual = hasProfiles
    ? (given ?? [])
    : rows['profiles.default'][sent === null ? 'null' : omission];
  return {
    name: String(name),
    record: typeof record === 'boolean' ? record : rows['record.default'],
    further: keptFields(others),
    hidden: [
      ...hidden,
      ...('name' in fields ? [] : ['name']),
      ...(usual === 'absent' ? ['profiles'] : []),
    ],
    profiles: typeof usual === 'string' ? [] : usual,
    shown: hasProfiles ? allShown : { ...shown, ...(usual === 'null' && { profiles: null }) },
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

/** Further fields as a stream keeps them: none of the keys that it shows by itself. */
function keptFields(fields: Readonly<Record<string, Json>>): Record<string, Json> {
  const kept = Object.entries(fields).filter(
    // `suspended` is a further field that an update sets.
    ([field]) => field === 'suspended' || !shownKeys.has(field),
  );
  return Object.fromEntries(kept.map(([field, value]) => [field, asShown(field, value)]));
}

/** The id of a creator that is sent as a text is shown as the object that Livepeer's SDK reads. */
function asShown(field: string, value: Json): Json {
  const isId = field === 'creatorId' && typeof value === 'string';
  return isId ? { type: 'unverified', value } : value;
}

/**
 * Further fields with an id for each multistream target that a client gave inline. Its address is dropped:
 * nothing is sent there, and it usually holds a secret.
 */
export function withTargetIds(
  further: Readonly<Record<string, Json>>,
  random: Random,
): Readonly<Record<string, Json>> {
  const multistream = further['multistream'] as { targets?: Json } | null | undefined;
  if (!Array.isArray(multistream?.targets)) return further;
  const targets = multistream.targets.map((target: Json): Json => {
    if (!isObject(target) || target['spec'] === undefined) return target;
    const { spec: _, ...shown } = target;
    return { id: createId(random), ...shown };
  });
  return { ...further, multistream: { ...multistream, targets } };
}

/** Whether an update has suspended a stream. */
export function isSuspended({ further }: StreamRecord): boolean {
  return further?.['suspended'] === true;
}

/** A stream as it is after an update, its record only where the dialect takes one. */
export function updatedStream(
  { shown: shownBefore = {}, hidden: hiddenBefore = [], further: before, ...stream }: StreamRecord,
  { fields, shown, hidden }: ReadFields,
): StreamRecord {
  const { name, profiles, record, ...others } = fields;
  const changed = new Set(Object.keys(fields));
  const kept = Object.entries(shownBefore).filter(([field]) => !changed.has(field));
  return {
    ...stream,
    ...(name !== undefined && { name: String(name) }),
    ...(profiles !== undefined && { profiles: profiles as unknown as readonly Profile[] }),
    ...(typeof record === 'boolean' && { record }),
    ...onlyFilled({
      shown: { ...(Object.fromEntries(kept) as Record<string, Json>), ...shown },
      hidden: [...hiddenBefore.filter((field) => !changed.has(field)), ...hidden],
      further: { ...before, ...keptFields(others) },
    }),
  };
}

/** The fields of a body without a dialect: each counts, and is shown, as it was sent. */
export function plainFields(body: object): ReadFields {
  return { fields: body as Record<string, Json>, shown: {}, hidden: [] };
}
