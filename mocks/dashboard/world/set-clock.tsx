import type { VNode } from 'preact';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { setClock } from '../state/clock.ts';
import { momentText } from '../state/words.ts';

/** The form that sets the clock of the world to a moment. */
export function SetClock(): VNode {
  const send = async (form: HTMLFormElement): Promise<string> => {
    const moment = new Date(readForm(form)['now'] ?? '').getTime();
    await setClock({ now: moment });
    return `The clock was set to ${momentText(moment)}.`;
  };
  return (
    <section class="card stack" aria-labelledby="clock-heading">
      <h2 id="clock-heading">Clock</h2>
      <Form id="clock" class="inline" send={send}>
        <Field
          name="now"
          label="Set the clock to"
          class="bare"
          type="datetime-local"
          step="1"
          required
        />
        <button type="submit">Set the clock</button>
      </Form>
      <p class="hint">
        In your own time zone. What is due on the way happens; a clock set back undoes nothing.
      </p>
    </section>
  );
}
