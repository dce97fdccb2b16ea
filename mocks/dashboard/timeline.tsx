import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../interface/types.ts';
import type { Moment } from '../state/moment.ts';
import { worldNow } from './clock.tsx';
import { count, duration, momentText } from './page-state/words.ts';
import type { ChosenStream } from './stream-source.ts';

/** An item on a stream's timeline. Times are in milliseconds since 1970. */
interface TimelineItem {
  readonly key: string;
  readonly from: number;
  /** The same as `from` if the item has no duration. */
  readonly to: number;
  readonly kind: 'session recorded' | 'session' | 'jump' | 'switch';
  /** A description, in a sentence. */
  readonly text: string;
}

/** A stream's sessions, changes of recording, and jumps of the clock, on a line. */
export function Timeline({ stream, sessions, moments }: ChosenStream): VNode {
  const [text, setText] = useState('');
  const knownTimes = [stream.createdAt, ...sessions.map(({ lastSeen }) => lastSeen)];
  const now = Math.max(worldNow.value ?? 0, ...knownTimes, ...moments.map(endOfMoment));
  const items = [
    ...sessions.map((session) => sessionItem(session, now)),
    ...moments.map(momentItem),
  ].toSorted((left, right) => left.from - right.from);
  const begin = Math.min(stream.createdAt, ...items.map(({ from }) => from));
  const scale = timelineScale([begin, now, ...items.flatMap(({ from, to }) => [from, to])]);
  const place = ({ from, to }: TimelineItem) => ({
    left: `${100 * scale(from)}%`,
    width: to > from ? `${100 * (scale(to) - scale(from))}%` : undefined,
  });
  const summary = `${count(sessions.length, 'session')} since ${momentText(begin)}. Point at an item to see what it is.`;
  return (
    <div class="timeline">
      <ul class="line" aria-label="Timeline">
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
      </ul>
      <p class="hint">{text || summary}</p>
      <p class="inline hint" aria-hidden="true">
        <span class="key session recorded" /> recorded <span class="key session" /> not recorded{' '}
        <span class="key switch" /> recording on or off <span class="key jump" /> clock moved
      </p>
    </div>
  );
}

function endOfMoment(moment: Moment): number {
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
    const text = `Recording was turned ${moment.record ? 'on' : 'off'} at ${when}.`;
    return { key, kind: 'switch', from: at, to: at, text };
  }
  const by = duration(Math.abs(moment.to - at) / 1000);
  const text = `The clock was ${moment.to > at ? 'advanced' : 'set back'} by ${by} at ${when}.`;
  return { key, kind: 'jump', from: Math.min(at, moment.to), to: endOfMoment(moment), text };
}

/**
 * Makes the scale of a timeline, which places each moment between 0 and 1. The distance between two events is
 * the logarithm of the time between them, so a session of seconds is visible next to a pause of days.
 */
function timelineScale(times: readonly number[]): (moment: number) => number {
  const places = new Map<number, number>();
  let place = 0;
  let previous = Number.NaN;
  for (const time of times.toSorted((left, right) => left - right)) {
    if (time > previous) place += 0.5 + Math.log1p((time - previous) / 1000);
    places.set(time, place);
    previous = time;
  }
  return (moment) => (places.get(moment) ?? 0) / (place || 1);
}
