import { ladders, profileFields } from '../../interface/fields.ts';
import type { WrittenCell, WrittenRefusals } from '../../interface/refusals.ts';

/** The largest value that every service accepts, and nothing above it. */
function upTo([above, below]: readonly [number, number, ...number[]]): WrittenCell {
  return { status: 422, above, below };
}

/** Every limit as narrow as a dialect can say: what the suite sends is just within it. */
export const narrowestLimits: WrittenRefusals = {
  createStream: {
    'field:name:large': upTo(ladders.name),
    'body:large': upTo(ladders.body),
    ...Object.fromEntries(
      profileFields.flatMap((field) => {
        const { smallest, largest } = ladders[field];
        const [usual = 0, above = 0] = smallest.toReversed();
        return [
          [`field:profiles[].${field}:small`, { status: 422, above, below: usual }],
          [`field:profiles[].${field}:large`, upTo(largest)],
        ];
      }),
    ),
  },
  setRecord: { 'body:large': upTo(ladders.body) },
  listSessionsOfStream: { 'query:limit:large': upTo(ladders.limit) },
};
