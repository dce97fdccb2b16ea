import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Exchange } from '../journal/exchange.ts';
import { pathAndQuery } from '../journal/filter.ts';
import { Button, Copy, KeyedFacts, Time } from './controls.tsx';
import { faultDraft } from './fault-form.tsx';
import { FaultLink, nameFault } from './faults.tsx';
import { api } from './page-state/api.ts';
import { prefix } from './page-state/page.ts';
import { duration, readJsonOrText } from './page-state/words.ts';
import { asCode, canResend, completeRequest, faultLike, resend } from './resend.ts';

interface ExchangeProps {
  readonly exchange: Exchange;
}

/** A request on one line, which expands to show what was sent and what came back. */
export function ExchangeRow({ exchange }: ExchangeProps): VNode {
  const [unfolded, setUnfolded] = useState(false);
  const { at, startedAt, request, response, fault } = exchange;
  const routeKind = exchange.static ? 'static route' : 'unknown route';
  return (
    <li>
      <details
        class="exchange"
        onToggle={({ currentTarget }) => setUnfolded(unfolded || currentTarget.open)}
      >
        <summary class="inline">
          <span class={`badge code ${colourOf(response.status)}`}>
            {response.status || 'broken'}
          </span>
          <code>
            <b>{request.method}</b> {pathAndQuery(request.url)}
          </code>
          <span class="quiet">{exchange.operation ?? routeKind}</span>
          <span class="quiet">{duration((at - startedAt) / 1000)}</span>
          <Time at={at} exact />
          {fault !== undefined && (
            <span class="below">
              <span class="badge waiting whole">{nameFault(fault)}</span>
            </span>
          )}
        </summary>
        {unfolded && <ExchangeDetails exchange={exchange} />}
      </details>
    </li>
  );
}

function colourOf(status: number): string {
  if (status === 0 || status >= 500) return 'failed';
  return status >= 400 ? 'waiting' : 'ready';
}

/** A request and its response in full, and what can be done with them. */
function ExchangeDetails({ exchange }: ExchangeProps): VNode {
  const { request, response } = exchange;
  const complete = completeRequest(request, api.apiKey, location.origin);
  const write = (key: string) => {
    const withKey = completeRequest(request, key, location.origin);
    return withKey === undefined ? [] : asCode(withKey);
  };
  const makeFault = (): void => {
    faultDraft.value = { values: faultLike(exchange, prefix) };
    location.hash = 'faults';
  };
  return (
    <>
      <div class="inline">
        {complete && canResend(complete) && (
          <Button class="small" label="Replay this request" run={() => resend(complete)} />
        )}
        {exchange.operation !== undefined && (
          <Button class="small" label="Make a fault from this" onClick={makeFault} />
        )}
        {exchange.fault !== undefined && <FaultLink id={exchange.fault} label="Show its fault" />}
      </div>
      <div class="columns halves">
        <Message title="Request" line={`${request.method} ${request.url}`} {...request} />
        <Message
          title="Response"
          line={String(response.status || 'connection broken')}
          {...response}
        />
      </div>
      <KeyedFacts about="as " write={write} />
      {complete?.hasKey === false && (
        <p class="hint">These lines leave out the key: the request went to another host.</p>
      )}
    </>
  );
}

interface MessageProps {
  readonly title: string;
  /** The first line. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request or a response in full. */
function Message({ title, line, headers, body }: MessageProps): VNode {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const bodyLines = body === undefined ? [] : ['', indent(body)];
  const text = [line, ...fields, ...bodyLines].join('\n');
  const name = `body of the ${title.toLowerCase()}`;
  return (
    <div>
      <div class="inline">
        <h3>{title}</h3>
        {body !== undefined && <Copy label="Copy body" name={name} text={body} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused element can be scrolled by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <pre tabIndex={0} role="group" aria-label={title}>
        {text}
      </pre>
    </div>
  );
}

function indent(body: string): string {
  const json = readJsonOrText(body);
  return json === body ? body : JSON.stringify(json, null, 2);
}
