import type { VNode } from 'preact';
import type { Session } from '../../interface/types.ts';
import type { IngestReport } from '../state/ingest.ts';
import type { Moment } from '../state/moment.ts';
import { Button, Card, Copy, Fact, focusCard, Time } from './controls.tsx';
import { FaultLink } from './faults.tsx';
import { Checkbox, Form, FormField, readForm } from './form.tsx';
import { api, sayOutcome } from './page-state/api.ts';
import { createSource } from './page-state/connection.ts';
import { prefix } from './page-state/page.ts';
import { duration, momentText } from './page-state/words.ts';
import { Player, play } from './player.tsx';
import { type ChosenStream, maxListed, streamChoice } from './stream-source.ts';
import { Timeline } from './timeline.tsx';

/** One stream: its controls, its history, and its keys. */
export function StreamDetails(details: ChosenStream): VNode {
  const { id, name, isActive } = details.stream;
  const remove = async (): Promise<string> => {
    if (!confirm(`Delete ${name} and all of its sessions?`)) return '';
    await api.call(`DELETE ${prefix}/stream/${id}`);
    await streamChoice.refresh();
    focusCard('streams');
    return `Deleted ${name}.`;
  };
  const tools = (
    <>
      {isActive && <span class="badge live">live</span>}
      <Button class="plain danger end" label="Delete" run={remove} />
    </>
  );
  return (
    <article class="stack" aria-labelledby="stream-heading">
      <Card id="stream" title={name} tools={tools}>
        <StreamSwitches {...details} />
        <IncomingMedia {...details} />
        <Timeline {...details} />
      </Card>
      <Player />
      <SessionsCard {...details} />
      <StreamFacts {...details} />
    </article>
  );
}

/** Starts and stops a stream, plays it live, and turns recording on or off. */
function StreamSwitches({ stream, livePlaylist }: ChosenStream): VNode {
  const { id, name, isActive, record } = stream;
  const startOrStop = async (): Promise<string> => {
    await api.call(`POST /_mock/streams/${id}/${isActive ? 'stop' : 'start'}`);
    await streamChoice.refresh();
    return isActive ? 'The encoder disconnected.' : 'An encoder connected: the stream is live.';
  };
  const switchRecording = async (on: boolean): Promise<string> => {
    const switched = api.call(`PATCH ${prefix}/stream/${id}/record`, { record: on });
    await switched.finally(streamChoice.refresh);
    return `Future sessions will ${on ? '' : 'not '}be recorded.`;
  };
  return (
    <div class="inline">
      <Button
        class={isActive ? '' : 'main'}
        label={isActive ? 'Stop' : 'Start'}
        run={startOrStop}
      />
      {isActive && (
        <Button
          label="Watch live"
          onClick={() => play({ title: `${name}, live`, url: livePlaylist })}
        />
      )}
      <Checkbox
        label="Recording"
        role="switch"
        aria-checked={record}
        checked={record}
        disabled={isActive}
        title={isActive ? 'Stop the stream before you turn recording on or off' : undefined}
        onClick={({ currentTarget }) => sayOutcome(switchRecording(currentTarget.checked))}
      />
    </div>
  );
}

/** The lengths that a finished recording can have at a click, in seconds. */
const recordingPresets = { '30 s': 30, '10 min': 600, '2 h': 7200 } as const;

/** Adds a session that has already ended. */
function AddRecording({ stream }: ChosenStream): VNode {
  const { id, record } = stream;
  const add = async (seconds: number): Promise<string> => {
    await api.call(`POST /_mock/streams/${id}/start`, { duration: seconds });
    await streamChoice.refresh();
    return `Added a recording of ${duration(seconds)}.`;
  };
  const send = (form: HTMLFormElement) => add(Number(readForm(form)['duration']));
  return (
    <fieldset class="stack inset" aria-label="Add a finished recording" disabled={!record}>
      <h3>Add a finished recording</h3>
      <p class="hint">
        {record
          ? 'Adds a session that ends now and lasted this long. Nothing has to be live for it.'
          : 'Turn recording on first.'}
      </p>
      <div class="inline">
        {Object.entries(recordingPresets).map(([label, seconds]) => (
          <Button
            key={label}
            label={label}
            aria-label={`Add a recording of ${label}`}
            run={() => add(seconds)}
          />
        ))}
        <Form id="once" class="inline" send={send}>
          <FormField
            name="duration"
            label="or seconds"
            class="short"
            type="number"
            min="0.1"
            step="any"
            required
          />
          <Button type="submit" label="Add" />
        </Form>
      </div>
    </fieldset>
  );
}

