import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import { documentedKeys, type KnownField, knownFields } from '../../interface/silent-creation.ts';
import type { Json } from '../../interface/silent-row.ts';
import type { FurtherFields } from '../../interface/types.ts';

type FurtherRow<Operation extends 'create' | 'update'> =
  | `${Operation}.unknown-field`
  | `${Operation}.known-field.${KnownField}`;

/** The row about a field that the interface does not name. */
export function furtherRow<Operation extends 'create' | 'update'>(
  operation: Operation,
  field: string,
): FurtherRow<Operation> {
  return isKnown(field) ? `${operation}.known-field.${field}` : `${operation}.unknown-field`;
}

/** What becomes of each known further field. */
export function knownFieldValues(
  operation: 'create' | 'update',
  behaviours: Behaviours,
): Record<string, Behaviours[FurtherRow<'create' | 'update'>]> {
  return Object.fromEntries(
    knownFields.map((field) => [field, behaviours[`${operation}.known-field.${field}`]]),
  );
}

/** The further fields that behaviours keep; a stream's own keys are never among them. */
export function keptFields(
  operation: 'create' | 'update',
  fields: Readonly<Record<string, Json>>,
  behaviours: Behaviours,
): Record<string, Json> {
  const kept = Object.entries(fields).filter(([field]) => {
    const value = behaviours[furtherRow(operation, field)];
    return !ownKeys.has(field) && (value === 'kept' || value === 'changed');
  });
  return Object.fromEntries(kept.map(([field, value]) => [field, asShown(field, value)]));
}

/** The id of a creator that is sent as a text is shown as the object that clients of the field read. */
function asShown(field: string, value: Json): Json {
  const isId = field === 'creatorId' && typeof value === 'string';
  return isId ? { type: 'unverified', value } : value;
}

/** Whether a new stream has fields that the interface does not name. */
export function hasKnownField(body: FurtherFields): boolean {
  return knownFields.some((field) => body[field] !== undefined);
}

const ownKeys: ReadonlySet<string> = new Set([
  ...documentedKeys.stream,
  ...documentedKeys.session,
  ...Object.keys(usualBehaviours['stream.further-keys']),
]);

function isKnown(field: string): field is KnownField {
  return (knownFields as readonly string[]).includes(field);
}
