import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { clientOperationNames } from '../../../interface/operation-names.ts';
import { Action } from '../parts/action.tsx';
import { download } from '../parts/download.ts';
import { ErrorText, readForm } from '../parts/form.tsx';
import { exchanges, filter, heldBack, paused, selected } from './exchanges.ts';

/** What selects requests. */
export function RequestFilter(): VNode {
  const form = useRef<HTMLFormElement>(null);
  /** Another round is another form, which is empty. */
  const round = useSignal(0);
  // Not what is typed later: that is in the fields.
  const initial = useMemo(() => filter.peek(), [round.value]);
  const apply = (): void => {
    if (form.current !== null) filter.value = readForm(form.current);
  };
  const showAll = (): void => {
    filter.value = {};
    round.value += 1;
    document.getElementById('requests-heading')?.focus();
  };
  const error = 'error' in selected.value ? selected.value.error : undefined;
  return (
    <form
      key={round.value}
      ref={form}
      class="inline tools"
      onInput={apply}
      onSubmit={(event) => event.preventDefault()}
    >
      <input
        type="search"
        name="search"
        aria-label="Search in path and body"
        placeholder="Search in path and body"
        autocomplete="off"
        defaultValue={initial['search']}
      />
      <label class="check">
        Operation
        <select name="operation" defaultValue={initial['operation']}>
          <option value="">all</option>
          {clientOperationNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="check">
        Status
        <input
          name="status"
          placeholder="404, 4xx"
          size={8}
          autocomplete="off"
          aria-invalid={error !== undefined}
          aria-describedby={error && 'status-error'}
          defaultValue={initial['status']}
        />
      </label>
      {error && <ErrorText id="status-error" text={error} />}
      <label class="check">
        <input type="checkbox" name="media" value="0" defaultChecked={initial['media'] === '0'} />
        Without media
      </label>
      {Object.keys(filter.value).length > 0 && (
        <button type="button" onClick={showAll}>
          Show all
        </button>
      )}
    </form>
  );
}

/** Follows what comes, or holds it back so that what is read does not move; and saves it. */
export function Follow(): VNode {
  const isPaused = paused.value !== undefined;
  const toggle = (): void => {
    paused.value = isPaused ? undefined : (exchanges.value.value ?? []);
  };
  const archive = () =>
    download(`/_mock/requests.har?${new URLSearchParams(filter.value)}`, 'livestream-mock.har');
  return (
    <>
      <button type="button" class="small" onClick={toggle}>
        {isPaused ? 'Follow' : 'Pause'}
      </button>
      <span class={`badge ${isPaused ? 'waiting' : 'ready'}`} role="status">
        {isPaused ? `paused, ${heldBack} new` : 'following'}
      </span>
      <Action class="end" run={archive} disabled={'error' in selected.value}>
        Download HAR
      </Action>
    </>
  );
}
