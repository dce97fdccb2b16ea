import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Stream } from '../../interface/types.ts';
import { Button, Card } from './controls.tsx';
import { Checkbox, Form, FormField, readForm } from './form.tsx';
import { api } from './page-state/api.ts';
import { addressDetail, prefix } from './page-state/page.ts';
import { StreamDetails } from './stream.tsx';
import { choose, listQuery, maxListed, type StreamChoice, streamChoice } from './stream-source.ts';

/** The list of streams, and one of them in full. */
export function StreamsView(): VNode | null {
  const choice = streamChoice.value;
  useEffect(() => {
    if (choice !== undefined) addressDetail('streams', `/${choice.chosen?.stream.id ?? ''}`);
  }, [choice]);
  if (choice === undefined) return null;
  const { list, chosen } = choice;
  const isEmpty = list.length === 0 && listQuery.value.size === 0;
  return (
    <div class="columns">
      <div class="stack">
        <NewStreamForm isOpen={isEmpty} />
        {isEmpty ? <p class="card">No streams yet.</p> : <StreamList {...choice} />}
      </div>
      {chosen && <StreamDetails key={chosen.stream.id} {...chosen} />}
    </div>
  );
}

/** The form that creates a stream. It is collapsed unless the world has no streams. */
function NewStreamForm({ isOpen }: { readonly isOpen: boolean }): VNode {
  const folder = useRef<HTMLDetailsElement>(null);
  const send = async (form: HTMLFormElement): Promise<string> => {
    const { name, profiles, record } = readForm(form);
    const stream = await api.call<Stream>(`POST ${prefix}/stream`, {
      name,
      profiles: profiles === undefined ? undefined : recommendedProfiles,
      record: record !== undefined,
    });
    form.reset();
    folder.current?.removeAttribute('open');
    await choose(stream.id);
    return `Created ${stream.name}.`;
  };
  return (
    <details ref={folder} class="card" open={isOpen}>
      <summary>New stream</summary>
      <Form id="create" class="stack" send={send}>
        <FormField name="name" label="Name" required />
        <Checkbox name="profiles" label="Renditions: 720p, 480p, 360p" defaultChecked />
        <Checkbox name="record" label="Record its sessions" />
        <Button type="submit" class="main" label="Create stream" />
      </Form>
    </details>
  );
}

/** The list of streams, newest first. The service searches it. */
function StreamList({ list, chosen }: StreamChoice): VNode {
  const search = (form: HTMLFormElement): Promise<void> => {
    const { find, active } = readForm(form);
    const query = new URLSearchParams();
    if (find !== undefined) query.set('filters', JSON.stringify([{ id: 'name', value: find }]));
    if (active !== undefined) query.set('active', 'true');
    listQuery.value = query;
    return streamChoice.refresh();
  };
  return (
    <Card id="streams" title="Streams">
      <form
        class="stack"
        onInput={({ currentTarget }) => search(currentTarget)}
        onSubmit={(event) => event.preventDefault()}
      >
        <FormField name="find" label="Find by name" type="search" />
        <Checkbox name="active" label="Live only" />
      </form>
      {list.length === 0 && <p>No streams match.</p>}
      <ul id="streams" class="rows scroll">
        {list.map(({ id, name, isActive, record }) => (
          <li key={id}>
            <button
              type="button"
              class="inline stream"
              aria-current={id === chosen?.stream.id ? 'true' : undefined}
              onClick={() => choose(id)}
            >
              <span>{name}</span> {isActive && <span class="badge live">live</span>}{' '}
              {record && (
                <span class="badge" title="Its sessions are recorded">
                  rec
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {list.length === maxListed && <p class="hint">Search by name to find older streams.</p>}
    </Card>
  );
}
