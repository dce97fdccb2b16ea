import type { Random } from '../../fixtures/random.ts';
import type { Json } from '../../interface/json.ts';
import { documentedKeys, usualBehaviours } from '../../interface/silent.ts';
import { type FurtherFields, knownFields, type StreamRecord } from '../../interface/types.ts';
import { createId } from './ids.ts';

/** Further fields as a stream keeps them: none of the keys that it shows by itself. */
export function keptFields(fields: Readonly<Record<string, Json>>): Record<string, Json> {
  const kept = Object.entries(fields).filter(([field]) => !ownKeys.has(field));
  return Object.fromEntries(kept.map(([field, value]) => [field, asShown(field, value)]));
}

/** The id of a creator that is sent as a text is shown as the object that clients of the field read. */
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

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an update has suspended a stream. */
export function isSuspended({ further }: StreamRecord): boolean {
  return further?.['suspended'] === true;
}

/** Whether a new stream has fields that the interface does not name. */
export function hasKnownField(body: FurtherFields): boolean {
  return knownFields.some((field) => body[field] !== undefined);
}

/** `suspended` is a further field that an update sets. */
const ownKeys: ReadonlySet<string> = new Set(
  [
    ...documentedKeys.stream,
    ...documentedKeys.session,
    ...Object.keys(usualBehaviours['stream.further-keys']),
  ].filter((key) => key !== 'suspended'),
);
