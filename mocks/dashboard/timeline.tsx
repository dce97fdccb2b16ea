import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Session, Stream } from '../../interface/types.ts';
import type { Moment } from '../state/moments.ts';
import { worldNow } from './clock.tsx';
import { Rows } from './parts/rows.tsx';
import type { ShownStream } from './shown.ts';
import { count, duration, momentText } from './state/words.ts';

/** A stretch of time, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  /** The same as `from` for a moment. */
  readonly to: number;
}

/** Something on the timeline of a stream. */
interface TimelineItem extends Span {
  readonly key: string;
  readonly kind: 'session recorded' | 'session' | 'jump' | 'switch';
  /** What it is, in a sentence. */
  readonly text: string;
}

/** A line with the sessions of a stream, its recording on and off, and jumps of the clock. */
export function Timeline({ stream, sessions, moments }: ShownStream): VNode {
  const [text, setText] = useState('');
  const known = [stream.createdAt, ...sessions.map(({ lastSeen }) => lastSeen)];
  const now = Math.max(worldNow.value ?? 0, ...known, ...moments.map(endOf));
  const items = [
    ...sessions.map((session) => sessionItem(session, now)),
    ...moments.map(momentItem),
  ].toSorted((left, right) => left.from - right.from);
  const begin = Math.min(stream.createdAt, ...items.map(({ from }) => from));
  const spans = recordedSpans(stream, moments, now);
  const edges = [...items, ...spans].flatMap(({ from, to }) => [from, to]);
  const scale = timelineScale([begin, now, ...edges]);
  const place = ({ from, to }: Span) => ({
    left: `${100 * scale(from)}%`,
    width: to > from ? `${100 * (scale(to) - scale(from))}%` : undefined,
  });
  const summary = `${count(sessions.length, 'session')} since ${momentText(begin)}. Point at the line to read it.`;
  return (
    <div class="timeline">
      <div class="line">
        {spans.map((span) => (
          <span key={span.from} class="recording-on" style={place(span)} />
        ))}
        <Rows id="timeline" label="Timeline" roving>
          {items.map((item) => (
            <li key={item.key}>
              <button
                type="button"
                class={item.kind}
                style={place(item)}
                aria-label={item.text}
                onMouseEnter={() => setText(item.text)}
                onFocus={() => setText(item.text)}
              />
            </li>
          ))}
        </Rows>
      </div>
      <p class="hint">{text || summary}</p>
      <p class="inline hint" aria-hidden="true">
        <span class="key session recorded" /> recorded <span class="key session" /> not recorded{' '}
        <span class="key recording-on" /> recording on <span class="key jump" /> clock moved
      </p>
    </div>
  );
}

function endOf(moment: Moment): number {
  return moment.kind === 'clock' ? Math.max(moment.at, moment.to) : moment.at;
}

function sessionItem(session: Session, now: number): TimelineItem {
  const { id, createdAt, isActive, lastSeen, record, recordingStatus } = session;
  const length = `${isActive ? 'live for ' : ''}${duration(session.sourceSegmentsDuration)}`;
  const recording = record ? `recording ${recordingStatus ?? 'none'}` : 'not recorded';
  return {
    key: id,
    kind: record ? 'session recorded' : 'session',
    from: createdAt,
    to: isActive ? now : Math.max(createdAt, lastSeen),
    text: `Session from ${momentText(createdAt)}, ${length}, ${recording}.`,
  };
}

function momentItem(moment: Moment, index: number): TimelineItem {
  const { at } = moment;
  const key = `moment ${index}`;
  const when = momentText(at);
  if (moment.kind === 'recording') {
    const text = `Recording was switched ${moment.record ? 'on' : 'off'} at ${when}.`;
    return { key, kind: 'switch', from: at, to: at, text };
  }
  const by = duration(Math.abs(moment.to - at) / 1000);
  const text = `The clock was ${moment.to > at ? 'moved on' : 'set back'} by ${by} at ${when}.`;
  return { key, kind: 'jump', from: Math.min(at, moment.to), to: endOf(moment), text };
}

/** When recording was on, as far as the moments tell. */
function recordedSpans(stream: Stream, moments: readonly Moment[], now: number): Span[] {
  const switches = moments.filter((moment) => moment.kind === 'recording');
  const first = switches[0] === undefined ? stream.record : !switches[0].record;
  const edges = [{ at: stream.createdAt, record: first }, ...switches, { at: now, record: false }];
  return edges.flatMap(({ at, record }, index) => {
    const to = edges[index + 1]?.at;
    return record && to !== undefined && to > at ? [{ from: at, to }] : [];
  });
}

/**
 * Makes the scale of a timeline: the place of a moment, from 0 to 1. Between two events the line grows with the
 * logarithm of the time, so that a session of seconds is visible beside a pause of days.
 */
function timelineScale(times: readonly number[]): (moment: number) => number {
  const places = new Map<number, number>();
  let place = 0;
  let before = Number.NaN;
  for (const time of times.toSorted((left, right) => left - right)) {
    if (time > before) place += 0.5 + Math.log1p((time - before) / 1000);
    places.set(time, place);
    before = time;
  }
  return (moment) => (places.get(moment) ?? 0) / (place || 1);
}
