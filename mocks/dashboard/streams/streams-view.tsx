import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useSource } from '../state/source.ts';
import { count } from '../state/words.ts';
import { NewStream } from './new-stream.tsx';
import { shown } from './shown.ts';
import { StreamDetails } from './stream-details.tsx';
import { StreamList } from './stream-list.tsx';

/** The streams, and one of them in full. On a narrow screen the list is behind a button. */
export function StreamsView(): VNode | null {
  const known = useSource(shown);
  const listOpen = useSignal(false);
  if (known === undefined) return null;
  const { list, chosen } = known;
  return (
    <div class="columns">
      <div class="stack">
        <button
          type="button"
          class="narrow-only folder"
          aria-expanded={listOpen}
          aria-controls="stream-list"
          onClick={() => {
            listOpen.value = !listOpen.value;
          }}
        >
          {count(list.records.length, list.isWhole ? 'stream' : 'newest stream')}
        </button>
        <div id="stream-list" class={listOpen.value ? 'stack' : 'stack folded'}>
          <NewStream isFirst={list.records.length === 0} />
          <StreamList
            list={list}
            chosen={chosen?.stream.id}
            opened={() => {
              listOpen.value = false;
            }}
          />
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
