/** The numbers of a profile. */
export const profileFields = ['bitrate', 'fps', 'width', 'height'] as const;

type ProfileField = (typeof profileFields)[number];

interface ProfileLadder {
  readonly smallest: readonly [number, number, number, number];
  readonly largest: readonly [number, number, ...number[]];
}

type Ladders = Readonly<
  Record<'name' | 'body' | 'limit', readonly number[]> & Record<ProfileField, ProfileLadder>
>;

/** The largest whole number that JSON carries exactly. */
export const mostWhole: number = Number.MAX_SAFE_INTEGER;

/**
 * The ladder of each limit: `learn` tries these values, and a dialect's limits lie on them. They are
 * outside what the suite calls usual.
 */
export const ladders: Ladders = {
  name: [100, 255, 1_000, 4_000, 16_000, 64_000],
  body: [16_384, 65_536, 102_400, 262_144, 524_288, 1_048_576],
  limit: [10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000],
  bitrate: {
    smallest: [1, 1_000, 64_000, 250_000],
    largest: [4_000_000, 20_000_000, 100_000_000, 1_000_000_000, mostWhole],
  },
  fps: { smallest: [1, 5, 15, 24], largest: [60, 120, 240, 1_000, mostWhole] },
  width: {
    smallest: [1, 16, 128, 320],
    largest: [1_920, 4_096, 8_192, 65_536, mostWhole],
  },
  height: {
    smallest: [1, 16, 128, 240],
    largest: [1_080, 4_096, 8_192, 65_536, mostWhole],
  },
};
