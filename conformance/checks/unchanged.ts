import { fail, show } from '../expectations.ts';
import { Blocked } from '../failure.ts';
import type { CreatedStream, Lab } from '../lab.ts';

/**
 * Expects that `attempt` leaves recording of a stream, which is on, as it was: as the target shows
 * it when the stream is retrieved, or else as the stream's next session inherits it.
 */
export async function expectStillRecording(
  lab: Lab,
  stream: CreatedStream,
  attempt: () => Promise<unknown>,
): Promise<void> {
  await lab.setRecord(stream.id, true);
  const before = await lab.retrieve(stream.id);
  await attempt();
  if (typeof before?.['record'] === 'boolean') {
    const after = await lab.retrieve(stream.id);
    if (after?.['record'] !== before['record']) {
      fail(
        `record of the stream: expected ${show(before['record'])} as before, got ${show(after?.['record'])}`,
      );
    }
  } else if (!(await lab.recordsNextSession(stream))) {
    // Only where another recorded session was listed in time does the lack of this one say anything.
    const { afterOn } = await lab.history();
    if (afterOn.length === 0) {
      throw new Blocked('a recorded session: none was listed in time; see RECORD-5');
    }
    fail('expected the next session to be recorded as before, got none in the list');
  }
}
