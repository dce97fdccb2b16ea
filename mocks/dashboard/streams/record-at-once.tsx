import type { VNode } from 'preact';
import type { Stream } from '../../../interface/types.ts';
import { confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { api } from '../state/connection.ts';
import { prefix } from '../state/page.ts';
import { duration } from '../state/words.ts';
import { shown } from './shown.ts';

/** Makes a session that has begun and ended. A stream that is live has its one session already. */
export function RecordAtOnce({ stream }: { readonly stream: Stream }): VNode {
  const { id, isActive, record } = stream;
  const send = async (form: HTMLFormElement): Promise<string> => {
    const seconds = Number(readForm(form)['duration']);
    if (!record) {
      const question = 'Recording is off: this session would not be recorded. Switch it on?';
      await confirm(question, 'Switch on and record');
      await api.value.call(`PATCH ${prefix}/stream/${id}/record`, { record: true });
    }
    await api.value.call(`POST /_mock/streams/${id}/start`, { duration: seconds });
    await shown.refresh();
    return `Recorded a session of ${duration(seconds)}.`;
  };
  return (
    <Form id="once" class="inline end" send={send}>
      <Field
        name="duration"
        label="Seconds"
        class="beside short"
        type="number"
        min="0.1"
        step="any"
        defaultValue="30"
        disabled={isActive}
        required
      />
      <button
        type="submit"
        disabled={isActive}
        aria-describedby={isActive ? 'live-hint' : undefined}
      >
        Record at once
      </button>
    </Form>
  );
}
