import * as z from 'zod';
import { httpMethods } from '../../interface/dialect/behaviours.ts';
import { isAtOrigin, routePath, type StaticRoute } from '../../interface/dialect/dialect.ts';
import type { Json } from '../../interface/json.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { parseReviewed } from '../../text/reviewed-file.ts';
import { isSampleWord } from '../word-samples.ts';
import { isPlaceholder } from './probing/made.ts';

/** A route to ask for, which is not part of the interface. */
export interface RequestedRoute extends Pick<StaticRoute, 'method' | 'path'> {
  /** A path as a client requested it, with its ids and its query. */
  readonly sample?: string | undefined;
  /** A path in which placeholders name what the run makes, such as `{playbackId}`, with its query. */
  readonly template?: string | undefined;
  /** The body to send with a writing method: only a line written by the user has one other than `{}`. */
  readonly body?: Json | undefined;
}

/** The routes of the interface: other parts of a dialect say what happens there. */
const interfaceRoutes = new Set(
  Object.values(interfaceOperations).flatMap(({ method, path }) =>
    [method, 'HEAD', 'OPTIONS'].map((verb) => `${verb} ${path.replace(/\{\w+\}/g, '{id}')}`),
  ),
);

/**
 * Reads routes from lines such as `GET /user/me` or `GET !/healthz`, an OpenAPI document or a HAR, without those of the
 * interface.
 * @throws TypeError, in one sentence, for anything else
 */
export function parseRoutes(text: string, baseUrl: string): RequestedRoute[] {
  const base = new URL(baseUrl.replace(/\/+$/, ''));
  const requested = /^\s*[[{]/.test(text) ? routesInJson(text, base) : routesInLines(text, base);
  const routes = new Map<string, RequestedRoute>();
  for (const route of requested) {
    const name = `${route.method} ${route.path}`;
    if (!interfaceRoutes.has(name) && !routes.has(name)) routes.set(name, route);
  }
  if (routes.size > 0) return [...routes.values()];
  throw new TypeError('expected a route that is not part of the interface, got none');
}

function routesInLines(text: string, base: URL): RequestedRoute[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return [];
    const [, method = '', address = '', json = '{}'] =
      /^(\w+)\s+(!?\/\S*|https?:\/\/\S+)(?:\s+(.+))?$/i.exec(line) ?? [];
    const refusal = (expected: string) =>
      new TypeError(`line ${index + 1}: expected ${expected}, got ${JSON.stringify(line)}`);
    const body = parseJson(json);
    const path = pathOf(address, base);
    if (path === undefined) throw refusal(`an address of ${base.origin}`);
    const prefixes = [pathPrefix(base)];
    const route = body === undefined ? undefined : routeOfRequest(method, path, prefixes, body);
    if (route !== undefined) return [route];
    const isWrite = path.startsWith('!') && !/^get$/i.test(method);
    throw refusal(
      isWrite
        ? 'GET for a path outside the base URL'
        : 'a line such as GET /user/me or GET !/healthz, or an OpenAPI document or a HAR as JSON',
    );
  });
}

