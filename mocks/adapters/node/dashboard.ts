import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describeBreaches } from '../../../interface/dialect/breaches.ts';
import { pathsAtOrigin } from '../../../interface/dialect/dialect.ts';
import type { Responder } from '../../http/app.ts';
import { requestPath } from '../../messages/request-path.ts';
import type { Mock } from '../../mock.ts';
import { readVariants } from '../../variants/read-variants.ts';

/** The file that is served at the root. */
const pageFile = 'index.html';

/** The type of each file. The first playback loads `hls.js`. */
const contentTypes: Readonly<Record<string, string>> = {
  [pageFile]: 'text/html; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'hls.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/**
 * The content security policy: nothing from other origins, nothing inline, and no frame around the page. If media has
 * its own origin, it may come from any: behind a balancer, the world may be in another replica than the one that sent
 * the page.
 */
function policyOf({ mediaOrigin }: Mock): string {
  const media = mediaOrigin === undefined ? "'self'" : "'self' http: https:";
  return `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${media}; img-src 'self'; media-src ${media} blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const pageHeaders = {
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/**
 * Answers requests for the dashboard's files, and passes all others to the mock. If its dialect says what is at the root,
 * only a browser that opens it sees the dashboard.
 */
export function withDashboard(mock: Mock, respond: Responder): Responder {
  const hasRoot = pathsAtOrigin(mock.dialect).includes('/');
  return (request) => {
    const file = requestedFile(request);
    const isOfDialect = file === pageFile && hasRoot && !wantsPage(request);
    return file === undefined || isOfDialect ? respond(request) : answerFile(file, mock);
  };
}

function wantsPage({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') ?? false;
}

function requestedFile(request: Request): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const path = requestPath(request);
  if (path === '/') return pageFile;
  return Object.keys(contentTypes).find((name) => path === `/_mock/dashboard/${name}`);
}

async function answerFile(file: string, mock: Mock): Promise<Response> {
  const text = await readFile(new URL(file, fileFolder()), 'utf8');
  return new Response(file === pageFile ? await fillIn(text, mock) : text, {
    headers: {
      ...pageHeaders,
      'content-security-policy': policyOf(mock),
      'content-type': contentTypes[file] ?? '',
    },
  });
}

/** The folder of the files: beside the bundle, or where the build puts it if this runs from source. */
function fileFolder(): URL {
  const bundled = new URL('./dashboard/', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('../../../dist/dashboard/', import.meta.url);
}

/** Tells the page the prefix, the key unless it is a secret, the variants and the dialect. */
async function fillIn(html: string, mock: Mock): Promise<string> {
  const { prefix, apiKey, openKeys, dialect } = mock;
  const name = dialect === undefined ? '' : (dialect.name ?? 'without a name');
  const brokenRules = dialect === undefined ? [] : describeBreaches(dialect);
  const variants = await describeVariantsOf(mock);
  const settings = {
    prefix,
    openKey: openKeys ? apiKey : '',
    variants,
    dialect: name,
    brokenRules,
  };
  const json = JSON.stringify(settings).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  return html.replace('{settings}', () => json);
}

/** What the variants of a mock do, in a line for each. */
async function describeVariantsOf({ variant }: Mock): Promise<string[]> {
  if (variant === undefined) return [];
  const { describeVariants } = await import('../../variants/running/combine.ts');
  return describeVariants(readVariants(variant));
}
