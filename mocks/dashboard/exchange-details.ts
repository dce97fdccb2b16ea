import { toCurl } from '../../curl.ts';
import type { Exchange } from '../journal/exchange.ts';
import { hiddenKey } from '../journal/hide-secrets.ts';
import { createCopyButton } from './copy.ts';
import { create } from './dom.ts';

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

/** What was sent and what was answered, in full. */
export function createDetails({ request, answer }: Exchange, apiKey: string): HTMLElement {
  return create(
    'div',
    { className: 'messages' },
    createMessage(
      'Request',
      `${request.method} ${request.url}`,
      request,
      ...createCurlButton(request, apiKey),
    ),
    createMessage('Answer', String(answer.status || 'connection broken'), answer),
  );
}

/**
 * Copies a request as a line for a shell. The journal hides the key, and the line has it, but only for
 * this server: an imported journal may name any other. An address that held the key is none any more.
 */
function createCurlButton(request: Exchange['request'], apiKey: string): HTMLElement[] {
  if (!URL.canParse(request.url)) return [];
  const url = new URL(request.url);
  const key = url.origin === location.origin ? apiKey : hiddenKey;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [name, value.replaceAll(hiddenKey, () => key)]);
  const name = key === hiddenKey ? 'as curl without the key' : 'as curl';
  const write = (): string => toCurl({ ...request, url, headers: new Headers(headers) });
  return [createCopyButton(name, write, `Copy ${name}`)];
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
