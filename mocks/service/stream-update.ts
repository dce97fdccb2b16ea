import type { Json } from '../../interface/json.ts';
import type { Profile, StreamRecord } from '../../interface/types.ts';
import { keptFields } from './further-fields.ts';
import { onlyFilled } from './new-stream.ts';
import type { ReadFields } from './read-fields.ts';

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

/** An update as {@link updatedStream} reads it, by a body without a dialect. */
export function readUpdate(body: object): ReadFields {
  return { fields: body as Record<string, Json>, shown: {}, hidden: [] };
}
