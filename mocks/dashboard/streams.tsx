import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Stream } from '../../interface/types.ts';
import { Button, Card, Folder } from './parts/controls.tsx';
import { Check, Field, Form, readForm } from './parts/form.tsx';
import { More, Rows } from './parts/rows.tsx';
import { choose, lengthen, listIsOpen, type Shown, shown } from './shown.ts';
import { api } from './state/connection.ts';
import { addressDetail, prefix } from './state/page.ts';
import { count } from './state/words.ts';
import { StreamDetails } from './stream.tsx';

/** The streams, and one of them in full. On a narrow screen the list is behind a button. */
export function StreamsView(): VNode | null {
  const known = shown.value;
  useEffect(() => {
    if (known !== undefined) addressDetail('streams', `/${known.chosen?.stream.id ?? ''}`);
  }, [known]);
  if (known === undefined) return null;
  const { list, chosen } = known;
  const { length } = list.records;
  return (
    <div class="columns">
      <div class="stack">
        <Folder open={listIsOpen} class="narrow-only folder">
          {count(length, list.isWhole ? 'stream' : 'newest stream')}
        </Folder>
        <div class={listIsOpen.value ? 'stack' : 'stack folded'}>
          <NewStream key={length === 0} isFirst={length === 0} />
          <StreamList {...known} />
        </div>
      </div>
      {chosen === undefined ? (
        <p class="card">Create a stream to see its keys and sessions.</p>
      ) : (
        <StreamDetails key={chosen.stream.id} {...chosen} />
      )}
    </div>
  );
}

/** The form that creates a stream. It is behind a button, except in a world without streams. */
function NewStream({ isFirst }: { readonly isFirst: boolean }): VNode {
  const isOpen = useSignal(isFirst);
  const send = async (form: HTMLFormElement): Promise<string> => {
    const { name, profiles, record } = readForm(form);
    const stream = await api.value.call<Stream>(`POST ${prefix}/stream`, {
      name,
      profiles: profiles === undefined ? undefined : recommendedProfiles,
      record: record !== undefined,
    });
    isOpen.value = false;
    await choose(stream.id);
    return `Created ${stream.name}.`;
  };
  return (
    <section class="card stack" aria-label="New stream">
      <Folder open={isOpen} class="folder">
        New stream
      </Folder>
      {isOpen.value && (
        <Form id="create" class="stack" send={send}>
          <Field name="name" label="Name" required />
          <Check name="profiles" label="Renditions: 720p, 480p, 360p" defaultChecked />
          <Check name="record" label="Record its sessions" />
          <Button type="submit" class="main" label="Create stream" />
        </Form>
      )}
    </section>
  );
}

/** The list of streams, newest first. */
function StreamList({ list: { records, isWhole }, chosen }: Shown): VNode {
  const [search, setSearch] = useState('');
  const [isLiveOnly, setLiveOnly] = useState(false);
  const wanted = search.trim().toLowerCase();
  const found = records.filter(
    ({ name, isActive }) => name.toLowerCase().includes(wanted) && (isActive || !isLiveOnly),
  );
  return (
    <Card id="streams" title="Streams">
      <Field
        name="find"
        label="Find by name"
        type="search"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Check label="Live only" onClick={(event) => setLiveOnly(event.currentTarget.checked)} />
      {found.length === 0 && <p>{describeNone(wanted !== '' || isLiveOnly, isWhole)}</p>}
      <Rows id="streams" class="rows scroll" roving>
        {found.map(({ id, name, isActive, record }) => (
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
      </Rows>
      {!isWhole && <More list="streams" lengthen={() => lengthen('streams')} />}
    </Card>
  );
}

function describeNone(isFiltered: boolean, isWhole: boolean): string {
  if (!isFiltered) return 'There is no stream yet.';
  return isWhole ? 'No stream matches.' : 'None of the streams loaded so far matches.';
}
