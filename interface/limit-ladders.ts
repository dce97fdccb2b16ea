/** The numbers of a profile. */
export const profileFields = ['bitrate', 'fps', 'width', 'height'] as const;

type ProfileField = (typeof profileFields)[number];

/** Values that go up; a limit lies between two of them. */
type Ladder = readonly [number, number, ...number[]];

interface ProfileLadder {
  readonly smallest: readonly [number, number, number, number, number];
  readonly largest: readonly [number, number, number, ...number[]];
}

type Ladders = Readonly<
  Record<'name' | 'body' | 'limit', Ladder> & Record<ProfileField, ProfileLadder>
>;

/** The largest whole number that JSON carries exactly. */
const mostWhole: number = Number.MAX_SAFE_INTEGER;

/**
 * The ladder of each limit: `learn` tries these values. The first one, and of a smallest value the last,
 * is usual: `check`, `learn` and `compare` send such values, so no dialect may refuse it.
 */
export const ladders: Ladders = {
  name: [32, 50, 64, 100, 128, 255, 1_000, 4_000, 16_000, 64_000],
  body: [1_024, 4_096, 16_384, 65_536, 102_400, 262_144, 524_288, 1_048_576],
  limit: [5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000],
  bitrate: {
    smallest: [1, 1_000, 64_000, 250_000, 500_000],
    largest: [2_000_000, 4_000_000, 20_000_000, 100_000_000, 1_000_000_000, mostWhole],
  },
  fps: { smallest: [1, 5, 15, 24, 30], largest: [30, 60, 120, 240, 1_000, mostWhole] },
  width: {
    smallest: [1, 16, 128, 320, 640],
    largest: [1_280, 1_920, 4_096, 8_192, 65_536, mostWhole],
  },
  height: {
    smallest: [1, 16, 128, 240, 360],
    largest: [720, 1_080, 4_096, 8_192, 65_536, mostWhole],
  },
};
