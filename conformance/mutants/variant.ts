import type { Dialect } from '../../interface/dialect.ts';
import type { World } from '../../mocks/service/world-handle.ts';
import { type Fetch, file } from './rewrite.ts';

/** A mock that behaves differently from ours, and still conforms to the interface. */
export type Variant = VariantFacts & (DialectVariant | OtherVariant);

interface VariantFacts {
  /** What is different about it, in a sentence. */
  readonly description: string;
  /** Prepares a stream with recorded sessions for the suite, which then does not go live itself. */
  readonly prepare?: (world: World) => Promise<string>;
  /** Requirements that must end as blocked, so that the verdict is incomplete. */
  readonly open?: readonly string[];
  /** Requirements of level should that it does not satisfy. */
  readonly misses?: readonly string[];
}

/** A variant that a dialect describes. */
interface DialectVariant {
  readonly dialect: Omit<Dialect, 'dialect'>;
}

/** A variant that no dialect can describe. */
interface OtherVariant {
  /** Why not, in a sentence. */
  readonly inexpressible: string;
  /** Changes a mock, with state of its own. */
  readonly make?: (next: Fetch) => Fetch;
  /** Serves it over HTTP; by default the suite calls it in this process. */
  readonly serve?: (fetch: Fetch) => Promise<Served>;
}

/** Variants that all are inexpressible for one reason. */
export function inexpressible(
  reason: string,
  variants: Readonly<Record<string, VariantFacts & Omit<OtherVariant, 'inexpressible'>>>,
): Readonly<Record<string, Variant>> {
  const entries = Object.entries(variants);
  return Object.fromEntries(
    entries.map(([name, variant]) => [name, { ...variant, inexpressible: reason }]),
  );
}

/** A variant that is served over HTTP. */
export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

/** Changes every response to requests whose method and path match. */
export function onRequests(
  pattern: RegExp,
  change: (response: Response, request: Request) => Response | Promise<Response>,
): (next: Fetch) => Fetch {
  return (next) => async (request) => {
    const response = await next(request.clone());
    return pattern.test(describe(request)) ? change(response, request) : response;
  };
}

/** Handles requests whose method and path match, instead of the mock. */
export function instead(
  pattern: RegExp,
  handle: (request: Request, next: Fetch) => Response | Promise<Response>,
): (next: Fetch) => Fetch {
  return (next) => (request) =>
    pattern.test(describe(request)) ? Promise.resolve(handle(request, next)) : next(request);
}

/** Changes every JSON object in every successful response, inner objects first. */
export function everyObject(
  change: (object: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): (next: Fetch) => Fetch {
  return everyJson((value) =>
    JSON.parse(JSON.stringify(value), (_, item) =>
      typeof item === 'object' && item !== null && !Array.isArray(item) ? change(item) : item,
    ),
  );
}

/** Changes the JSON of every successful response; `indent` prints it over several lines. */
export function everyJson(
  change: (value: unknown) => unknown,
  { indent = 0, type }: { indent?: number; type?: string } = {},
): (next: Fetch) => Fetch {
  return onRequests(/^(?!HEAD)/, async (response) => {
    if (!response.ok || !isJson(response)) return response;
    const text = JSON.stringify(change(await response.json()), null, indent);
    return withText(response, text, type);
  });
}

/** Changes the playlists of recordings. */
export function everyPlaylist(
  change: (text: string, request: Request) => string,
): (next: Fetch) => Fetch {
  return onRequests(/^GET \/recordings\/.*\.m3u8$/, async (response, request) =>
    response.ok ? withText(response, change(await response.text(), request)) : response,
  );
}

/** Applies changes one after the other; the last one is nearest to the client. */
export function chain(...changes: readonly ((next: Fetch) => Fetch)[]): (next: Fetch) => Fetch {
  return (next) => changes.reduce((inner, change) => change(inner), next);
}

/** A response with the same status and headers, and another body. */
export function withText(response: Response, text: string, type?: string): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  if (type !== undefined) headers.set('content-type', type);
  return new Response(text, { status: response.status, headers });
}

/** A file of `length` bytes that differ for every address, in packets of MPEG-TS. */
export function mediaFile({ url }: Request, length: number): Response {
  const letters = new TextEncoder().encode(new URL(url).pathname);
  const bytes = Uint8Array.from({ length }, (_, index) =>
    index % 188 === 0 ? 0x47 : (letters[index % letters.length] ?? 0),
  );
  return file(bytes, 'video/mp2t');
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}

/** Method and path, such as `GET /api/stream`. */
function describe({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname}`;
}
