import type { VNode } from 'preact';
import type { Session, Stream } from '../../../interface/types.ts';
import { describeFault } from '../../faults/describe.ts';
import { effectOf } from '../../faults/effects/effects.ts';
import { Card } from '../parts/card.tsx';
import { Copy } from '../parts/copy.tsx';
import { Rows } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import type { Beginning } from '../state/api.ts';
import { activeFaults } from '../state/faults.ts';
import { duration, momentText } from '../state/words.ts';
import { More } from './more.tsx';
import { playRecording } from './playing.ts';

interface SessionsProps {
  readonly stream: Stream;
  readonly sessions: Beginning<Session>;
}

/** The sessions of a stream, newest first. */
export function Sessions({ stream, sessions: { records, isWhole } }: SessionsProps): VNode {
  return (
    <Card id="sessions" title="Sessions" isPart>
      <RecordingFaults streamId={stream.id} />
      {records.length === 0 && <p>No session yet: start the stream, or record at once.</p>}
      <Rows id="sessions" class="rows">
        {records.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Rows>
      {!isWhole && <More list="sessions" />}
    </Card>
  );
}

function SessionRow({ session }: { readonly session: Session }): VNode {
  const { id, createdAt, sourceSegmentsDuration, recordingUrl, mp4URL } = session;
  const begun = momentText(createdAt);
  const { name, kind } = describeStatus(session);
  const title = `Recording of ${begun}`;
  return (
    <li>
      <Time at={createdAt} />
      <span class="quiet">{duration(sourceSegmentsDuration)}</span>
      <span class={`badge ${kind}`}>{name}</span>
      <span class="inline end">
        {recordingUrl !== undefined && (
          <>
            <button
              type="button"
              class="small"
              aria-label={`Play recording of ${begun}`}
              onClick={() => playRecording(title, session)}
            >
              Play
            </button>
            <button
              type="button"
              class="small"
              aria-label={`MP4 of ${begun}`}
              onClick={() => playRecording(title, { mp4URL })}
            >
              MP4
            </button>
          </>
        )}
        <Copy name={`id of session ${begun}`} text={id} label="Copy id" />
      </span>
    </li>
  );
}

/** Faults that will act on the next recording. */
function RecordingFaults({ streamId }: { readonly streamId: string }): VNode | null {
  const acting = activeFaults.value.filter(
    ({ fault }) => effectOf(fault).operations.length === 0 && (fault.id ?? streamId) === streamId,
  );
  if (acting.length === 0) return null;
  return (
    <p class="note">
      The next recording meets a fault:{' '}
      <a href="#faults">{acting.map(({ fault }) => describeFault(fault)).join('; ')}</a>
    </p>
  );
}

/** The status of a session in a word, and its colour. */
function describeStatus({ isActive, recordingStatus }: Session): { name: string; kind: string } {
  if (isActive) return { name: 'live', kind: 'live' };
  const name = recordingStatus ?? 'not recorded';
  return { name, kind: name };
}
