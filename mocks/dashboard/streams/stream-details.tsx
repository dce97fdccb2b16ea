import type { VNode } from 'preact';
import { Action } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { confirmLoss } from '../parts/confirm.tsx';
import { api } from '../state/connection.ts';
import { prefix } from '../state/page.ts';
import { Player } from './player.tsx';
import { RecordAtOnce } from './record-at-once.tsx';
import { Sessions } from './sessions.tsx';
import { type ShownStream, shown } from './shown.ts';
import { StreamFacts } from './stream-facts.tsx';
import { StreamSwitches } from './stream-switches.tsx';
import { Timeline } from './timeline.tsx';

/** One stream: what can be done with it, what happened to it, and its keys. */
export function StreamDetails(details: ShownStream): VNode {
  const { stream, sessions, moments, livePlaylist } = details;
  const { id, name, isActive } = stream;
  const remove = async (): Promise<string> => {
    await confirmLoss(`Delete ${name} with all of its sessions?`, 'Delete');
    await api.value.call(`DELETE ${prefix}/stream/${id}`);
    await shown.refresh();
    document.getElementById('streams-heading')?.focus();
    return `Deleted ${name}.`;
  };
  const tools = (
    <>
      {isActive && <span class="badge live">live</span>}
      <Action class="danger end" run={remove}>
        Delete
      </Action>
    </>
  );
  return (
    <article class="stack" aria-labelledby="stream-heading">
      <Card id="stream" title={name} tools={tools}>
        <div class="bar">
          <StreamSwitches {...details} />
          <RecordAtOnce stream={stream} />
        </div>
        {isActive && (
          <p id="live-hint" class="hint">
            Stop the stream to switch its recording, or to record at once.
          </p>
        )}
        <Timeline stream={stream} sessions={sessions.records} moments={moments} />
      </Card>
      <Player name={name} sessions={sessions.records} />
      <Sessions stream={stream} sessions={sessions} />
      <StreamFacts stream={stream} livePlaylist={livePlaylist} />
    </article>
  );
}
