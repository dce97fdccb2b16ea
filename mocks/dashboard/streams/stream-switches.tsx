import type { VNode } from 'preact';
import type { Stream } from '../../../interface/types.ts';
import { Action } from '../parts/action.tsx';
import { api } from '../state/connection.ts';
import { announce } from '../state/notice.ts';
import { prefix } from '../state/page.ts';
import { watchLive } from './playing.ts';
import { type ShownStream, shown } from './shown.ts';

/** Starts and stops a stream, shows it live, and switches its recording. */
export function StreamSwitches({ stream, sessions, livePlaylist }: ShownStream): VNode {
  const { id, isActive, record } = stream;
  const live = sessions.records.find((session) => session.isActive);
  return (
    <div class="inline">
      <Action class={isActive ? '' : 'main'} run={() => connect(stream)}>
        {isActive ? 'Stop' : 'Start'}
      </Action>
      {live && (
        <button type="button" onClick={() => watchLive(live.id, livePlaylist)}>
          Watch live
        </button>
      )}
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          aria-checked={record}
          checked={record}
          disabled={isActive}
          aria-describedby={isActive ? 'live-hint' : undefined}
          onClick={({ currentTarget }) => announce(switchRecording(id, currentTarget.checked))}
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

async function switchRecording(id: string, record: boolean): Promise<string> {
  const request = `PATCH ${prefix}/stream/${id}/record`;
  await api.value.call(request, { record }).finally(shown.refresh);
  return `Future sessions are ${record ? '' : 'not '}recorded.`;
}
