import type { VNode } from 'preact';
import type { Stream } from '../../../interface/types.ts';
import { ask } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { api } from '../state/connection.ts';
import { prefix } from '../state/page.ts';
import { duration } from '../state/words.ts';
import { shown } from './shown.ts';

/** Makes a session that has begun and ended. A stream that is live has its one session already. */
export function RecordAtOnce({ stream }: { readonly stream: Stream }): VNode {
  const { id, isActive, record } = stream;
  const send = async (form: HTMLFormElement): Promise<string | undefined> => {
    const seconds = Number(readForm(form)['duration']);
    if (!record) {
      const question = 'Recording is off: this session would not be recorded. Switch it on?';
      if (!(await ask(question, 'Switch on and record'))) return undefined;
      await api.value.call(`PATCH ${prefix}/stream/${id}/record`, { record: true });
    }
    await api.value.call(`POST /_mock/streams/${id}/start`, { duration: seconds });
    await shown.refresh();
    return `A session of ${duration(seconds)} has begun and ended.`;
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
