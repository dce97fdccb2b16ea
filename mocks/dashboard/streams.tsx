import { signal } from '@preact/signals';
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

/** Whether the form that creates a stream is open in a world that has some. */
const isCreating = signal(false);

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
      <Card id="streams" title="Streams" tools={!isEmpty && <NewStreamButton />}>
        {(isEmpty || isCreating.value) && <NewStreamForm isFirst={isEmpty} />}
        {isEmpty ? <p class="hint">No streams yet.</p> : <StreamList {...choice} />}
      </Card>
      {chosen && <StreamDetails key={chosen.stream.id} {...chosen} />}
    </div>
  );
}

/** Opens and closes the form that creates a stream. */
function NewStreamButton(): VNode {
  const isOpen = isCreating.value;
  return (
    <Button
      class={`small end ${isOpen ? '' : 'main'}`}
      label={isOpen ? 'Cancel' : 'New stream'}
      onClick={() => {
        isCreating.value = !isOpen;
      }}
    />
  );
}

/** The form that creates a stream. It is always open in a world without streams. */
function NewStreamForm({ isFirst }: { readonly isFirst: boolean }): VNode {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isFirst) form.current?.querySelector('input')?.focus();
  }, [isFirst]);
  const send = async (sent: HTMLFormElement): Promise<string> => {
    const { name, profiles, record } = readForm(sent);
    const stream = await api.call<Stream>(`POST ${prefix}/stream`, {
      name,
      profiles: profiles === undefined ? undefined : recommendedProfiles,
      record: record !== undefined,
    });
    sent.reset();
    isCreating.value = false;
    await choose(stream.id);
    return `Created ${stream.name}.`;
  };
  return (
    <div ref={form} class="inset">
      <Form id="create" class="stack" send={send}>
        <FormField name="name" label="Name" required />
        <Checkbox name="profiles" label="Renditions: 720p, 480p, 360p" defaultChecked />
        <Checkbox name="record" label="Record its sessions" />
        <Button type="submit" class="main" label="Create stream" />
      </Form>
    </div>
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
    <>
      <form
        class="inline find"
        onInput={({ currentTarget }) => search(currentTarget)}
        onSubmit={(event) => event.preventDefault()}
      >
        <FormField name="find" label="Find by name" placeholder="Find by name" type="search" />
        <Checkbox name="active" label="Live only" />
      </form>
      {list.length === 0 && <p>No streams match.</p>}
      <ul id="streams" class="rows scroll">
        {list.map((stream) => (
          <li key={stream.id}>
            <StreamButton stream={stream} isChosen={stream.id === chosen?.stream.id} />
          </li>
        ))}
      </ul>
      {list.length === maxListed && <p class="hint">Search by name to find older streams.</p>}
    </>
  );
}

interface StreamButtonProps {
  readonly stream: Stream;
  readonly isChosen: boolean;
}

/** Chooses a stream of the list. */
function StreamButton({ stream, isChosen }: StreamButtonProps): VNode {
  const { id, name, isActive, record } = stream;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The page chooses a live stream, which may be far down.
    if (isChosen) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <button
      ref={button}
      type="button"
      class="inline choice"
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => choose(id)}
    >
      <span title={name}>{name}</span> {isActive && <span class="badge live">live</span>}{' '}
      {record && (
        <span class="badge setting" title="Its sessions are recorded">
          rec
        </span>
      )}
    </button>
  );
}
