import type { Exchange } from '../journal/exchange.ts';
import { createCopyButton } from './copy.ts';
import { curlLine } from './curl.ts';
import { create } from './dom.ts';

/** What the journal writes for a key. */
const hiddenKey = '[API key]';

/** Characters of a body that are shown; the archive has them all. */
const longestText = 100_000;

/** Headers that curl writes by itself. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
]);

/** What was sent and what was answered, in full; the journal hides the key, a copied line has it. */
export function createDetails({ request, answer }: Exchange, apiKey: string): HTMLElement {
  const writeCurl = (): string => {
    const headers = Object.entries(request.headers)
      .filter(([name]) => !ownHeaders.has(name))
      .map(([name, value]) => [name, value.replaceAll(hiddenKey, apiKey)]);
    return curlLine({ ...request, headers: Object.fromEntries(headers) });
  };
  return create(
    'div',
    { className: 'messages' },
    createMessage(
      'Request',
      `${request.method} ${request.url}`,
      request,
      createCopyButton('as curl', writeCurl, 'Copy as curl'),
    ),
    createMessage('Answer', String(answer.status || 'connection broken'), answer),
  );
}

interface Message {
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function createMessage(
  title: string,
  line: string,
  { headers, body }: Message,
  ...buttons: readonly Node[]
): HTMLElement {
  const head = [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const text = head.join('\n');
  const subject = title.toLowerCase();
  return create(
    'div',
    {},
    create(
      'div',
      { className: 'inline' },
      create('h3', {}, title),
      ...buttons,
      createCopyButton(`headers of the ${subject}`, () => text, 'Copy headers'),
      ...(body === undefined
        ? []
        : [createCopyButton(`body of the ${subject}`, () => body, 'Copy body')]),
    ),
    createText(`${title}: headers`, text),
    ...(body === undefined ? [] : [createText(`${title}: body`, shorten(indent(body)))]),
  );
}

/** Text that scrolls, and that a keyboard can scroll. */
function createText(ariaLabel: string, text: string): HTMLElement {
  return create('pre', { tabIndex: 0, role: 'group', ariaLabel }, text);
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
