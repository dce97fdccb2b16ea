import { type Signal, useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { toCurl } from '../../../curl.ts';
import { api, sayOutcome } from '../state/api.ts';
import { shownKey } from '../state/page.ts';
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

interface EmptyProps {
  readonly text: string;
  /** A request such as `GET /api/stream`, and its body. */
  readonly request: string;
  readonly body?: object;
}

/** What stands in place of an empty list: the line for a shell that fills it. */
export function Empty({ text, request, body }: EmptyProps): VNode {
  return (
    <>
      <p>{text}</p>
      <KeyedFacts write={(key) => [['try', curlLine(request, key, body)]]} />
    </>
  );
}

/** A request such as `GET /api/stream` as a line for a shell. */
export function curlLine(request: string, key: string, body?: object): string {
  const [method = '', path = ''] = request.split(' ');
  const headers = new Headers({ authorization: `Bearer ${key}` });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const url = new URL(path, location.origin);
  return toCurl({ method, url, headers, body: body && JSON.stringify(body) });
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
