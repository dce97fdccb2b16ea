import type { VNode } from 'preact';
import { ClockCard } from './clock.tsx';
import { confirmLoss } from './parts/confirm.tsx';
import { Button, Card, RowButtons } from './parts/controls.tsx';
import { curlLine, KeyedFacts, type Lines } from './parts/facts.tsx';
import { ErrorText, Field, Form, readForm } from './parts/form.tsx';
import { Rows } from './parts/rows.tsx';
import { Report } from './report.tsx';
import { api, connection, createSource, openWorld, refusedBecause } from './state/connection.ts';
import { brokenRules, dialect, isShown, keepKey, keptKey, prefix } from './state/page.ts';

/** The world as a whole. */
export function WorldView(): VNode {
  return (
    <div class="columns halves">
      <div class="stack">
        <Snapshots />
        <Report />
      </div>
      <div class="stack">
        <ClockCard />
        <KeyForm />
        {dialect !== '' && <DialectCard />}
      </div>
    </div>
  );
}

const snapshots = createSource(['state'], (from) => from.call<string[]>('GET /_mock/snapshots'));

const pathOf = (name: string): string => `/_mock/snapshots/${encodeURIComponent(name)}`;

/** The snapshots of the world, and the form that saves one. */
function Snapshots(): VNode {
  const known = snapshots.value;
  return (
    <Card id="snapshots" title="Snapshots">
      <Form id="snapshot" class="inline" send={save}>
        <Field name="name" label="Name" class="bare" placeholder="before the test" required />
        <Button type="submit" class="main" label="Save the world as it is now" />
      </Form>
      <p class="hint">
        A snapshot has the streams, the sessions and the clock, but no faults and no requests.
      </p>
      {known?.length === 0 && <p>No snapshot yet.</p>}
      <Rows id="snapshots" class="rows">
        {known?.map((name) => (
          <SnapshotRow key={name} name={name} />
        ))}
      </Rows>
    </Card>
  );
}

function SnapshotRow({ name }: { readonly name: string }): VNode {
  const restore = async (): Promise<string> => {
    await api.value.call(`POST ${pathOf(name)}/restore`);
    return `Restored ${name}.`;
  };
  const remove = async (): Promise<string> => {
    await api.value.call(`DELETE ${pathOf(name)}`);
    await snapshots.refresh();
    return `Removed ${name}.`;
  };
  return (
    <li class="inline">
      <span>{name}</span>
      <RowButtons about={name} actions={{ Restore: restore, Remove: remove }} />
    </li>
  );
}

async function save(form: HTMLFormElement): Promise<string> {
  const { name = '' } = readForm(form);
  await snapshots.refresh();
  if (snapshots.value?.includes(name)) {
    await confirmLoss(`Replace the snapshot ${name}?`, 'Replace');
  }
  await api.value.call(`PUT ${pathOf(name)}`);
  await snapshots.refresh();
  form.reset();
  return `Saved ${name}.`;
}

/** What an app needs to use this world. Another key shows another world. */
export function KeyForm(): VNode {
  const key = keptKey();
  const send = async (form: HTMLFormElement): Promise<undefined> => {
    const { key: chosen = '' } = readForm(form);
    keepKey(chosen);
    await openWorld(chosen);
  };
  return (
    <Card id="key" title="Connect">
      <p class="hint">
        {connection.value === 'not connected' && key === ''
          ? 'Enter an API key to see its world.'
          : 'Each key has a world of its own. The key is kept until this tab is closed.'}
      </p>
      <Form id="key" class="inline" send={send}>
        <Field
          name="key"
          label="API key"
          class="beside"
          type={key === '' || !isShown(key) ? 'password' : 'text'}
          defaultValue={key}
          autofocus={key === ''}
          required
        />
        <Button type="submit" label="Open" />
      </Form>
      {refusedBecause.value && <ErrorText text={refusedBecause.value} />}
      {connection.value !== 'not connected' && <KeyedFacts write={snippets} />}
    </Card>
  );
}

/** The lines that begin an app. */
function snippets(key: string): Lines {
  const baseUrl = location.origin + prefix;
  const options = `{ headers: { authorization: 'Bearer ${key}' } }`;
  return [
    ['base URL', baseUrl],
    ['curl', curlLine(`GET ${prefix}/stream`, key)],
    ['fetch', `await fetch('${baseUrl}/stream', ${options});`],
    ['SDK', `new Livepeer({ apiKey: '${key}', serverURL: '${baseUrl}' });`],
  ];
}

function DialectCard(): VNode {
  const breaks = brokenRules.length === 0 ? 'no rule' : 'rules';
  return (
    <Card id="dialect" title={`Dialect: ${dialect}`}>
      <p>It breaks {breaks} that the interface states.</p>
      <ul class="rows">
        {brokenRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <p class="hint">It applies to the requests of your app, and not to those of this page.</p>
    </Card>
  );
}
