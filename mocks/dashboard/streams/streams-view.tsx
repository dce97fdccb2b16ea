import type { VNode } from 'preact';
import { Folder } from '../parts/folder.tsx';
import { useSource } from '../state/source.ts';
import { count } from '../state/words.ts';
import { NewStream } from './new-stream.tsx';
import { listIsOpen, shown } from './shown.ts';
import { StreamDetails } from './stream-details.tsx';
import { StreamList } from './stream-list.tsx';

/** The streams, and one of them in full. On a narrow screen the list is behind a button. */
export function StreamsView(): VNode | null {
  const known = useSource(shown);
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
          <StreamList list={list} chosen={chosen?.stream.id} />
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
