import type { VNode } from 'preact';
import { toCurl } from '../../../curl.ts';
import { api } from '../state/connection.ts';
import { shownKey } from '../state/page.ts';
import { Copy } from './controls.tsx';

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
