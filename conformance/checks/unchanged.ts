import { fail, show } from '../expectations.ts';
import { Blocked } from '../failure.ts';
import type { CreatedStream, Lab } from '../lab.ts';

/**
 * Expects that `attempt`, which is given the opposite of a stream's record value to ask for, leaves
 * the value as it was. It is seen where the target shows it, if it is known to show the truth, or
 * else in the stream's next session.
 */
export async function expectUnchanged(
  lab: Lab,
  stream: CreatedStream,
  attempt: (opposite: boolean) => Promise<unknown>,
): Promise<void> {
  const shown = await showsTruth(lab, stream.id);
  for (const record of shown ? [false, true] : [true]) {
    await lab.setRecord(stream.id, record);
    await attempt(!record);
    if (shown) await expectShown(lab, stream.id, record);
    else await expectNextRecorded(lab, stream);
  }
}

/** Retrieving a stream is not specified: it says something where it follows both values at once. */
async function showsTruth(lab: Lab, id: string): Promise<boolean> {
  for (const record of [true, false]) {
    await lab.setRecord(id, record);
    if ((await lab.retrieve(id))?.['record'] !== record) return false;
  }
  return true;
}

async function expectShown(lab: Lab, id: string, record: boolean): Promise<void> {
  const after = (await lab.retrieve(id))?.['record'];
  if (after !== record) {
    fail(`record of the stream: expected ${record} as before, got ${show(after)}`);
  }
}

async function expectNextRecorded(lab: Lab, stream: CreatedStream): Promise<void> {
  if (await lab.recordsNextSession(stream)) return;
  // Only where another recorded session was listed in time does the lack of this one say anything.
  const { afterOn } = await lab.history();
  if (afterOn.length === 0) throw needsListedSession();
  fail('expected the next session to be recorded as before, got none in the list');
}

/** Nothing can be said of recorded sessions where not even one was listed. */
export function needsListedSession(): Blocked {
  return new Blocked('a recorded session: none was listed in time; see RECORD-5');
}
