import * as z from 'zod';
import { type ClientOperation, clientOperationNames } from '../../interface/operation-names.ts';
import { exactly, millisecondsSchema } from '../../interface/schemas.ts';
import { hiddenKey } from '../../text/redact.ts';

/** The form of an HTTP method, and of a header's name. */
const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** The form of a header's value in `Headers`: characters of one byte each. */
const headerValuePattern = /^[^\0\r\n\u{100}-\u{10ffff}]*$/u;

const httpMethodSchema = z.string('a string').regex(tokenPattern, 'an HTTP method');
const webUrlSchema = z.string('a string').refine(isWebUrl, 'an http or https URL');
const headersSchema = z.record(
  z.string().regex(tokenPattern),
  z.string('a string').regex(headerValuePattern, 'the value of an HTTP header'),
  {
    error: ({ code }) =>
      code === 'invalid_key' ? 'the name of an HTTP header' : 'an object of strings',
  },
);
const messageShape = { headers: headersSchema, body: z.string('a string').exactOptional() };
const wholeNumberSchema = z.int('a whole number');

/** One request and its response in a world's journal. API keys are replaced. */
export interface Exchange {
  /** Its number in its world, from 1. */
  number: number;
  /** When the request's key was known: milliseconds since 1970 on the world's clock. */
  startedAt: number;
  /** When the response was made, on the same clock. */
  at: number;
  /** The operation or media route; absent if the route is unknown. */
  operation?: ClientOperation;
  /** The id of the fault that matched it, if one did. */
  fault?: number;
  /** Whether a static route of the dialect answered it. */
  static?: true;
  /** The body is absent if there was none, it was not read, or it is not UTF-8. */
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  /**
   * The response. Its status is 0 if a fault broke the connection, or if the client went away during a delay.
   * Its body is absent for media, and if a fault cut it off or slowed it down.
   */
  response: { status: number; headers: Record<string, string>; body?: string };
}

/**
 * Schema of {@link Exchange}. That type is written by hand, because the types of Zod do not compile once they are
 * bundled into the package's declarations.
 */
export const exchangeSchema: z.ZodType<Exchange> = exactly({
  number: wholeNumberSchema,
  startedAt: millisecondsSchema,
  at: millisecondsSchema,
  operation: z
    .enum(clientOperationNames, `one of ${clientOperationNames.join(', ')}`)
    .exactOptional(),
  fault: wholeNumberSchema.exactOptional(),
  static: z.literal(true, 'true').exactOptional(),
  request: exactly({ method: httpMethodSchema, url: webUrlSchema, ...messageShape }),
  response: exactly({ status: wholeNumberSchema, ...messageShape }),
});

/** What replaces an API key in a URL that must be valid. */
export const hiddenKeyInUrl = 'hidden-API-key';

/** A URL of the journal, as a valid one: the text that hides a key has brackets, and may stand where the host was. */
export function parseableUrl(url: string): string {
  return url.replaceAll(hiddenKey, hiddenKeyInUrl);
}

function isWebUrl(url: string): boolean {
  const parseable = parseableUrl(url);
  return URL.canParse(parseable) && /^https?:$/.test(new URL(parseable).protocol);
}
