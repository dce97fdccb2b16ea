import { Blocked } from '../../conformance/target/failure.ts';
import type { BreakId, Breaks } from '../../interface/breaks.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { respellings } from './probes/respellings.ts';
import { recordUpdate } from './probes/updates.ts';
import { readySession } from './questions/known-sessions.ts';
import type { Question } from './questions/probe.ts';
import { plainStream } from './questions/streams.ts';

/** Whether a target breaks a stated rule. */
export interface BreakAnswer<Value = unknown> {
  /** Absent where nothing shows that it breaks the rule. */
  readonly value?: Value;
  /** Why no more is known, if that is not all. */
  readonly reason?: string;
}

/** How each break of a stated rule is found out. @throws Blocked where nothing is known */
export const breakProbes: { readonly [Id in BreakId]-?: Question<BreakAnswer<Breaks[Id]>> } = {
  async 'key-spelling'({ ask }) {
    const found = await ask(respellings);
    const answer = Object.keys(found).length === 0 ? {} : { value: found };
    try {
      // Only a session shows whether its keys are spelled as stated.
      await ask(readySession);
      return answer;
    } catch (error) {
      if (error instanceof Blocked) return { ...answer, reason: error.message };
      throw error;
    }
  },
  async 'default-profiles'({ ask }) {
    const { profiles } = (await ask(plainStream)).shown;
    const names = Array.isArray(profiles) ? profiles.map((one) => one?.name) : [];
    const isDefault = recommendedProfiles.every(({ name }) => names.includes(name));
    return isDefault ? { value: true } : {};
  },
  'update-switches-record': async ({ ask }) =>
    (await ask(recordUpdate)).switched ? { value: true } : {},
};
