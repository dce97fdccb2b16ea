import { type Signal, signal } from '@preact/signals';
import { testerHeader } from '../../messages/tester.ts';
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

/** One thing that is wrong with a request. */
interface Issue {
  /** The field it is about, such as `advance`; empty if it is about no field. */
  readonly field: string;
  readonly sentence: string;
}

/** The service refused a request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor(status: number, issues: readonly Issue[]) {
    super(issues.map(({ sentence }) => sentence).join(' '));
    this.status = status;
    this.issues = issues;
  }
}

async function readRefusal(response: Response): Promise<RefusedError> {
  const text = await response.text();
  const fallback = `The server answered ${response.status} ${response.statusText}`.trim();
  return new RefusedError(response.status, readErrors(text, fallback).map(readIssue));
}

function readErrors(text: string, fallback: string): readonly string[] {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors;
  } catch {
    return [text || fallback];
  }
}

/** Reads an error such as `advance: expected a duration, got "soon"`. */
function readIssue(message: string): Issue {
  const [, path = '', rest = message] = /^([\w[\]. -]+): (.+)$/s.exec(message) ?? [];
  const plain = rest
    .replace(/^expected (.+), got nothing/s, 'This must be $1')
    .replace(/^expected (.+), got (.+)/s, 'This must be $1, not $2');
  const sentence = `${plain[0]?.toUpperCase()}${plain.slice(1)}`.replace(/[^.!?]$/, '$&.');
  return { field: path.split(/[ .]/).at(-1) ?? '', sentence };
}

/** What the status bar says. */
interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

export const notice: Signal<Notice | undefined> = signal(undefined);

/** Says what was done. */
export function say(text: string): void {
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
