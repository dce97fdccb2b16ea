import type { Exchange } from '../journal/exchange.ts';
import { create } from './dom.ts';

/** Characters of a body that are shown; the archive has them all. */
const longestText = 100_000;

/** What was sent and what was answered, in full. */
export function createDetails({ request, answer }: Exchange): HTMLElement {
  return create(
    'div',
    { className: 'messages' },
    createMessage('Request', `${request.method} ${request.url}`, request),
    createMessage('Answer', String(answer.status || 'connection broken'), answer),
  );
}

interface Message {
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function createMessage(title: string, line: string, { headers, body }: Message): HTMLElement {
  const head = [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return create(
    'div',
    {},
    create('h3', {}, title),
    createText(`${title}: headers`, head.join('\n')),
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
