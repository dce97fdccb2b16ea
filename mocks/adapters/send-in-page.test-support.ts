import type { Page } from 'playwright-core';

/** Sends a request by the `fetch` of a page, and returns the response. */
export async function sendInPage(page: Page, request: Request): Promise<Response> {
  const bytes = Buffer.from(await request.arrayBuffer());
  const { status, headers, base64 } = await page.evaluate(fetchInPage, {
    url: request.url,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    base64: bytes.length > 0 ? bytes.toString('base64') : undefined,
  });
  const body = [204, 304].includes(status) ? null : Buffer.from(base64, 'base64');
  return new Response(body, { status, headers });
}

interface PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly base64: string | undefined;
}

/** Runs in the page: its parameter and its result must be JSON. */
async function fetchInPage({ url, method, headers, base64 }: PlainRequest): Promise<PlainResponse> {
  const decode = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const response = await fetch(url, {
    method,
    headers,
    ...(base64 !== undefined && { body: decode(base64) }),
  });
  const reader = new FileReader();
  const read = new Promise((resolve) => reader.addEventListener('load', resolve));
  reader.readAsDataURL(await response.blob());
  await read;
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    base64: String(reader.result).split(',')[1] ?? '',
  };
}

interface PlainResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly base64: string;
}
