import type { Session, Stream } from '../../../interface/types.ts';
import type { Moment } from '../../service/moments.ts';
import { duration, momentText } from '../state/words.ts';

/** Something on the timeline of a stream. */
export interface TimelineItem {
  readonly key: string;
  readonly kind: 'session recorded' | 'session' | 'jump' | 'switch';
  /** Milliseconds since 1970. */
  readonly from: number;
  /** The same as `from` for what has no length. */
  readonly to: number;
  /** What it is, in a sentence. */
  readonly text: string;
}

/** What the timeline of a stream shows. */
export interface TimelineFacts {
  readonly stream: Stream;
  readonly sessions: readonly Session[];
  readonly moments: readonly Moment[];
  /** The end of the line. */
  readonly now: number;
}

/** What happened to a stream, in the order of time. */
export function timelineItems({ sessions, moments, now }: TimelineFacts): TimelineItem[] {
  const items = [
    ...sessions.map((session) => sessionItem(session, now)),
    ...moments.map(momentItem),
  ];
  return items.toSorted((left, right) => left.from - right.from);
}

function sessionItem(session: Session, now: number): TimelineItem {
  const { id, createdAt, isActive, lastSeen, record, recordingStatus } = session;
  const to = isActive ? now : Math.max(createdAt, lastSeen);
  const length = `${isActive ? 'live for ' : ''}${duration(session.sourceSegmentsDuration)}`;
  const recording = record ? `recording ${recordingStatus ?? 'none'}` : 'not recorded';
  return {
    key: id,
    kind: record ? 'session recorded' : 'session',
    from: createdAt,
    to,
    text: `Session from ${momentText(createdAt)}, ${length}, ${recording}.`,
  };
}

function momentItem(moment: Moment, index: number): TimelineItem {
  const { at } = moment;
  const when = momentText(at);
  if (moment.kind === 'recording') {
    const text = `Recording was switched ${moment.record ? 'on' : 'off'} at ${when}.`;
    return { key: `moment ${index}`, kind: 'switch', from: at, to: at, text };
  }
  const by = duration(Math.abs(moment.to - at) / 1000);
  return {
    key: `moment ${index}`,
    kind: 'jump',
    from: Math.min(at, moment.to),
    to: Math.max(at, moment.to),
    text: `The clock was ${moment.to > at ? 'moved on' : 'set back'} by ${by} at ${when}.`,
  };
}

/** A time in which recording was on. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When recording was on, as far as the moments tell. */
export function recordedSpans({ stream, moments, now }: TimelineFacts): Span[] {
  const switches = moments.filter((moment) => moment.kind === 'recording');
  const first = switches[0] === undefined ? stream.record : !switches[0].record;
  const edges = [{ at: stream.createdAt, record: first }, ...switches, { at: now, record: false }];
  return edges.flatMap(({ at, record }, index) => {
    const to = edges[index + 1]?.at;
    return record && to !== undefined && to > at ? [{ from: at, to }] : [];
  });
}

/**
 * Makes the scale of a timeline: the place of a moment, from 0 to 1. Between two things that happened the
 * line grows with the logarithm of the time, so that a session of seconds is seen beside a pause of days.
 */
export function timelineScale(times: readonly number[]): (moment: number) => number {
  const places = new Map<number, number>();
  let [place, before] = [0, Number.NaN];
  for (const time of times.toSorted((left, right) => left - right)) {
    if (time > before) place += 0.5 + Math.log1p((time - before) / 1000);
    places.set(time, place);
    before = time;
  }
  return (moment) => (places.get(moment) ?? 0) / (place || 1);
}
