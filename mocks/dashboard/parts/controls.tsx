import { type Signal, useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { api } from '../state/connection.ts';
import { sayOutcome } from '../state/notices.ts';
import { momentText, timeText } from '../state/words.ts';

interface CardProps {
  /** The heading has the id `{id}-heading` and can take the focus. */
  readonly id: string;
  readonly title: string;
  /** Whether the card is part of an article. */
  readonly isPart?: boolean;
  /** Shown beside the heading. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Card({ id, title, isPart = false, tools, children }: CardProps): VNode {
  const Heading = isPart ? 'h3' : 'h2';
  return (
    <section class="card stack" aria-labelledby={`${id}-heading`}>
      <div class="inline">
        <Heading id={`${id}-heading`} tabIndex={-1}>
          {title}
        </Heading>
        {tools}
      </div>
      {children}
    </section>
  );
}

interface ButtonProps extends ButtonHTMLAttributes {
  readonly label: string;
  /** An action that takes time. The text that it returns is said when it is done. */
  readonly run?: () => Promise<string>;
}

/** A button. While its action runs it is not disabled, which would lose the focus. */
export function Button({ label, run, ...attributes }: ButtonProps): VNode {
  const busy = useSignal(false);
  const press = async (): Promise<void> => {
    if (busy.value || run === undefined) return;
    busy.value = true;
    await sayOutcome(run());
    busy.value = false;
  };
  return (
    <button type="button" onClick={press} {...attributes} aria-busy={busy.value || undefined}>
      {label}
    </button>
  );
}

interface RowButtonsProps {
  /** What the row is about, for screen readers. */
  readonly about: string;
  /** The action of each button, by its label. */
  readonly actions: Readonly<Record<string, () => Promise<string>>>;
}

/** The buttons at the end of a row. */
export function RowButtons({ about, actions }: RowButtonsProps): VNode {
  return (
    <span class="inline end">
      {Object.entries(actions).map(([label, run]) => (
        <Button
          key={label}
          class="small"
          label={label}
          aria-label={`${label} ${about}`}
          run={run}
        />
      ))}
    </span>
  );
}

interface CopyProps {
  /** What it copies: `stream key`. */
  readonly name: string;
  readonly text: string;
  readonly label?: string;
}

/** A button that copies a text. */
export function Copy({ name, text, label = 'Copy' }: CopyProps): VNode {
  const copy = async (): Promise<string> => {
    if (!isSecureContext) {
      throw new Error(
        'Browsers let a page copy only on localhost and https: select the text instead.',
      );
    }
    await navigator.clipboard.writeText(text);
    return `Copied ${name}.`;
  };
  return <Button class="small" label={label} aria-label={`Copy ${name}`} run={copy} />;
}

type FolderProps = ButtonHTMLAttributes & { readonly open: Signal<boolean> };

/** A button that unfolds something, and folds it again. */
export function Folder({ open, ...attributes }: FolderProps): VNode {
  const toggle = (): void => {
    open.value = !open.value;
  };
  return <button type="button" {...attributes} aria-expanded={open.value} onClick={toggle} />;
}

interface TimeProps {
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether to show the time of day with milliseconds, and no date. */
  readonly exact?: boolean;
}

/** A time in the reader's format. */
export function Time({ id, at, exact = false }: TimeProps): VNode {
  const iso = new Date(at).toISOString();
  return (
    <time id={id} dateTime={iso} title={iso}>
      {exact ? timeText(at) : momentText(at)}
    </time>
  );
}

/** Saves a response as a file. A plain link could not send the key. */
export async function download(path: string, name: string): Promise<string> {
  const response = await api.open(`GET ${path}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return `Downloaded ${name}.`;
}
