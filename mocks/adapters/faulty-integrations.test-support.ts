import type { Page, Request as PageRequest } from 'playwright-core';
import type { Fault } from '../faults/fault.ts';
import { createMock } from '../mock.ts';
import type { IntegrationName } from './fault-support.test-support.ts';
import { mockOptions, type OpenIntegration, type Setting } from './integration.test-support.ts';
import { openPlaywright, openServerInPage, openWorker } from './open-browser.test-support.ts';
import { openServer } from './open-http.test-support.ts';
import { openMsw, openMswNext } from './open-msw.test-support.ts';

/** How each integration of the table is opened. */
const integrations: Readonly<
  Record<IntegrationName, (setting: Setting) => Promise<OpenIntegration>>
> = {
  'mock.fetch': async (setting) => ({
    origin: 'http://mock.test',
    send: createMock(mockOptions(setting)).fetch,
  }),
  'serve, to Node': openServer,
  'serve, to Chromium': openServerInPage,
  'MSW 2 in Node': openMsw,
  'MSW 3 in Node': openMswNext,
  'MSW 2 in Chromium': openWorker('msw'),
  Playwright: openPlaywright,
};

const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };

/** An integration whose world can be given faults. */
interface FaultyIntegration {
  /**
   * Says in one line what the client's `fetch` of the list of streams comes to under a fault, or what the
   * mock says where it refuses the fault.
   */
  meetFault(fault: Fault): Promise<string>;
}

/** Opens an integration to the demo world in real time. */
export async function openWithFaults(name: IntegrationName): Promise<FaultyIntegration> {
  const setting = { world: 'demo', seed: 'faults', recordingDelay: 0, clock: 'running' } as const;
  const { origin, send, page } = await integrations[name](setting);
  const url = `${origin}/api/stream`;
  return {
    async meetFault(fault) {
      const body = JSON.stringify(fault);
      const control = `${origin}/_mock/faults`;
      const response = await send(new Request(control, { method: 'POST', headers, body }));
      const { errors } = await response.json();
      if (errors !== undefined) return errors[0];
      const outcome =
        page === undefined
          ? await outcomeOf(() => send(new Request(url, { headers })))
          : await outcomeInPage(page, url);
      await send(new Request(control, { method: 'DELETE', headers }));
      return outcome;
    },
  };
}

/** Says in one line what sending a request comes to. It also runs in pages, so it uses nothing else. */
async function outcomeOf(send: () => Promise<Response>): Promise<string> {
  const describe = (error: unknown): string => {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    return `${name}: ${message}${cause?.code === undefined ? '' : ` (${cause.code})`}`;
  };
  const response = await send().catch(describe);
  if (typeof response === 'string') return response;
  if (response.type === 'error') return 'Response.error()';
  const decoder = new TextDecoder();
  let text = '';
  let pieces = 0;
  try {
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
      pieces += 1;
    }
  } catch (error) {
    return `${response.status}, then ${describe(error)}`;
  }
  try {
    JSON.parse(text);
  } catch {
    return `${response.status}, not JSON`;
  }
  return pieces > 2 ? `${response.status}, in pieces` : `${response.status}`;
}

/** The outcome of a page's `fetch`, and why the browser says that a request has failed. */
async function outcomeInPage(page: Page, url: string): Promise<string> {
  const failures: string[] = [];
  const note = (request: PageRequest): void => {
    failures.push(request.failure()?.errorText ?? '');
  };
  page.on('requestfailed', note);
  await page.evaluate(`globalThis.outcomeOf = ${outcomeOf}`);
  const outcome = await page.evaluate(
    ([address, sent]) => {
      const { outcomeOf: run } = globalThis as unknown as { outcomeOf: typeof outcomeOf };
      return run(() => fetch(address, { headers: sent }));
    },
    [url, headers] as const,
  );
  page.off('requestfailed', note);
  return failures.length === 0 ? outcome : `${outcome} (${failures.join(', ')})`;
}
