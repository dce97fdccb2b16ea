import type { VNode } from 'preact';
import { Card, Submit } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorText, Form, readForm } from '../parts/form.tsx';
import { connection, openWorld, refusedBecause } from '../state/connection.ts';
import { isShown, keepKey, keptKey } from '../state/page.ts';

/** The field for the API key: another key shows another world. */
export function KeyForm(): VNode {
  const key = keptKey();
  const send = async (form: HTMLFormElement): Promise<undefined> => {
    const { key: chosen = '' } = readForm(form);
    keepKey(chosen);
    await openWorld(chosen);
  };
  return (
    <Card id="key" title="API key">
      <p class="hint">
        {connection.value === 'not connected' && key === ''
          ? 'Enter an API key to see its world.'
          : 'Each key has a world of its own. The key is kept until this tab is closed.'}
      </p>
      <Form id="key" class="inline" send={send}>
        <Field
          name="key"
          label="API key"
          class="bare"
          type={key === '' || !isShown(key) ? 'password' : 'text'}
          defaultValue={key}
          autofocus={key === ''}
          required
        />
        <Submit label="Open" />
      </Form>
      {refusedBecause.value && <ErrorText text={refusedBecause.value} />}
    </Card>
  );
}
