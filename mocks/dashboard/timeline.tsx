import type { CSSProperties, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../interface/types.ts';
import type { Moment } from '../state/moment.ts';
import { worldNow } from './clock.tsx';
import { clockText, count, dayText, duration, minuteText, momentText } from './page-state/words.ts';
import type { ChosenStream } from './stream-source.ts';
import {
  chooseTicks,
  createScale,
  groupJumps,
  type Jump,
  type Scale,
  type Tick,
} from './timeline-scale.ts';

/** What an item on a timeline shows, and how the legend calls it. */
const kinds = {
  'session recorded': 'recorded',
  session: 'not recorded',
  switch: 'recording on or off',
  jump: 'clock moved',
} as const satisfies Readonly<Record<string, string>>;

type Kind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as Kind[];

/** A move of the clock. One that sets it back skips nothing, because things have happened between its two ends. */
interface ClockMove extends Jump {
  /** In milliseconds; negative if the clock was set back. */
  readonly by: number;
}

/** An item on a stream's timeline. Times are in milliseconds since 1970. */
interface TimelineItem {
  readonly key: string;
  readonly from: number;
  /** The same as `from` if the item has no duration. */
  readonly to: number;
  readonly kind: Kind;
  /** A description, in a sentence. */
  readonly text: string;
}

/** The least room of an item, in pixels: the line is scrolled if it has too many for the screen. */
const itemRoom = 16;

/** A stream's sessions, changes of recording, and jumps of the clock, on a line with times. */
export function Timeline({ stream, sessions, moments }: ChosenStream): VNode | null {
  const [text, setText] = useState('');
  const strip = useRef<HTMLDivElement>(null);
  // It begins with what is newest.
  useEffect(() => strip.current?.scrollTo({ left: strip.current.scrollWidth }), []);
  // A fault is shown with its session.
  const switches = moments.filter((moment) => moment.kind === 'recording');
  const moves = moments.filter((moment) => moment.kind === 'clock').map(readMove);
  const now = Math.max(
    worldNow.value ?? 0,
    stream.createdAt,
    ...sessions.map(({ lastSeen }) => lastSeen),
    ...switches.map(({ at }) => at),
    ...moves.map(({ to }) => to),
  );
  const happened = [
    ...sessions.map((session) => sessionItem(session, now)),
    ...switches.map(switchItem),
  ];
  const jumps = groupJumps(
    moves,
    happened.flatMap(({ from, to }) => [from, to]),
  ).map(jumpItem);
  const items = [...happened, ...jumps].toSorted((left, right) => left.from - right.from);
  if (items.length === 0) return null;
  const begin = Math.min(stream.createdAt, ...items.map(({ from }) => from));
  const times = [begin, now, ...items.flatMap(({ from, to }) => [from, to])];
  const scale = createScale(times, jumps);
  const leastWidth = itemRoom * items.length;
  const summary = `${count(sessions.length, 'session')}. Point at an item to see what it is.`;
  return (
    <div class="timeline">
      <div ref={strip} class="strip">
        <div style={{ minWidth: `${leastWidth}px` }}>
          <ul class="line" aria-label="Timeline">
            {items.map((item) => (
              <li key={item.key}>
                <button
                  type="button"
                  class={item.kind}
                  style={styleOf(item, scale)}
                  aria-label={item.text}
                  onMouseEnter={() => setText(item.text)}
                  onFocus={() => setText(item.text)}
                />
              </li>
            ))}
          </ul>
          <Ticks ticks={chooseTicks(times, scale, leastWidth)} />
        </div>
      </div>
      <p class="hint legend" aria-hidden="true">
        {kindNames
          .filter((kind) => items.some((item) => item.kind === kind))
          .map((kind) => (
            <span key={kind}>
              <span class={`key ${kind}`} /> {kinds[kind]}
            </span>
          ))}
      </p>
      <p class="hint">{text || summary}</p>
    </div>
  );
}

/** Where an item is on the line. The mark of a jump is in the middle of what it skips. */
function styleOf({ kind, from, to }: TimelineItem, scale: Scale): CSSProperties {
  if (kind === 'jump') return { left: percent((scale(from) + scale(to)) / 2) };
  if (to === from) return { left: percent(scale(from)) };
  return { left: percent(scale(from)), width: percent(scale(to) - scale(from)) };
}

function percent(part: number): string {
  return `${100 * part}%`;
}

/** The times under the line. The date is written where it changes, and seconds if two would look alike. */
function Ticks({ ticks }: { readonly ticks: readonly Tick[] }): VNode {
  const days = ticks.map(({ moment }) => dayText(moment));
  const minutes = ticks.map(({ moment }, index) => `${days[index]} ${minuteText(moment)}`);
  const needsSeconds = new Set(minutes).size < minutes.length;
  const textOf = needsSeconds ? clockText : minuteText;
  return (
    <div class="ticks" aria-hidden="true">
      {ticks.map(({ moment, place }, index) => (
        <span key={moment} style={{ left: percent(place) }}>
          {textOf(moment)}
          {days[index] !== days[index - 1] && <small>{days[index]}</small>}
        </span>
      ))}
    </div>
  );
}

function readMove({ at, to }: Extract<Moment, { kind: 'clock' }>): ClockMove {
  return { from: at, to: Math.max(at, to), by: to - at };
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

function switchItem(
  { at, record }: Extract<Moment, { kind: 'recording' }>,
  index: number,
): TimelineItem {
  const text = `Recording was turned ${record ? 'on' : 'off'} at ${momentText(at)}.`;
  return { key: `switch ${index}`, kind: 'switch', from: at, to: at, text };
}

/** One mark for all the moves of a group, which may be as close to each other as clicks. */
function jumpItem(moves: readonly ClockMove[], index: number): TimelineItem {
  const from = Math.min(...moves.map((move) => move.from));
  const to = Math.max(...moves.map((move) => move.to));
  return { key: `jump ${index}`, kind: 'jump', from, to, text: describeMoves(moves, from, to) };
}

function describeMoves(moves: readonly ClockMove[], from: number, to: number): string {
  const by = moves.reduce((sum, move) => sum + move.by, 0);
  const isAdvance = moves.every((move) => move.by > 0);
  if (moves.length === 1) {
    const moved = isAdvance ? 'advanced' : 'set back';
    return `The clock was ${moved} by ${duration(Math.abs(by) / 1000)} at ${momentText(from)}.`;
  }
  const moved = isAdvance
    ? `advanced ${moves.length} times, by ${duration(by / 1000)} in all,`
    : `moved ${moves.length} times`;
  return `The clock was ${moved} between ${momentText(from)} and ${momentText(to)}.`;
}
