import { computed } from '@preact/signals';
import type { VNode } from 'preact';
import { clientOperationNames } from '../../../interface/operation-names.ts';
import { Action } from '../parts/action.tsx';
import { download } from '../parts/download.ts';
import { Field } from '../parts/field.tsx';
import { type FieldErrors, FormContext } from '../parts/form.tsx';
import { exchanges, filter, heldBack, paused, query, selected } from './exchanges.ts';

const errors = computed(
  (): FieldErrors =>
    selected.value ? {} : { status: 'Give a status such as 404, or a class such as 4xx.' },
);

/** What selects requests, as it is filled in. */
export function RequestFilter(): VNode {
  const { search = '', operation = '', status = '', media } = filter.value;
  return (
    <FormContext.Provider value={{ id: 'filter', errors }}>
      <form class="inline" onInput={apply} onSubmit={(event) => event.preventDefault()}>
        <Field
          name="search"
          label="Search in path and body"
          placeholder="Search in path and body"
          class="bare wide"
          type="search"
          value={search}
        />
        <Field as="select" name="operation" label="Operation" class="beside" value={operation}>
          {operationOptions}
        </Field>
        <Field
          name="status"
          label="Status"
          placeholder="404, 4xx"
          class="beside short"
          value={status}
        />
        <label class="check">
          <input type="checkbox" name="media" value="0" checked={media === '0'} />
          Without media
        </label>
        {query.value.size > 0 && (
          <button type="button" onClick={showAll}>
            Show all
          </button>
        )}
      </form>
    </FormContext.Provider>
  );
}

const operationOptions = ['', ...clientOperationNames].map((name) => (
  <option key={name} value={name}>
    {name || 'all'}
  </option>
));

function apply({ currentTarget }: { readonly currentTarget: HTMLFormElement }): void {
  filter.value = Object.fromEntries(new FormData(currentTarget)) as Record<string, string>;
}

function showAll(): void {
  filter.value = {};
  document.getElementById('requests-heading')?.focus();
}

/** Follows what comes, or holds it back so that what is read does not move; and saves it. */
export function Follow(): VNode {
  const isPaused = paused.value !== undefined;
  const toggle = (): void => {
    paused.value = isPaused ? undefined : (exchanges.value.value ?? []);
  };
  const archive = () => download(`/_mock/requests.har?${query.value}`, 'livestream-mock.har');
  return (
    <>
      <button type="button" class="small" onClick={toggle}>
        {isPaused ? 'Follow' : 'Pause'}
      </button>
      <span class={`badge ${isPaused ? 'waiting' : 'ready'}`} role="status">
        {isPaused ? `paused, ${heldBack} new` : 'following'}
      </span>
      <Action class="end" run={archive} disabled={selected.value === undefined}>
        Download HAR
      </Action>
    </>
  );
}
