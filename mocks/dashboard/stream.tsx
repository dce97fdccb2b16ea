import type { VNode } from 'preact';
import type { Session, Stream } from '../../interface/types.ts';
import { faultSentence } from '../faults/describe.ts';
import { effectOf } from '../faults/effects/effects.ts';
import { activeFaults } from './faults.tsx';
import { confirm, confirmLoss } from './parts/confirm.tsx';
import { Button, Card, Copy, Time } from './parts/controls.tsx';
import { curlLine, Fact, KeyedFacts, type Lines } from './parts/facts.tsx';
import { Check, Field, Form, readForm } from './parts/form.tsx';
import { More, Rows } from './parts/rows.tsx';
import { Player, playRecording, watchLive } from './player.tsx';
import { lengthen, type ShownStream, shown } from './shown.ts';
import { api } from './state/connection.ts';
import { announce } from './state/notices.ts';
import { prefix } from './state/page.ts';
import { duration, momentText } from './state/words.ts';
import { Timeline } from './timeline.tsx';

/** One stream: what can be done with it, what happened to it, and its keys. */
export function StreamDetails(details: ShownStream): VNode {
  const { id, name, isActive } = details.stream;
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
      <Button class="danger end" label="Delete" run={remove} />
    </>
  );
  return (
    <article class="stack" aria-labelledby="stream-heading">
      <Card id="stream" title={name} tools={tools}>
        <div class="inline">
          <StreamSwitches {...details} />
          <RecordAtOnce {...details} />
        </div>
        {isActive && (
          <p id="live-hint" class="hint">
            Stop the stream to switch its recording, or to add a finished recording.
          </p>
        )}
        <Timeline {...details} />
      </Card>
      <Player {...details} />
      <Sessions {...details} />
      <StreamFacts {...details} />
    </article>
  );
}

/** Starts and stops a stream, shows it live, and switches its recording. */
function StreamSwitches({ stream, sessions, livePlaylist }: ShownStream): VNode {
  const { id, isActive, record } = stream;
  const live = sessions.records.find((session) => session.isActive);
  const startOrStop = async (): Promise<string> => {
    await api.value.call(`POST /_mock/streams/${id}/${isActive ? 'stop' : 'start'}`);
    await shown.refresh();
    return isActive ? 'The encoder has disconnected.' : 'An encoder has connected: live.';
  };
  const switchRecording = async (on: boolean): Promise<string> => {
    await setRecord(id, on).finally(shown.refresh);
    return `Future sessions are ${on ? '' : 'not '}recorded.`;
  };
  return (
    <div class="inline">
      <Button
        class={isActive ? '' : 'main'}
        label={isActive ? 'Stop' : 'Start'}
        run={startOrStop}
      />
      {live && <Button label="Watch live" onClick={() => watchLive(live.id, livePlaylist)} />}
      <Check
        label="Recording"
        role="switch"
        aria-checked={record}
        checked={record}
        disabled={isActive}
        aria-describedby={isActive ? 'live-hint' : undefined}
        onClick={({ currentTarget }) => announce(switchRecording(currentTarget.checked))}
      />
    </div>
  );
}

function setRecord(id: string, record: boolean): Promise<unknown> {
  return api.value.call(`PATCH ${prefix}/stream/${id}/record`, { record });
}

/** Makes a session that has begun and ended. A live stream has its one session already. */
function RecordAtOnce({ stream }: ShownStream): VNode {
  const { id, isActive, record } = stream;
  const send = async (form: HTMLFormElement): Promise<string> => {
    const seconds = Number(readForm(form)['duration']);
    if (!record) {
      const question = 'Recording is off: this session would not be recorded. Switch it on?';
      await confirm(question, 'Switch on and record');
      await setRecord(id, true);
    }
    await api.value.call(`POST /_mock/streams/${id}/start`, { duration: seconds });
    await shown.refresh();
    return `Recorded a session of ${duration(seconds)}.`;
  };
  return (
    <Form id="once" class="inline end" send={send}>
      <Field
        name="duration"
        label="Seconds"
        class="beside short"
        type="number"
        min="0.1"
        step="any"
        defaultValue="30"
        disabled={isActive}
        required
      />
      <Button
        type="submit"
        label="Add a finished recording"
        disabled={isActive}
        aria-describedby={isActive ? 'live-hint' : undefined}
      />
    </Form>
  );
}

