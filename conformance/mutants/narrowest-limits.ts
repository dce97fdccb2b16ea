import { ladders, profileFields } from '../../interface/limit-ladders.ts';
import type { Behaviours } from '../../interface/silent.ts';

const refusal = { status: 422 };

/** The largest value that every service accepts, and nothing above it. */
function upTo([usual, next]: readonly [number, number, ...number[]]) {
  return { atLeast: usual, below: next, refusal };
}

/** Every limit as narrow as a dialect can say: what the suite sends is just within it. */
export const narrowestLimits: Partial<Behaviours> = {
  'create.name-length': upTo(ladders.name),
  'http.body-size': upTo(ladders.body),
  'list.largest-limit': upTo(ladders.limit),
  ...Object.fromEntries(
    profileFields.flatMap((field) => {
      const { smallest, largest } = ladders[field];
      const [usual = 0, above = 0] = smallest.toReversed();
      return [
        [`profile.smallest.${field}`, { atMost: usual, above, refusal }],
        [`profile.largest.${field}`, upTo(largest)],
      ];
    }),
  ),
};
