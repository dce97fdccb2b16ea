import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { Stream } from '../../../interface/types.ts';
import { Submit } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { Folder } from '../parts/folder.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { api } from '../state/connection.ts';
import { prefix } from '../state/page.ts';
import { choose } from './shown.ts';

/** The form that creates a stream. It is behind a button, except in a world without streams. */
export function NewStream({ isFirst }: { readonly isFirst: boolean }): VNode {
  const isOpen = useSignal(isFirst);
  const send = async (form: HTMLFormElement): Promise<string> => {
    const { name, profiles, record } = readForm(form);
    const { body } = await api.value.call<Stream>(`POST ${prefix}/stream`, {
      name,
      ...(profiles !== undefined && { profiles: recommendedProfiles }),
      record: record !== undefined,
    });
    isOpen.value = false;
    await choose(body.id);
    return `Created ${body.name}.`;
  };
  return (
    <section class="card stack" aria-label="New stream">
      <Folder open={isOpen} class="folder">
        New stream
      </Folder>
      {isOpen.value && (
        <Form id="create" class="stack" send={send}>
          <Field name="name" label="Name" required />
          <label class="check">
            <input type="checkbox" name="profiles" defaultChecked /> Renditions: 720p, 480p, 360p
          </label>
          <label class="check">
            <input type="checkbox" name="record" /> Record its sessions
          </label>
          <Submit label="Create stream" isMain />
        </Form>
      )}
    </section>
  );
}
