import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** How far each key moves the focus. */
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** What takes the focus in each row of a list at which the Tab key stops once. */
const stops = 'li > button, summary';

interface RowsProps {
  /** The heading `{id}-heading` takes the focus when the last row is removed. */
  readonly id: string;
  readonly class?: string;
  readonly label?: string;
  /** Whether the Tab key stops at the list once, and arrow keys move within it. */
  readonly roving?: boolean;
  /** A list item with a key for each row. */
  readonly children: ComponentChildren;
}

/** A list for the keyboard too. When the row with the focus is removed, the heading takes the focus. */
export function Rows(props: RowsProps): VNode {
  const { id, label, roving = false, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<HTMLElement>(undefined);
  const stop = useRef<HTMLElement>(undefined);
  const keepOneStop = (): void => {
    if (!roving) return;
    const all = findStops(list.current);
    if (!stop.current?.isConnected) stop.current = all[0];
    for (const element of all) element.tabIndex = element === stop.current ? 0 : -1;
  };
  useLayoutEffect(() => {
    if (focused.current?.isConnected === false) {
      focused.current = undefined;
      if (document.activeElement === document.body) {
        document.getElementById(`${id}-heading`)?.focus();
      }
    }
    keepOneStop();
  });
  return (
    <ul
      ref={list}
      id={id}
      class={props.class}
      aria-label={label}
      aria-describedby={roving ? 'roving-hint' : undefined}
      onFocusIn={(event) => {
        const element = event.target as HTMLElement;
        focused.current = element;
        if (element.matches(stops)) stop.current = element;
        keepOneStop();
      }}
      onKeyDown={(event) => roving && move(event)}
    >
      {children}
    </ul>
  );
}

function findStops(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(stops) ?? [])];
}

function move(event: KeyboardEvent): void {
  const step = steps[event.key];
  const all = findStops(event.currentTarget as HTMLElement);
  const at = all.indexOf(event.target as HTMLElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
}
