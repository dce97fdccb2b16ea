import type { VNode } from 'preact';
import { Action } from '../parts/action.tsx';
import { Card, Submit } from '../parts/card.tsx';
import { confirmLoss } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { Rows } from '../parts/rows.tsx';
import { api } from '../state/connection.ts';
import { createSource, type Source, useSource } from '../state/source.ts';

const names: Source<string[]> = createSource(
  ['state'],
  async (from) => (await from.call<string[]>('GET /_mock/snapshots')).body,
);

const pathOf = (name: string): string => `/_mock/snapshots/${encodeURIComponent(name)}`;

/** The snapshots of the world, and the form that saves one. */
export function Snapshots(): VNode {
  const known = useSource(names);
  return (
    <Card id="snapshots" title="Snapshots">
      <Form id="snapshot" class="inline" send={save}>
        <Field name="name" label="Name" class="bare" placeholder="before the test" required />
        <Submit label="Save the world as it is now" isMain />
      </Form>
      <p class="hint">
        A snapshot has the streams, the sessions and the clock, but no faults and no requests.
      </p>
      {known?.length === 0 && <p>No snapshot yet.</p>}
      <Rows id="snapshots" class="rows">
        {known?.map((name) => (
          <li key={name}>
            <span>{name}</span>
            <span class="inline end">
              <Action class="small" aria-label={`Restore ${name}`} run={() => restore(name)}>
                Restore
              </Action>
              <Action class="small" aria-label={`Remove ${name}`} run={() => remove(name)}>
                Remove
              </Action>
            </span>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

async function save(form: HTMLFormElement): Promise<string> {
  const { name = '' } = readForm(form);
  await names.refresh();
  if (names.value.value?.includes(name)) {
    await confirmLoss(`Replace the snapshot ${name}?`, 'Replace');
  }
  await api.value.call(`PUT ${pathOf(name)}`);
  await names.refresh();
  form.reset();
  return `Saved ${name}.`;
}

async function restore(name: string): Promise<string> {
  await api.value.call(`POST ${pathOf(name)}/restore`);
  return `Restored ${name}.`;
}

async function remove(name: string): Promise<string> {
  await api.value.call(`DELETE ${pathOf(name)}`);
  await names.refresh();
  return `Removed ${name}.`;
}
