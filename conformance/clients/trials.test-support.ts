import type { Trial } from './trials.ts';

/** A trial for tests of what knows only its name and what it settles. */
export function trialOf(name: string, ...families: readonly string[]): Trial {
  return {
    name,
    statement: `The service did ${name}.`,
    clause: '4.3',
    argument: '4.3 does not say.',
    metBy: `do ${name}`,
    families: families.length === 0 ? [name] : families,
    isApart: false,
  };
}
