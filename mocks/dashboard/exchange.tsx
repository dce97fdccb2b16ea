import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { toCurl } from '../../curl.ts';
import { faultSentence } from '../faults/describe.ts';
import type { Exchange } from '../journal/exchange.ts';
import { pathAndQuery } from '../journal/filter.ts';
import { hiddenKey } from '../journal/hide-secrets.ts';
import { type FaultDraft, faultDraft, faults } from './faults.tsx';
import { Button, Text, Time } from './parts/controls.tsx';
import { api } from './state/connection.ts';
import { prefix, shownKey } from './state/page.ts';
import { duration } from './state/words.ts';

interface ExchangeProps {
  readonly exchange: Exchange;
}

/** A request in one line; it unfolds to what was sent and what came back. */
export function ExchangeRow({ exchange }: ExchangeProps): VNode {
  const [unfolded, setUnfolded] = useState(false);
  const { at, startedAt, request, answer, fault } = exchange;
  const unknown = exchange.static ? 'static route' : 'unknown route';
  return (
    <li>
      <details
        class="exchange"
        onToggle={({ currentTarget }) => setUnfolded(unfolded || currentTarget.open)}
      >
        <summary class="inline">
          <span class={`badge ${colourOf(answer.status)}`}>{answer.status || 'broken'}</span>
          <code>
            <b class={methodColours[request.method]}>{request.method}</b>{' '}
            {pathAndQuery(request.url)}
          </code>
          {fault !== undefined && <FaultMark id={fault} />}
          <span class="quiet">{exchange.operation ?? unknown}</span>
          <span class="quiet">{duration((at - startedAt) / 1000)}</span>
          <Time at={at} exact />
        </summary>
        {unfolded && <ExchangeDetails exchange={exchange} />}
      </details>
    </li>
  );
}

const methodColours: Readonly<Record<string, string>> = {
  POST: 'ready',
  PATCH: 'waiting',
  PUT: 'waiting',
  DELETE: 'failed',
};

function colourOf(status: number): string {
  if (status === 0 || status >= 500) return 'failed';
  return status >= 400 ? 'waiting' : 'ready';
}

/** Names the fault that matched the request. */
function FaultMark({ id }: { readonly id: number }): VNode {
  const report = faults.value?.find((candidate) => candidate.id === id);
  const text = report === undefined ? 'A fault removed since' : faultSentence(report.fault);
  return (
    <a class="badge waiting cut" href="#faults" title={text}>
      {text}
    </a>
  );
}

/** A request and its response in full, and what can be made of them. */
function ExchangeDetails({ exchange }: ExchangeProps): VNode {
  const [language, setLanguage] = useState<Language>('curl');
  const { request, answer } = exchange;
  const { apiKey } = api.value;
  const complete = completeRequest(request, apiKey);
  // A secret key is only copied.
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
      <div class="columns halves">
        <Message title="Request" line={`${request.method} ${request.url}`} {...request} />
        <Message title="Response" line={String(answer.status || 'connection broken')} {...answer} />
      </div>
      {complete && shown && (
        <Text
          title="Code"
          text={languages[language](shown)}
          copied={languages[language](complete)}
          copyName={`as ${language}${complete.hasKey ? '' : ' without the key'}`}
        >
          {(Object.keys(languages) as Language[]).map((choice) => (
            <Button
              key={choice}
              class="small"
              label={choice}
              aria-pressed={choice === language}
              onClick={() => setLanguage(choice)}
            />
          ))}
        </Text>
      )}
    </>
  );
}

/** A fault that gives requests like this one the same response. */
function draftOf({ operation, request, answer }: Exchange): FaultDraft {
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
    <div class="stack">
      <Text title={`${title}: headers`} text={head} copyName={`headers of the ${subject}`} />
      {body !== undefined && (
        <Text
          title={`${title}: body`}
          text={shorten(indent(body))}
          copied={body}
          copyName={`body of the ${subject}`}
        />
      )}
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

function writeFetch({ method, url, headers, body }: CompleteRequest): string {
  const options = { method, headers: Object.fromEntries(headers), body };
  return `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(options, null, 2)});`;
}
