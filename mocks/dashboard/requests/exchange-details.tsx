import type { VNode } from 'preact';
import type { Exchange } from '../../journal/exchange.ts';
import { pathAndQuery } from '../../journal/filter.ts';
import { Action } from '../parts/action.tsx';
import { Copy } from '../parts/copy.tsx';
import { api } from '../state/connection.ts';
import { type FaultDraft, faultDraft } from '../state/faults.ts';
import { prefix, shownKey } from '../state/page.ts';
import { completeRequest, isReplayable, replay } from './replay.ts';
import { Snippet } from './snippet.tsx';
import { Text } from './text.tsx';

/** Characters of a body that are shown; the archive has them all. */
const longestText = 100_000;

/** What was sent and what came back in full, and what can be made of it. */
export function ExchangeDetails({ exchange }: { readonly exchange: Exchange }): VNode {
  const { request, answer } = exchange;
  const { apiKey } = api.value;
  const complete = completeRequest(request, apiKey);
  const shown = completeRequest(request, shownKey(apiKey));
  return (
    <>
      <div class="inline">
        {isReplayable(complete) && (
          <Action class="small" run={() => replay(complete)}>
            Replay this request
          </Action>
        )}
        {exchange.operation !== undefined && (
          <button
            type="button"
            class="small"
            onClick={() => {
              faultDraft.value = draftOf(exchange);
              location.hash = 'faults';
            }}
          >
            Make a fault from this
          </button>
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

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}\n… and ${text.length - longestText} characters more`;
}