/** The sessions of a stream, newest first. */
function Sessions({ stream, sessions: { records, isWhole } }: ShownStream): VNode {
  return (
    <Card id="sessions" title="Sessions" isPart>
      <RecordingFaults stream={stream} />
      {records.length === 0 && (
        <p>No session yet: start the stream, or add a finished recording.</p>
      )}
      <Rows id="sessions" class="rows">
        {records.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Rows>
      {!isWhole && <More list="sessions" lengthen={() => lengthen('sessions')} />}
    </Card>
  );
}

/** Faults that will act on the next recording. */
function RecordingFaults({ stream }: { readonly stream: Stream }): VNode | null {
  const acting = activeFaults.value.filter(
    ({ fault }) => effectOf(fault).operations.length === 0 && (fault.id ?? stream.id) === stream.id,
  );
  if (acting.length === 0) return null;
  return (
    <p class="note">
      The next recording meets a fault:{' '}
      <a href="#faults">{acting.map(({ fault }) => faultSentence(fault)).join('; ')}</a>
    </p>
  );
}

function SessionRow({ session }: { readonly session: Session }): VNode {
  const { id, createdAt, isActive, sourceSegmentsDuration, recordingUrl, mp4URL } = session;
  const begun = momentText(createdAt);
  const status = isActive ? 'live' : (session.recordingStatus ?? 'not recorded');
  const play = (label: string, name: string, media: Partial<Session>) => (
    <Button
      class="small"
      label={label}
      aria-label={`${name} of ${begun}`}
      onClick={() => playRecording(`Recording of ${begun}`, media)}
    />
  );
  return (
    <li class="inline">
      <Time at={createdAt} />
      <span class="quiet">{duration(sourceSegmentsDuration)}</span>
      <span class={`badge ${status}`}>{status}</span>
      <span class="inline end">
        {recordingUrl !== undefined && (
          <>
            {play('Play', 'Play recording', session)}
            {play('MP4', 'MP4', mp4URL === undefined ? {} : { mp4URL })}
          </>
        )}
        <Copy name={`id of session ${begun}`} text={id} label="Copy id" />
      </span>
    </li>
  );
}

/** The keys and addresses of a stream, and requests about it as curl lines. */
function StreamFacts({ stream, livePlaylist }: ShownStream): VNode {
  const { id, streamKey, playbackId, profiles, sourceSegmentsDuration } = stream;
  const renditions = profiles.map(({ name }) => name).join(', ') || 'only the source';
  return (
    <Card id="facts" title="Keys and addresses" isPart>
      <dl class="facts stack">
        <Fact name="id" copied={id} />
        <Fact name="stream key" copied={streamKey} />
        <Fact name="playback id" copied={playbackId} />
        <Fact name="live playlist" copied={livePlaylist} />
        <Fact name="renditions" text={renditions} />
        <Fact name="total duration" text={duration(sourceSegmentsDuration)} />
      </dl>
      <details>
        <summary>curl lines</summary>
        <KeyedFacts about="curl: " write={(key) => curlLines(id, key)} />
      </details>
    </Card>
  );
}

function curlLines(id: string, key: string): Lines {
  const path = `${prefix}/stream/${id}`;
  return [
    ['retrieve', curlLine(`GET ${path}`, key)],
    ['recorded sessions', curlLine(`GET ${path}/sessions?record=1`, key)],
    ['recording on', curlLine(`PATCH ${path}/record`, key, { record: true })],
    ['start', curlLine(`POST /_mock/streams/${id}/start`, key)],
    ['stop', curlLine(`POST /_mock/streams/${id}/stop`, key)],
  ];
}
