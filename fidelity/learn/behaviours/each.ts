import { Blocked } from '../../../conformance/target/failure.ts';
import type { Asking, Question } from '../asking/asking.ts';

/** Asks for the value of each of several names. Those that cannot be asked are left out. @throws Blocked if none can */
export function each<Value extends object>(
  questions: {
    readonly [Name in keyof Value]: Question<Value[Name]>;
  },
): Question<Partial<Value>> {
  return async (asking: Asking) => {
    const found: [string, unknown][] = [];
    let missing: Blocked | undefined;
    for (const [name, question] of Object.entries(questions)) {
      try {
        found.push([name, await (question as Question<unknown>)(asking)]);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        missing ??= error;
      }
    }
    if (found.length === 0 && missing !== undefined) throw missing;
    return Object.fromEntries(found) as Partial<Value>;
  };
}
