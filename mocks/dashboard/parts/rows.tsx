import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** What has the focus in a row of a list that is one stop. */
const stops = 'li > button, summary';

interface RowsProps {
  /** The heading `{id}-heading` takes the focus when the last row is removed. */
  readonly id: string;
  readonly class?: string;
  readonly label?: string;
  /** Whether the list is one stop of the Tab key, and arrow keys move within it. */
  readonly roving?: boolean;
  /** A list item for each row, with a key. */
  readonly children: ComponentChildren;
}

type ListRef = RefObject<HTMLUListElement | null>;

/** A list that the keyboard moves in. When a row with the focus is removed, the next one takes it. */
export function Rows(props: RowsProps): VNode {
  const { id, roving = false, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const noteFocus = useKeptFocus(list, `${id}-heading`);
  const noteStop = useOneStop(list, roving);
  return (
    <ul
      ref={list}
      id={id}
      class={props.class}
      aria-label={props.label}
      aria-describedby={roving ? 'roving-hint' : undefined}
      onFocusIn={({ target }) => {
        noteFocus(target as HTMLElement);
        noteStop(target as HTMLElement);
      }}
      onKeyDown={(event) => roving && move(event, list)}
    >
      {children}
    </ul>
  );
}

/** Moves the focus on when its row is removed; the function returned notes where it is. */
function useKeptFocus(list: ListRef, heading: string): (element: HTMLElement) => void {
  const focused = useRef<{ element: HTMLElement; row: number }>(undefined);
  useLayoutEffect(() => {
    const { element, row = 0 } = focused.current ?? {};
    const isLost = document.activeElement === document.body;
    if (element === undefined || element.isConnected || !isLost) return;
    focused.current = undefined;
    const rows = list.current?.children ?? [];
    const next = rows[Math.min(row, rows.length - 1)];
    const beside = next?.querySelector<HTMLElement>('button, summary');
    (beside ?? document.getElementById(heading))?.focus();
  });
  return (element) => {
    const row = [...(list.current?.children ?? [])].findIndex((one) => one.contains(element));
    focused.current = { element, row };
  };
}

/** Makes a list one stop of the Tab key; the function returned moves it to what has the focus. */
function useOneStop(list: ListRef, isOne: boolean): (element: HTMLElement) => void {
  const stop = useRef<HTMLElement>(undefined);
  const moveStop = (element: HTMLElement | undefined): void => {
    if (stop.current !== undefined) stop.current.tabIndex = -1;
    stop.current = element;
    if (element !== undefined) element.tabIndex = 0;
  };
  useLayoutEffect(() => {
    if (!isOne) return;
    const all = findStops(list);
    for (const element of all) if (element !== stop.current) element.tabIndex = -1;
    if (!stop.current?.isConnected) moveStop(all[0]);
  });
  return (element) => {
    if (isOne && element.matches(stops)) moveStop(element);
  };
}

function move(event: KeyboardEvent, list: ListRef): void {
  const step = steps[event.key];
  const all = findStops(list);
  const at = all.indexOf(event.target as HTMLElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  all[step(at, all.length - 1)]?.focus();
}

function findStops(list: ListRef): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>(stops) ?? [])];
}
