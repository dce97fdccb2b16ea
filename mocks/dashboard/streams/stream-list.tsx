import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Stream } from '../../../interface/types.ts';
import { Card } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { Rows } from '../parts/rows.tsx';
import type { Beginning } from '../state/api.ts';
import { More } from './more.tsx';
import { choose } from './shown.ts';

interface StreamListProps {
  readonly list: Beginning<Stream>;
  /** Id of the stream that is shown beside the list. */
  readonly chosen: string | undefined;
}

/** The list of streams, newest first. */
export function StreamList({ list, chosen }: StreamListProps): VNode {
  const search = useSignal('');
  const { records, isWhole } = list;
  const wanted = search.value.trim().toLowerCase();
  const found = records.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <Card id="streams" title="Streams">
      <Field
        name="find"
        label="Find by name"
        type="search"
        value={search}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
        }}
      />
      {found.length === 0 && <p>{describeNone(wanted, isWhole)}</p>}
      <Rows id="streams" class="rows scroll" roving>
        {found.map(({ id, name, isActive, record }) => (
          <li key={id}>
            <button
              type="button"
              class="stream"
              aria-current={id === chosen ? 'true' : undefined}
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
      {!isWhole && <More list="streams" />}
    </Card>
  );
}

function describeNone(wanted: string, isWhole: boolean): string {
  if (wanted === '') return 'There is no stream yet.';
  return isWhole ? 'No stream matches.' : 'None of the streams loaded so far matches.';
}
