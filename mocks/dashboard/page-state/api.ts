import { type Signal, signal } from '@preact/signals';
import { testerHeader } from '../../messages/tester-request.ts';
import { savedKey } from './page.ts';

/** The world of the page's key. To switch keys, the page is reloaded, so nothing of the first world remains. */
export const api = {
  apiKey: savedKey(),
  /**
   * Sends a request such as `POST /_mock/reset` and parses the response as JSON. Paths start at the origin.
   * @throws RefusedError if the service refuses, NoResponseError if it does not respond.
   */
  async call<Body = unknown>(request: string, body?: unknown): Promise<Body> {
    const text = await (await api.open(request, body)).text();
    return JSON.parse(text || 'null');
  },
  /** Sends a request and returns the raw response; a blob is sent as it is. */
  async open(request: string, body?: unknown): Promise<Response> {
    const [method = '', path = ''] = request.split(' ');
    const headers = new Headers({ authorization: `Bearer ${api.apiKey}`, [testerHeader]: '1' });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const sentBody = body instanceof Blob ? body : JSON.stringify(body);
    const init = { method, headers, body: sentBody ?? null };
    const response = await fetch(path, init).catch((exception: Error) => {
      throw new NoResponseError(`The server does not respond: ${exception.message}.`);
    });
    if (!response.ok) throw await refusalIn(response);
    return response;
  },
};

/** Sends a request to the world; resolves to the notice that says so. */
export async function act(request: string, doneText: string, body?: unknown): Promise<string> {
  await api.call(request, body);
  return doneText;
}

/** The service refused a request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The server did not respond at all. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

async function refusalIn(response: Response): Promise<RefusedError> {
  const text = await response.text();
  return new RefusedError(response.status, readErrors(text) || `Status ${response.status}`);
}

/** The errors that the service reports. A proxy in front of it may send anything. */
function readErrors(text: string): string {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors.join('; ');
  } catch {
    return text;
  }
}

/** What the page says about the last action. */
interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

/** What the page says about the last action; `undefined` once it is read or closed. */
export const notice: Signal<Notice | undefined> = signal(undefined);

/** Milliseconds after which a notice of success goes away by itself. An error stays until it is closed. */
const noticeTime = 10_000;

/** Shows what was done. */
export function say(text: string): void {
  const said = { text, isError: false };
  notice.value = said;
  setTimeout(() => {
    if (notice.value === said) closeNotice();
  }, noticeTime);
}

/** Shows what went wrong. */
export function complain(exception: unknown): void {
  const text = exception instanceof Error ? exception.message : String(exception);
  if (notice.value?.text !== text) notice.value = { text, isError: true };
}

export function closeNotice(): void {
  notice.value = undefined;
}

/** Waits for an action, then shows its text or its error. The text is empty if the user cancelled. */
export function sayOutcome(action: Promise<string>): Promise<void> {
  return action.then(say, complain);
}

/** A notice about one view does not apply to another. */
addEventListener('hashchange', closeNotice);