/** The path in a line, from the origin after `!`; `undefined` for an address of another origin. */
function pathOf(address: string, base: URL): string | undefined {
  const [, origin, path = '/'] = /^(https?:\/\/[^/?#]*)([/?].*)?$/i.exec(address) ?? [];
  if (origin === undefined) return address;
  if (!URL.canParse(origin) || new URL(origin).origin !== base.origin) return undefined;
  return pathPrefix(base) === '' ? path : `!${path}`;
}

/** `undefined` for a text that is not JSON. */
function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The words that an OpenAPI document lists as the only values of something; none for any other text.
 * @throws TypeError, in one sentence, for JSON that is broken
 */
export function documentedWords(text: string): string[] {
  if (!/^\s*\{/.test(text)) return [];
  const { paths, log: _, ...more } = parseReviewed(text, documentSchema, 'nothing');
  return paths === undefined ? [] : [...new Set(valuesListedIn({ paths, ...more }))].sort();
}

/** How many levels of a document are read. */
const documentLevels = 40;

function valuesListedIn(json: unknown, levels: number = documentLevels): string[] {
  if (levels === 0 || typeof json !== 'object' || json === null) return [];
  const { enum: listed, const: only }: { enum?: unknown; const?: unknown } = json;
  const values: unknown[] = [...(Array.isArray(listed) ? listed : []), only];
  const inside = Object.values(json).flatMap((value) => valuesListedIn(value, levels - 1));
  return [...values.filter(isSampleWord), ...inside];
}

const string = z.string('a string');
const harEntrySchema = z.looseObject(
  {
    request: z.looseObject({ method: string, url: z.url('an address') }),
    _livestream: z.looseObject({ operation: string.exactOptional() }).exactOptional(),
  },
  'an object',
);
const documentSchema = z.looseObject({
  paths: z.record(string, z.looseObject({})).exactOptional(),
  log: z.looseObject({ entries: z.array(harEntrySchema, 'an array') }).exactOptional(),
});

function routesInJson(file: string, base: URL): RequestedRoute[] {
  // The archive of a browser holds the keys that it sent.
  const { paths, log } = parseReviewed(file, documentSchema, 'nothing');
  if (log !== undefined) return log.entries.flatMap((entry) => readEntry(entry, base));
  if (paths === undefined) {
    throw new TypeError('expected an OpenAPI document or a HAR, got other JSON');
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => routeOfRequest(method, path, [pathPrefix(base)]) ?? []),
  );
}

/** The route of a request to the service or to the mock that exported the HAR; none for any other request. */
function readEntry({ request, _livestream: mocked }: z.infer<typeof harEntrySchema>, base: URL) {
  const { method } = request;
  const { href, pathname, search } = new URL(request.url);
  const baseUrl = `${base.origin}${pathPrefix(base)}/`;
  const isOwn = mocked === undefined ? href.startsWith(baseUrl) : mocked.operation === undefined;
  // A browser sends OPTIONS by itself, and the behaviours of CORS describe the response.
  if (!isOwn || method === 'OPTIONS') return [];
  const prefixes = [pathPrefix(base), ...(mocked === undefined ? [] : [mockPrefix])];
  const isBelow = prefixes.some((prefix) => pathname.startsWith(`${prefix}/`));
  const address = `${isBelow ? '' : '!'}${pathname}${search}`;
  return routeOfRequest(method, address, prefixes) ?? [];
}

/**
 * The route of a request; `undefined` if a dialect cannot express it.
 * @param prefixes what may stand before the path of a route; the longest one that fits is removed
 */
function routeOfRequest(
  methodName: string,
  address: string,
  prefixes: readonly string[],
  body: Json = {},
): RequestedRoute | undefined {
  const sample = withoutPrefix(address, prefixes);
  const mark = sample.startsWith('!') ? '!' : '';
  const pathname = sample.slice(mark.length).replace(/[?#].*/, '');
  const segments = pathname.split('/').filter(Boolean);
  const names = segments.map((segment) =>
    isName.test(segment) && !looksLikeId.test(segment) ? segment : '{id}',
  );
  const path = `${mark}/${names.join('/')}`;
  const method = httpMethods.find((known) => known === methodName.toUpperCase());
  if (method === undefined || !routePath.test(path) || leadsElsewhere.test(pathname)) {
    return undefined;
  }
  if (isAtOrigin({ path }) && method !== 'GET') return undefined;
  const template = sample.replaceAll(/\{(\w+)\}/g, (placeholder, name) =>
    isPlaceholder(name) ? placeholder : '{id}',
  );
  const isSample = sample !== path && !/[{}]/.test(sample);
  const isTemplate = !isSample && template !== path && /^[^{}]*(\{\w+\}[^{}]*)+$/.test(template);
  return {
    method,
    path,
    sample: isSample ? sample : undefined,
    template: isTemplate ? template : undefined,
    body,
  };
}

/** A path below the base URL, without what comes before it. A path from the origin may be below, too. */
function withoutPrefix(address: string, prefixes: readonly string[]): string {
  const fromOrigin = address.replace(/^!/, '');
  const fitting = prefixes.filter((prefix) => fromOrigin.startsWith(`${prefix}/`));
  const length = Math.max(0, ...fitting.map((prefix) => prefix.length));
  return length === 0 ? address : fromOrigin.slice(length);
}

/** The path of the base URL. */
function pathPrefix(base: URL): string {
  return base.pathname.replace(/\/$/, '');
}

/** The default prefix of a mock. */
const mockPrefix = '/api';

/** A segment that a URL resolves away, so that the path would be another one. */
const leadsElsewhere = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** A path segment that may be a name. */
const isName = /^[\w.~:@-]+$/;

/** A number, or a text that looks like an id: long, and with digits. */
const looksLikeId = /^\d+$|^(?=.*\d)[\w-]{8,}$/;
