import { useSignal } from '@preact/signals';
import type { CSSProperties, VNode } from 'preact';
import type { Session, Stream } from '../../../interface/types.ts';
import type { Moment } from '../../service/moments.ts';
import { Rows } from '../parts/rows.tsx';
import { worldNow } from '../state/clock.ts';
import { count, momentText } from '../state/words.ts';
import {
  recordedSpans,
  type Span,
  type TimelineItem,
  timelineItems,
  timelineScale,
} from './timeline-items.ts';

interface TimelineProps {
  readonly stream: Stream;
  /** Newest first. */
  readonly sessions: readonly Session[];
  readonly moments: readonly Moment[];
}

/** One line with the sessions of a stream, its recording on and off, and jumps of the clock. */
export function Timeline({ stream, sessions, moments }: TimelineProps): VNode {
  const text = useSignal('');
  const known = [stream.createdAt, ...sessions.map(({ lastSeen }) => lastSeen)];
  const now = Math.max(worldNow.value ?? 0, ...known, ...moments.map(endOf));
  const facts = { stream, sessions, moments, now };
  const items = timelineItems(facts);
  const begin = Math.min(stream.createdAt, ...items.map(({ from }) => from));
  const spans = recordedSpans(facts);
  const scale = timelineScale([
    begin,
    now,
    ...[...items, ...spans].flatMap(({ from, to }) => [from, to]),
  ]);
  const place = ({ from, to }: Span) => ({
    left: `${100 * scale(from)}%`,
    ...(to > from && { width: `${100 * (scale(to) - scale(from))}%` }),
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
              <Mark
                item={item}
                style={place(item)}
                tell={() => {
                  text.value = item.text;
                }}
              />
            </li>
          ))}
        </Rows>
      </div>
      <p class="hint">{text.value || summary}</p>
      {legend}
    </div>
  );
}

interface MarkProps {
  readonly item: TimelineItem;
  readonly style: CSSProperties;
  readonly tell: () => void;
}

function Mark({ item: { kind, text }, style, tell }: MarkProps): VNode {
  return (
    <button
      type="button"
      class={kind}
      style={style}
      aria-label={text}
      onMouseEnter={tell}
      onFocus={tell}
    />
  );
}

const legend = (
  <p class="legend hint" aria-hidden="true">
    <span class="key session recorded" /> recorded <span class="key session" /> not recorded{' '}
    <span class="key recording-on" /> recording on <span class="key jump" /> clock moved
  </p>
);

function endOf(moment: Moment): number {
  return moment.kind === 'clock' ? Math.max(moment.at, moment.to) : moment.at;
}
