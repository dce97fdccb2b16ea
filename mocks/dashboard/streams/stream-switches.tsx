import type { VNode } from 'preact';
import type { Session, Stream } from '../../../interface/types.ts';
import { Action } from '../parts/action.tsx';
import { api } from '../state/connection.ts';
import { complain, say } from '../state/notice.ts';
import { prefix } from '../state/page.ts';
import { watchLive } from './playing.ts';
import { shown } from './shown.ts';
import { livePlaylist } from './stream-facts.tsx';

/** Starts and stops a stream, shows it live, and switches its recording. */
export function StreamSwitches({ stream }: { readonly stream: Stream }): VNode {
  const { id, isActive, record } = stream;
  return (
    <div class="inline">
      <Action class={isActive ? '' : 'main'} run={() => connect(stream)}>
        {isActive ? 'Stop' : 'Start'}
      </Action>
      {isActive && <Action run={() => watch(stream)}>Watch live</Action>}
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          aria-checked={record}
          checked={record}
          disabled={isActive}
          aria-describedby={isActive ? 'live-hint' : undefined}
          onClick={({ currentTarget }) => switchRecording(id, currentTarget.checked)}
        />{' '}
        Recording
      </label>
    </div>
  );
}

async function connect({ id, isActive }: Stream): Promise<string> {
  await api.value.call(`POST /_mock/streams/${id}/${isActive ? 'stop' : 'start'}`);
  await shown.refresh();
  return isActive ? 'The encoder has disconnected.' : 'An encoder has connected: live.';
}

async function watch(stream: Stream): Promise<undefined> {
  const path = `${prefix}/stream/${stream.id}/sessions?limit=1`;
  const { body } = await api.value.call<Session[]>(`GET ${path}`);
  if (body[0] !== undefined) watchLive(body[0].id, livePlaylist(stream));
}

async function switchRecording(id: string, record: boolean): Promise<void> {
  await api.value
    .call(`PATCH ${prefix}/stream/${id}/record`, { record })
    .then(() => say(`Future sessions are ${record ? '' : 'not '}recorded.`))
    .catch(complain);
  await shown.refresh();
}
