import type { VNode } from 'preact';
import { ClockCard } from './clock.tsx';
import {
  Button,
  Card,
  download,
  focusCard,
  KeyedFacts,
  type Lines,
  RowButtons,
} from './controls.tsx';
import { Form, FormField, readForm } from './form.tsx';
import { act, api, sayOutcome } from './page-state/api.ts';
import { createSource } from './page-state/connection.ts';
import { baseUrl, brokenRules, dialect, variants } from './page-state/page.ts';
import { asCode } from './resend.ts';

/** The world as a whole. */
export function WorldView(): VNode {
  return (
    <div class="columns halves">
      <div class="stack">
        <Snapshots />
        <ReportCard />
      </div>
      <div class="stack">
        <ClockCard />
        <ConnectCard />
        {variants.length > 0 && <VariantCard />}
        {dialect !== '' && <DialectCard />}
      </div>
    </div>
  );
}

const snapshots = createSource(['snapshots'], () => api.call<string[]>('GET /_mock/snapshots'));

const snapshotPath = (name: string): string => `/_mock/snapshots/${encodeURIComponent(name)}`;

/** The snapshots of the world, and the form that saves one. */
function Snapshots(): VNode {
  const names = snapshots.value;
  return (
    <Card id="snapshots" title="Snapshots">
      <Form id="snapshot" class="inline" send={save}>
        <FormField name="name" label="Name" placeholder="before the test" required />
        <Button type="submit" class="main" label="Save snapshot" />
      </Form>
      <p class="hint">
        A snapshot has the streams, the sessions and the clock, but no faults or requests.
      </p>
      {names?.length === 0 && <p>No snapshots yet.</p>}
      <ul class="rows">
        {names?.map((name) => (
          <SnapshotRow key={name} name={name} />
        ))}
      </ul>
    </Card>
  );
}

function SnapshotRow({ name }: { readonly name: string }): VNode {
  const restore = () => act(`POST ${snapshotPath(name)}/restore`, `Restored ${name}.`);
  const remove = async (): Promise<string> => {
    await api.call(`DELETE ${snapshotPath(name)}`);
    await snapshots.refresh();
    focusCard('snapshots');
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
  const replaces = snapshots.value?.includes(name);
  if (replaces && !confirm(`Replace the snapshot ${name}?`)) return '';
  await api.call(`PUT ${snapshotPath(name)}`);
  await snapshots.refresh();
  form.reset();
  return `Saved ${name}.`;
}

const lossWarning = 'Its streams, requests and faults will be lost.';

/** The buttons that save, load and reset the whole world. */
function ReportCard(): VNode {
  const save = () => download('/_mock/state?journal=1', 'livestream-mock-state.jsonl');
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const file = currentTarget.files?.[0];
    if (file !== undefined) sayOutcome(loadReport(file));
    // So that the same file can be chosen again.
    currentTarget.value = '';
  };
  return (
    <Card id="report" title="Report and reset">
      <p class="hint">A report is a file with the whole world and its faults and requests.</p>
      <div class="inline">
        <Button label="Download report" run={save} />
        <Button class="plain danger" label="Reset world" run={reset} />
      </div>
      <FormField
        name="report"
        label="Load report"
        type="file"
        accept=".jsonl,.json"
        onChange={choose}
      />
    </Card>
  );
}

async function loadReport(file: File): Promise<string> {
  if (!confirm(`Replace this world with the one in ${file.name}? ${lossWarning}`)) return '';
  await api.open('PUT /_mock/state', file);
  return `Loaded ${file.name}.`;
}

async function reset(): Promise<string> {
  if (!confirm(`Reset the world to its initial state? ${lossWarning}`)) return '';
  return act('POST /_mock/reset', 'Reset the world.');
}

/** What an app needs to use this world. */
function ConnectCard(): VNode {
  return (
    <Card id="connect" title="Connect">
      <KeyedFacts write={snippets} />
      <p class="hint">Each key has its own world. Its name at the top leads to the others.</p>
    </Card>
  );
}

/** Lines of code to start an app with. */
function snippets(key: string): Lines {
  const url = new URL(`${baseUrl}/stream`);
  const headers = new Headers({ authorization: `Bearer ${key}` });
  const options = JSON.stringify({ apiKey: key, serverURL: baseUrl });
  return [
    ['base URL', baseUrl],
    ...asCode({ method: 'GET', url, headers, body: undefined }),
    ['SDK', `new Livepeer(${options});`],
  ];
}

function VariantCard(): VNode {
  return (
    <Card id="variant" title="Like another service">
      <p>It keeps the interface, and differs from the mock:</p>
      <ul class="rows">
        {variants.map((variant) => (
          <li key={variant}>{variant}</li>
        ))}
      </ul>
      <p class="hint">It applies to your app's requests, not to those of this page.</p>
    </Card>
  );
}

function DialectCard(): VNode {
  const breaks = brokenRules.length === 0 ? 'no rule' : 'rules';
  return (
    <Card id="dialect" title={`Dialect: ${dialect}`}>
      <p>It breaks {breaks} of the interface.</p>
      <ul class="rows">
        {brokenRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <p class="hint">It applies to your app's requests, not to those of this page.</p>
    </Card>
  );
}
