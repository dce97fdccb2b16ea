import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { api, sayOutcome } from '../state/api.ts';
import { shownKey } from '../state/page.ts';
import { momentText, timeText } from '../state/words.ts';

interface CardProps {
  /** The heading has the id `{id}-heading` and can take the focus. */
  readonly id: string;
  readonly title: string;
  /** Shown beside the heading. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Card({ id, title, tools, children }: CardProps): VNode {
  return (
    <section class="card stack" aria-labelledby={`${id}-heading`}>
      <div class="inline">
        <h2 id={`${id}-heading`} tabIndex={-1}>
          {title}
        </h2>
        {tools}
      </div>
      {children}
    </section>
  );
}

/** Moves the focus to the heading of a card, where what had it is gone. */
export function focusCard(id: string): void {
  document.getElementById(`${id}-heading`)?.focus();
}

interface ButtonProps extends ButtonHTMLAttributes {
  readonly label: string;
  /** An action that takes time. The status bar says the text that it returns, or its error. */
  readonly run?: () => Promise<string>;
}

export function Button({ label, run, ...attributes }: ButtonProps): VNode {
  return (
    <button type="button" onClick={() => run && sayOutcome(run())} {...attributes}>
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

interface FactProps {
  readonly name: string;
  /** What its button copies; without it there is no button. */
  readonly copied?: string;
  /** What the button says it copies, if not the name. */
  readonly copyName?: string;
  /** What is shown, if not what is copied. */
  readonly text?: string | undefined;
}

/** A row of a list of facts. */
export function Fact({ name, copied, copyName = name, text = copied }: FactProps): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class={copied && 'mono'}>{text}</span>
        {copied && <Copy name={copyName} text={copied} />}
      </dd>
    </div>
  );
}

/** Lines of code, each with its name. */
export type Lines = readonly (readonly [name: string, line: string])[];

interface KeyedFactsProps {
  /** Writes the lines with a key. */
  readonly write: (key: string) => Lines;
  /** What each button says before the name of its line. */
  readonly about?: string;
}

/** Facts that hold the API key. It is always copied with them, and shown unless it is secret. */
export function KeyedFacts({ write, about = '' }: KeyedFactsProps): VNode {
  const { apiKey } = api;
  const shown = new Map(write(shownKey(apiKey)));
  return (
    <dl class="facts stack">
      {write(apiKey).map(([name, line]) => (
        <Fact key={name} name={name} copyName={about + name} copied={line} text={shown.get(name)} />
      ))}
    </dl>
  );
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
