import { type Signal, signal } from '@preact/signals';
import { testerHeader } from '../../http/context.ts';
import { keptKey } from './page.ts';

/** The world on show. Another key is kept and the page loaded again, so nothing of the first world stays. */
export const api = {
  apiKey: keptKey(),
  /**
   * Sends a request such as `POST /_mock/reset` and reads the JSON of the response. Paths are from the origin.
   * @throws RefusedError when the service refuses
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
    const sent = body instanceof Blob ? body : JSON.stringify(body);
    const init = { method, headers, body: sent ?? null };
    const response = await fetch(path, init).catch((error: Error) => {
      throw new Error(`The server does not respond: ${error.message}.`);
    });
    if (!response.ok) throw await readRefusal(response);
    return response;
  },
};

/** Sends a request to the world; resolves to what is then said. */
export async function act(request: string, said: string, body?: unknown): Promise<string> {
  await api.call(request, body);
  return said;
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

async function readRefusal(response: Response): Promise<RefusedError> {
  const text = await response.text();
  return new RefusedError(response.status, readErrors(text) || `Status ${response.status}`);
}

/** What the service says is wrong; a proxy before it may send anything. */
function readErrors(text: string): string {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors.join('; ');
  } catch {
    return text;
  }
}

/** What the status bar says. */
interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

export const notice: Signal<Notice | undefined> = signal(undefined);

/** Says what was done. */
function say(text: string): void {
  notice.value = { text, isError: false };
}

/** Says what went wrong. */
export function complain(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (notice.value?.text !== text) notice.value = { text, isError: true };
}

/** Waits for an action, then says its text or its error. The text is empty where the user has cancelled it. */
export function sayOutcome(action: Promise<string>): Promise<void> {
  return action.then(say, complain);
}

/** What was said of one view is over in another. */
addEventListener('hashchange', () => {
  notice.value = undefined;
});
