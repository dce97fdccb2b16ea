import type { Dialect } from '../../interface/dialect.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import type { World } from '../../mocks/service/world-handle.ts';
import type { Rewrite } from './rewrite.ts';

/** A mock that behaves differently from ours, and still conforms to the interface. */
export interface Variant {
  readonly dialect?: Omit<Dialect, 'dialect'>;
  /** What no dialect can say. */
  readonly rewrite?: Rewrite;
  /** Whether the suite calls it over HTTP, not in this process. */
  readonly isServed?: true;
  /** Prepares a stream with recorded sessions for the suite, which then does not go live itself. */
  readonly prepare?: (world: World) => Promise<string>;
  /** Requirements that must end as blocked, so that the verdict is incomplete. */
  readonly open?: readonly string[];
  /** Requirements of level should that it does not satisfy. */
  readonly misses?: readonly string[];
}

/** A stream with three recorded sessions. */
export async function recordThree(world: World): Promise<string> {
  const { id } = await world.createStream({ name: 'given', profiles: recommendedProfiles });
  await world.setRecord(id, true);
  for (const length of [4, 8, 12]) await world.start(id, { duration: length });
  return id;
}
