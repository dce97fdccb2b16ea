import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { Stream } from '../../../interface/types.ts';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { api } from '../state/connection.ts';
import { prefix } from '../state/page.ts';
import { choose } from './shown.ts';

/** The form that creates a stream. It is behind a button, except in a world without streams. */
export function NewStream({ isFirst }: { readonly isFirst: boolean }): VNode {
  const unfolded = useSignal<boolean | undefined>(undefined);
  const isOpen = unfolded.value ?? isFirst;
  const send = async (form: HTMLFormElement): Promise<string> => {
    const { name, profiles, record } = readForm(form);
    const { body } = await api.value.call<Stream>(`POST ${prefix}/stream`, {
      name,
      ...(profiles !== undefined && { profiles: recommendedProfiles }),
      record: record !== undefined,
    });
    unfolded.value = undefined;
    await choose(body.id);
    return `Created ${body.name}.`;
  };
  return (
    <section class="card stack" aria-label="New stream">
      <button
        type="button"
        class="folder"
        aria-expanded={isOpen}
        onClick={() => {
          unfolded.value = !isOpen;
        }}
      >
        New stream
      </button>
      {isOpen && (
        <Form id="create" class="stack" send={send}>
          <Field name="name" label="Name" required />
          <label class="check">
            <input type="checkbox" name="profiles" defaultChecked /> Renditions: 720p, 480p, 360p
          </label>
          <label class="check">
            <input type="checkbox" name="record" /> Record its sessions
          </label>
          <button type="submit" class="main">
            Create stream
          </button>
        </Form>
      )}
    </section>
  );
}
