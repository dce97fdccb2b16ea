import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { confirmLoss } from './parts/confirm.tsx';
import { Button, Card, download } from './parts/controls.tsx';
import { api } from './state/connection.ts';
import { announce } from './state/notices.ts';

const loss = 'Its streams, requests and faults are lost.';

/** The buttons that save, load and reset the whole world. */
export function Report(): VNode {
  const field = useRef<HTMLInputElement>(null);
  const save = () => download('/_mock/state?journal=1', 'livestream-mock-state.jsonl');
  const choose = async (): Promise<void> => {
    const file = field.current?.files?.[0];
    if (file === undefined) return;
    await announce(load(file));
    // The same file can be chosen again.
    if (field.current !== null) field.current.value = '';
  };
  return (
    <Card id="report" title="Report and reset">
      <p class="hint">A report is a file with the whole world, its faults and its requests.</p>
      <div class="inline">
        <Button label="Download report" run={save} />
        <Button label="Load report" onClick={() => field.current?.click()} />
        <input
          ref={field}
          type="file"
          aria-label="Report to load"
          accept=".jsonl,.json"
          hidden
          onChange={choose}
        />
        <Button class="danger" label="Reset world" run={reset} />
      </div>
    </Card>
  );
}

async function load(file: File): Promise<string> {
  await confirmLoss(`Replace this world with the one in ${file.name}? ${loss}`, 'Replace');
  await api.value.open('PUT /_mock/state', file);
  return `Loaded ${file.name}.`;
}

async function reset(): Promise<string> {
  await confirmLoss(`Put the world back to where it started? ${loss}`, 'Reset');
  await api.value.call('POST /_mock/reset');
  return 'The world was reset.';
}
