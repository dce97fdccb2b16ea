import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Mock } from '../../mock.ts';
import type { DashboardFile } from './dashboard.ts';

const contentTypes: Readonly<Record<DashboardFile, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing inline, no frame around it. */
const headers = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Answers with a file of the dashboard; the page is told where the interface lies. */
export async function answerDashboard(mock: Mock, file: DashboardFile): Promise<Response> {
  const text = await readFile(new URL(file, folder()), 'utf8');
  return new Response(file === 'index.html' ? fillIn(text, mock) : text, {
    headers: { ...headers, 'content-type': contentTypes[file] },
  });
}

/** Beside the bundle; or, when this runs from its source, where the build has put it. */
function folder(): URL {
  const beside = new URL('./dashboard/', import.meta.url);
  return existsSync(beside) ? beside : new URL('../../../dist/dashboard/', import.meta.url);
}

/** Neither value can hold a character of HTML. A key that is not open is a secret. */
function fillIn(page: string, { prefix, apiKey, openKeys }: Mock): string {
  return page.replace('{prefix}', prefix).replace('{key}', openKeys ? apiKey : '');
}
