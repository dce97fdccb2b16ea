import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { KnownWorld } from '../state/known-world.ts';
import { Button } from './controls.tsx';
import { Form, FormField, readForm } from './form.tsx';
import { api } from './page-state/api.ts';
import { createSource, refusalReason } from './page-state/connection.ts';
import { isPublic, keysAreOpen, saveKey, visibleKey } from './page-state/page.ts';
import { count } from './page-state/words.ts';

/** The worlds that the mock has open, the busiest first. A server whose keys are secret names none. */
const knownWorlds = createSource<readonly KnownWorld[]>(['exchange'], async () => {
  const worlds = keysAreOpen ? await api.call<KnownWorld[]>('GET /_mock/worlds') : [];
  return worlds.toSorted((left, right) => right.requests - left.requests);
});

/** Milliseconds after which a list of worlds is loaded again: no event tells of requests under other keys. */
const refreshTime = 2000;

/** The known worlds, kept up to date while a component shows them. */
function useKnownWorlds(): readonly KnownWorld[] {
  useEffect(() => {
    const timer = setInterval(knownWorlds.refresh, refreshTime);
    return () => clearInterval(timer);
  }, []);
  return knownWorlds.value ?? [];
}

/** Shows the world of a key, in a page that has nothing of the present one. */
function openWorld(key: string): void {
  saveKey(key);
  location.reload();
}

/** The name of the world, which opens the menu with the others. */
export function WorldSwitch(): VNode {
  const [isOpen, setOpen] = useState(false);
  const name = visibleKey(api.apiKey);
  return (
    <>
      <button
        type="button"
        class="plain world"
        popovertarget="world-menu"
        aria-label={`World ${name}`}
        title="Show another world"
      >
        <span>{name}</span> ▾
      </button>
      <div
        id="world-menu"
        class="stack menu"
        popover="auto"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <KnownWorlds />}
        <KeyForm />
      </div>
    </>
  );
}

function KnownWorlds(): VNode | null {
  const worlds = useKnownWorlds();
  if (worlds.length === 0) return null;
  return (
    <ul class="rows scroll" aria-label="Worlds">
      {worlds.map(({ apiKey, requests }) => (
        <li key={apiKey}>
          <button
            type="button"
            class="inline choice"
            aria-current={apiKey === api.apiKey ? 'true' : undefined}
            onClick={() => openWorld(apiKey)}
          >
            <span>{apiKey}</span> <span class="quiet">{count(requests, 'request')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How many other keys are offered at once. The menu has all. */
const offeredKeys = 5;

/** The worlds that have got the requests which are missing here. */
export function OtherWorlds(): VNode | null {
  const others = useKnownWorlds().filter(
    ({ apiKey, requests }) => apiKey !== api.apiKey && requests > 0,
  );
  if (others.length === 0) return null;
  const total = others.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <div class="inline">
      <span>{count(total, 'request')} under other keys:</span>
      {others.slice(0, offeredKeys).map(({ apiKey, requests }) => (
        <Button
          key={apiKey}
          class="small"
          label={`${apiKey} (${requests.toLocaleString()})`}
          aria-label={`Show the world of ${apiKey}`}
          onClick={() => openWorld(apiKey)}
        />
      ))}
    </div>
  );
}

/** Asks for the key of a world. A page that is not connected has nothing else. */
export function KeyForm(): VNode {
  const { apiKey } = api;
  const send = async (form: HTMLFormElement): Promise<string> => {
    openWorld(readForm(form)['key'] ?? '');
    return 'Opening the world of this key.';
  };
  return (
    <div class="stack">
      <Form id="key" class="inline" send={send}>
        <FormField
          name="key"
          label="API key"
          type={isPublic(apiKey) ? 'text' : 'password'}
          defaultValue={apiKey}
          autofocus={apiKey === ''}
          required
        />
        <Button type="submit" label="Open" />
      </Form>
      {refusalReason.value && (
        <p role="alert" class="error">
          {refusalReason}
        </p>
      )}
      <p class="hint">
        {apiKey === ''
          ? 'Enter an API key to see its world.'
          : 'Each key has its own world. The key is kept until you close this tab.'}
      </p>
    </div>
  );
}
