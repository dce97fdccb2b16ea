import * as z from 'zod';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { millisecondsSchema } from '../../interface/schemas.ts';
import type { Exchange } from './exchange.ts';
import { hiddenKey } from './hide-secrets.ts';

/** What HTTP allows as a method, and as the name of a header. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** What `Headers` allow as the value of a header: characters that are one byte each. */
const headerValue = /^[^\0\r\n\u{100}-\u{10ffff}]*$/u;

const text = z.string('a string');
const method = z.string('a string').regex(token, 'an HTTP method');
const url = z.string('a string').refine(isWebUrl, 'an http or https URL');
const headers = z.record(
  z.string().regex(token),
  z.string('a string').regex(headerValue, 'the value of an HTTP header'),
  {
    error: ({ code }) =>
      code === 'invalid_key' ? 'the name of an HTTP header' : 'an object of texts',
  },
);
const whole = z.int('a whole number');

/** Schema of {@link Exchange}. */
export const exchangeSchema: z.ZodType<Exchange> = strictly({
  number: whole,
  startedAt: millisecondsSchema,
  at: millisecondsSchema,
  operation: z
    .enum(clientOperationNames, `one of ${clientOperationNames.join(', ')}`)
    .exactOptional(),
  fault: whole.exactOptional(),
  static: z.literal(true, 'true').exactOptional(),
  request: strictly({ method, url, headers, body: text.exactOptional() }),
  answer: strictly({ status: whole, headers, body: text.exactOptional() }),
});

/** The hidden key may stand where the host was, and its brackets make a host invalid. */
function isWebUrl(url: string): boolean {
  const shown = url.replaceAll(hiddenKey, 'key');
  return URL.canParse(shown) && /^https?:$/.test(new URL(shown).protocol);
}

function strictly<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `no keys but ${keys}` : `an object with the keys ${keys}`,
  });
}
