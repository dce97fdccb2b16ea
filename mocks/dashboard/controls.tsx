import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { api, sayOutcome } from './page-state/api.ts';
import { visibleKey } from './page-state/page.ts';
import { momentText, timeText } from './page-state/words.ts';

interface CardProps {
  /** The heading has the id `{id}-heading` and can be focused. */
  readonly id: string;
  readonly title: string;
  /** Next to the heading. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Card({ id, title, tools, children }: CardProps): VNode {
  return (
    <section class="card stack" aria-labelledby={`${id}-heading`}>
      <div class="inline head">
        <h2 id={`${id}-heading`} tabIndex={-1} title={title}>
          {title}
        </h2>
        {tools}
      </div>
      {children}
    </section>
  );
}

/** Moves the focus to a card's heading, when the focused element is gone. */
export function focusCard(id: string): void {
  document.getElementById(`${id}-heading`)?.focus();
}

interface ButtonProps extends ButtonHTMLAttributes {
  readonly label: string;
  /** An asynchronous action. The page shows the text that it returns, or its error. */
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
  /** What it copies, such as `stream key`. */
  readonly name: string;
  readonly text: string;
  readonly label?: string;
}

/** A button that copies a text. */
export function Copy({ name, text, label = 'Copy' }: CopyProps): VNode {
  const copy = async (): Promise<string> => {
    if (!isSecureContext) {
      throw new Error(
        'Browsers allow copying only on localhost and https. Select the text instead.',
      );
    }
    await navigator.clipboard.writeText(text);
    return `Copied ${name}.`;
  };
  return <Button class="small" label={label} aria-label={`Copy ${name}`} run={copy} />;
}

interface FactProps {
  readonly name: string;
  /** The text that its button copies; without it, there is no button. */
  readonly copied?: string;
  /** What the button calls the text, if not by the name. */
  readonly copyName?: string;
  /** The text to display, if it differs from the copied one. */
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

/** Lines of code, each with a name. */
export type Lines = readonly (readonly [name: string, line: string])[];

interface KeyedFactsProps {
  /** Writes the lines with a key. */
  readonly write: (key: string) => Lines;
  /** What each button says before the name of its line. */
  readonly about?: string;
}

/** Facts that contain the API key. The key is always copied, but displayed only if it is not secret. */
export function KeyedFacts({ write, about = '' }: KeyedFactsProps): VNode {
  const { apiKey } = api;
  const texts = new Map(write(visibleKey(apiKey)));
  return (
    <dl class="facts stack">
      {write(apiKey).map(([name, line]) => (
        <Fact key={name} name={name} copyName={about + name} copied={line} text={texts.get(name)} />
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
