import * as z from 'zod';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import { routePath, type StaticRoute } from '../../interface/dialect.ts';
import type { Json } from '../../interface/json.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { httpMethods } from '../../interface/silent.ts';

/** A route that the interface does not have, and that is asked for. */
export interface AskedRoute extends Pick<StaticRoute, 'method' | 'path'> {
  /** A path with its ids and query, as a client has asked for it. */
  readonly sample?: string;
  /** What is sent with a method that writes; default an empty object. */
  readonly body?: Json;
}

/** A request in a file: its address is a path below the base address, or that with a path before it. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: Json | undefined;
}

/** Routes of one file. */
const mostRoutes = 500;

/**
 * Reads routes from lines such as `GET /user/me`, an OpenAPI document or a HAR; those of the interface are left out.
 * @throws TypeError, in one sentence, for anything else
 */
export function parseRoutes(text: string, baseUrl: string): AskedRoute[] {
  const base = withoutSlash(new URL(baseUrl).pathname);
  const routes = new Map<string, AskedRoute>();
  for (const request of readRequests(text, new URL(baseUrl))) {
    const route = toRoute(request, base);
    if (route === undefined || isOfInterface(route)) continue;
    const name = `${route.method} ${route.path}`;
    if (!routes.has(name)) routes.set(name, route);
  }
  if (routes.size === 0) {
    throw new TypeError('expected a route in it that the interface does not have, got none');
  }
  if (routes.size > mostRoutes) {
    throw new TypeError(`expected up to ${mostRoutes} routes, got ${routes.size}`);
  }
  return [...routes.values()];
}

function readRequests(text: string, base: URL): Request[] {
  if (!/^\s*[[{]/.test(text)) return readLines(text);
  const { paths, log } = parseReviewed(text, jsonSchema);
  if (log !== undefined) return readArchive(log.entries, base);
  if (paths === undefined) {
    throw new TypeError('expected an OpenAPI document or a HAR, got other JSON');
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((key) => ({ method: key.toUpperCase(), path })),
  );
}

function readLines(text: string): Request[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return [];
    const [, word = '', path = '', json = ''] = /^(\w+)\s+(\/\S*)\s*(.*)$/.exec(line) ?? [];
    const method = word.toUpperCase();
    const body = parseBody(json);
    if (isMethod(method) && (json === '' || body !== undefined) && !/\/\.\.?(\/|$)/.test(path)) {
      return [{ method, path, body }];
    }
    const expected = 'a line such as GET /user/me, or an OpenAPI document or a HAR as JSON';
    throw new TypeError(`line ${index + 1}: expected ${expected}, got ${JSON.stringify(line)}`);
  });
}

const text = z.string('a text');
const entrySchema = z.looseObject(
  {
    request: z.looseObject(
      {
        method: text,
        url: text,
        postData: z.looseObject({ text: text.exactOptional() }).exactOptional(),
      },
      'a request',
    ),
    response: z.looseObject({ status: z.number('a status') }, 'a response'),
    _livestream: z.looseObject({ operation: text.exactOptional() }).exactOptional(),
  },
  'an object',
);
const jsonSchema = z.looseObject(
  {
    paths: z.record(text, z.looseObject({}, 'an object'), 'an object').exactOptional(),
    log: z.looseObject({ entries: z.array(entrySchema, 'an array') }, 'an object').exactOptional(),
  },
  'an object',
);

/** The prefix of a mock, unless another one was given. */
const mockPrefix = '/api';

/** The requests to the service, or to a mock that exported them; those with a good answer first. */
function readArchive(entries: readonly z.infer<typeof entrySchema>[], base: URL): Request[] {
  const isGood = ({ response: { status } }: (typeof entries)[number]): boolean =>
    status >= 200 && status < 300;
  return [...entries.filter(isGood), ...entries.filter((entry) => !isGood(entry))].flatMap(
    ({ request: { method, url: address, postData }, _livestream: told }) => {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      const isOther =
        told === undefined ? url?.origin !== base.origin : told.operation !== undefined;
      // A browser sends OPTIONS by itself, which the behaviours of CORS tell of.
      if (url === undefined || isOther || method === 'OPTIONS') return [];
      const prefixes = [...(told === undefined ? [] : [mockPrefix]), withoutSlash(base.pathname)];
      const prefix = prefixes.find((one) => url.pathname.startsWith(`${one}/`));
      if (prefix === undefined) return [];
      const path = url.pathname.slice(prefix.length) + url.search;
      return [{ method, path, body: parseBody(postData?.text ?? '') }];
    },
  );
}

function parseBody(body: string): Json | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The route of a request; `undefined` for one that no dialect can have. */
function toRoute({ method, path: address, body }: Request, base: string): AskedRoute | undefined {
  const below = address.startsWith(`${base}/`) ? address.slice(base.length) : address;
  const [asked = ''] = below.split('?');
  const parts = asked.split('/').filter((part) => part !== '');
  const path = parts.map((part) => `/${isName(part) ? part : '{id}'}`).join('');
  if (!isMethod(method) || !routePath.test(path)) return undefined;
  return {
    method,
    path,
    ...(below !== path && !/[{}]/.test(below) && withoutSlash(below) !== path && { sample: below }),
    ...(body !== undefined && { body }),
  };
}

/** Whether a part of a path is a name, and no id or parameter. */
function isName(part: string): boolean {
  return /^[\w.~:@-]+$/.test(part) && !isId(part);
}

/** Whether a text is a number or looks like an id: it is long and has digits in it. */
export function isId(text: string): boolean {
  return /^\d+$|^(?=.*\d)[\w-]{8,}$/.test(text);
}

function isMethod(text: string): text is StaticRoute['method'] {
  return (httpMethods as readonly string[]).includes(text);
}

/** Whether the interface has a route: a dialect says it elsewhere. */
function isOfInterface({ method, path }: AskedRoute): boolean {
  const parts = path.split('/');
  return Object.values(interfaceOperations).some((operation) => {
    const own = operation.path.split('/');
    const isThere = own.every((part, index) => part.startsWith('{') || part === parts[index]);
    const isIts = method === operation.method || method === 'OPTIONS';
    const isHead = method === 'HEAD' && operation.method === 'GET';
    return own.length === parts.length && isThere && (isIts || isHead);
  });
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
