import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { toCurl } from '../../curl.ts';
import { describeFault } from '../faults/describe.ts';
import type { Exchange } from '../journal/exchange.ts';
import { pathAndQuery } from '../journal/filter.ts';
import { hiddenKey } from '../journal/hide-secrets.ts';
import { faultDraft, faults } from './faults.tsx';
import { Button, Copy, Text, Time } from './parts/controls.tsx';
import { api } from './state/connection.ts';
import { prefix, shownKey } from './state/page.ts';

interface ExchangeProps {
  readonly exchange: Exchange;
}

/** A request in one line; it unfolds to what was sent and what came back. */
export function ExchangeRow({ exchange }: ExchangeProps): VNode {
  const [unfolded, setUnfolded] = useState(false);
  const { at, operation = 'unknown route', request, answer, fault } = exchange;
  const isGood = answer.status >= 200 && answer.status < 400;
  return (
    <li>
      <details
        class="exchange"
        onToggle={({ currentTarget }) => setUnfolded(unfolded || currentTarget.open)}
      >
        <summary class="inline">
          <span class={`badge ${isGood ? 'ready' : 'failed'}`}>{answer.status || 'broken'}</span>
          <code>
            {request.method} {pathAndQuery(request.url)}
          </code>
          {fault !== undefined && <FaultMark id={fault} />}
          <span class="quiet">{operation}</span>
          <Time at={at} exact />
        </summary>
        {unfolded && <ExchangeDetails exchange={exchange} />}
      </details>
    </li>
  );
}

/** Names the fault that matched the request. */
function FaultMark({ id }: { readonly id: number }): VNode {
  const report = faults.value?.find((candidate) => candidate.id === id);
  const title = report === undefined ? `fault ${id}, removed since` : describeFault(report.fault);
  return (
    <span class="badge waiting" title={title}>
      met a fault<span class="hidden">: {title}</span>
    </span>
  );
}

/** A request and its response in full, and what can be made of them. */
function ExchangeDetails({ exchange }: ExchangeProps): VNode {
  const { request, answer } = exchange;
  const { apiKey } = api.value;
  const complete = completeRequest(request, apiKey);
  const shown = completeRequest(request, shownKey(apiKey));
  const makeFault = (): void => {
    faultDraft.value = draftOf(exchange);
    location.hash = 'faults';
  };
  return (
    <>
      <div class="inline">
        {isReplayable(complete) && (
          <Button class="small" label="Replay this request" run={() => replay(complete)} />
        )}
        {exchange.operation !== undefined && (
          <Button class="small" label="Make a fault from this" onClick={makeFault} />
        )}
      </div>
      <div class="messages">
        <Message title="Request" line={`${request.method} ${request.url}`} {...request} />
        <Message title="Response" line={String(answer.status || 'connection broken')} {...answer} />
      </div>
      {complete && shown && <Snippet request={complete} shown={shown} />}
    </>
  );
}

/** A fault that gives requests like this one the same response. */
function draftOf({ operation, request, answer }: Exchange): Record<string, string> {
  const path = pathAndQuery(request.url).replace(prefix, '');
  const [, id = ''] = /^\/(?:stream|session|playback|hls|recordings)\/([^/?]+)/.exec(path) ?? [];
  const common = { operation: operation ?? '', id };
  if (answer.status === 0) return { effect: 'reset', ...common };
  return { effect: 'answer', status: String(answer.status), body: answer.body ?? '', ...common };
}

interface MessageProps {
  readonly title: string;
  /** Its first line. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function Message({ title, line, headers, body }: MessageProps): VNode {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [line, ...fields].join('\n');
  const subject = title.toLowerCase();
  return (
    <div>
      <div class="inline">
        <h3>{title}</h3>
        <Copy name={`headers of the ${subject}`} text={head} label="Copy headers" />
        {body !== undefined && (
          <Copy name={`body of the ${subject}`} text={body} label="Copy body" />
        )}
      </div>
      <Text label={`${title}: headers`}>{head}</Text>
      {body !== undefined && <Text label={`${title}: body`}>{shorten(indent(body))}</Text>}
    </div>
  );
}

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Characters of a body that are shown; the archive has them all. */
const longestText = 100_000;

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}\n… and ${text.length - longestText} characters more`;
}

/** A request of the journal that can be sent again. */
interface CompleteRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Whether it holds the key; a request to another origin does not. */
  readonly hasKey: boolean;
}

/** Headers that whatever sends a request writes by itself. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
]);

/**
 * Puts the key, which the journal hides, back into a request. Only requests to this server get it: an imported
 * journal may name any other. An address that held the key is no longer one.
 */
function completeRequest(
  { method, url: address, headers: recorded, body }: Exchange['request'],
  apiKey: string,
): CompleteRequest | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const hasKey = url.origin === location.origin;
  const key = hasKey ? apiKey : hiddenKey;
  const headers = new Headers();
  for (const [name, value] of Object.entries(recorded)) {
    if (ownHeaders.has(name.toLowerCase())) continue;
    headers.set(
      name,
      value.replaceAll(hiddenKey, () => key),
    );
  }
  return { method, url, headers, hasKey, body };
}

/** Whether the page can send it again: to this server, and not to its control API. */
function isReplayable(request: CompleteRequest | undefined): request is CompleteRequest {
  return request?.hasKey === true && !namesControl(request.url.pathname);
}

/** The server decodes a path before it routes it. */
function namesControl(path: string): boolean {
  try {
    return decodeURIComponent(path).includes('/_mock');
  } catch {
    return true;
  }
}

/** Sends a request again as the app did: it is in the journal, and faults match it. */
async function replay({ method, url, headers, body }: CompleteRequest): Promise<string> {
  const sent = method === 'GET' || method === 'HEAD' ? null : (body ?? null);
  const response = await fetch(url, { method, headers, body: sent }).catch((error: Error) => {
    throw new Error(`The request was sent again, and got no response: ${error.message}.`);
  });
  await response.body?.cancel();
  return `The request was sent again, and got ${response.status}.`;
}

const languages = { curl: toCurl, fetch: writeFetch } as const;

type Language = keyof typeof languages;

interface SnippetProps {
  readonly request: CompleteRequest;
  /** The same as the screen shows it: a secret key is only copied. */
  readonly shown: CompleteRequest;
}

/** A request as code. */
function Snippet({ request, shown }: SnippetProps): VNode {
  const [language, setLanguage] = useState<Language>('curl');
  const write = languages[language];
  const name = `as ${language}${request.hasKey ? '' : ' without the key'}`;
  return (
    <div>
      <div class="inline">
        <h3>Code</h3>
        {(Object.keys(languages) as Language[]).map((choice) => (
          <Button
            key={choice}
            class="small"
            label={choice}
            aria-pressed={choice === language}
            onClick={() => setLanguage(choice)}
          />
        ))}
        <Copy name={name} text={write(request)} label={`Copy ${name}`} />
      </div>
      <Text label="Code">{write(shown)}</Text>
    </div>
  );
}

function writeFetch({ method, url, headers, body }: CompleteRequest): string {
  const options = { method, headers: Object.fromEntries(headers), body };
  return `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(options, null, 2)});`;
}