/** The sessions of a stream, newest first. */
function SessionsCard(details: ChosenStream): VNode {
  const { stream, sessions, moments } = details;
  return (
    <Card id="sessions" title="Sessions">
      {!stream.isActive && <AddRecording {...details} />}
      {sessions.length === 0 && <p class="hint">No sessions yet.</p>}
      <ul class="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} fault={findFaultOf(session, moments)} />
        ))}
      </ul>
      {sessions.length === maxListed && <p class="hint">Older sessions are not shown.</p>}
    </Card>
  );
}

/** The id of the fault that has decided about the recording of a session, as far as the mock remembers. */
function findFaultOf({ id }: Session, moments: readonly Moment[]): number | undefined {
  for (const moment of moments) {
    if (moment.kind === 'fault' && moment.sessionId === id) return moment.fault;
  }
  return undefined;
}

interface SessionProps {
  readonly session: Session;
  readonly fault: number | undefined;
}

function SessionRow({ session, fault }: SessionProps): VNode {
  const { id, createdAt, isActive, sourceSegmentsDuration, recordingUrl, mp4URL } = session;
  const begun = momentText(createdAt);
  const playButton = (label: string, name: string, url: string | undefined) =>
    url !== undefined && (
      <Button
        class="small"
        label={label}
        aria-label={`${name} of ${begun}`}
        onClick={() => play({ title: `Recording of ${begun}`, url })}
      />
    );
  return (
    <li class="inline">
      <Time at={createdAt} />
      <span class="quiet">{duration(sourceSegmentsDuration)}</span>
      {isActive ? (
        <span class="badge live">live</span>
      ) : (
        <RecordingBadge status={session.recordingStatus} />
      )}
      {fault !== undefined && <FaultLink id={fault} />}
      <span class="inline end">
        {playButton('Play', 'Play recording', recordingUrl)}
        {playButton('MP4', 'MP4', mp4URL)}
        <Copy name={`id of session ${begun}`} text={id} label="Copy id" />
      </span>
    </li>
  );
}

/** The status of a recording, or that there is none. */
function RecordingBadge({ status }: { readonly status: Session['recordingStatus'] }): VNode {
  if (status === undefined) return <span class="quiet">not recorded</span>;
  return <span class={`badge ${status}`}>{status}</span>;
}

/** The keys and URLs of a stream. */
function StreamFacts(details: ChosenStream): VNode {
  const { stream, livePlaylist } = details;
  const { id, streamKey, playbackId, profiles, sourceSegmentsDuration } = stream;
  const renditions = profiles.map(({ name }) => name).join(', ') || 'only the source';
  return (
    <Card id="facts" title="Keys and URLs">
      <dl class="facts stack">
        <Fact name="id" copied={id} />
        <Fact name="stream key" copied={streamKey} />
        <IngestFacts {...details} />
        <Fact name="playback id" copied={playbackId} />
        {livePlaylist && <Fact name="live playlist" copied={livePlaylist} />}
        <Fact name="renditions" text={renditions} />
        <Fact name="total duration" text={duration(sourceSegmentsDuration)} />
      </dl>
    </Card>
  );
}

/** Where encoders and cameras go live, and what they send. */
const ingest = createSource(['ingest'], () => api.call<IngestReport>('GET /_mock/ingest'));

/** What an encoder or camera is sending to a stream. */
function IncomingMedia({ stream }: ChosenStream): VNode | null {
  const incoming = ingest.value?.incoming.find(({ streamId }) => streamId === stream.id);
  if (incoming === undefined) return null;
  const { protocol, videoCodec, frameRate, bitrate, audioCodec } = incoming;
  const facts = [
    videoCodec,
    frameRate && `${frameRate} fps`,
    audioCodec,
    `${(bitrate / 1_000_000).toFixed(1)} Mbit/s`,
  ];
  return (
    <p id="incoming">
      <span class="badge">{protocol.toUpperCase()}</span> {facts.filter(Boolean).join(', ')}{' '}
      <span class="hint">Playback and recordings show the test card.</span>
    </p>
  );
}

/** What to enter or run to make a stream go live, as far as this server allows. */
function IngestFacts({ stream: { streamKey } }: ChosenStream): VNode {
  const { rtmp, whip } = ingest.value ?? {};
  const ffmpeg = `ffmpeg -re -i video.mp4 -c copy -f flv '${rtmp}/${streamKey}'`;
  return (
    <>
      {rtmp && <Fact name="OBS server" copied={rtmp} />}
      {rtmp && <Fact name="ffmpeg" copied={ffmpeg} />}
      {whip && <Fact name="browser" copied={`${whip}/${streamKey}`} />}
    </>
  );
}
