import { optionError } from '../../text/option-error.ts';
import { shortestKey } from '../../text/redact.ts';

/** Headers that a user adds to requests, such as those that a gateway in front of the target wants. */
export interface ExtraHeaders {
  /** Allows them to be sent to the origin of an address. */
  readonly addOrigin: (address: string) => void;
  /** The headers for a request to an address: none if its origin is not one of those that may get them. */
  readonly to: (address: string) => Readonly<Record<string, string>>;
}

/** Headers that the tools set themselves, or that belong to a connection. */
const ownHeaders = [
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'origin',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'accept-encoding',
] as const;

/**
 * Reads headers by their names.
 * @throws TypeError, in one sentence, for a name or value that cannot be sent, and for a header that the tools own. It
 *   never quotes a value, which may be a secret.
 */
export function readExtraHeaders(headers: Readonly<Record<string, string>> = {}): ExtraHeaders {
  const sent = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lowerName = readName(name);
    if (sent.has(lowerName)) throw refusal(`${lowerName} once, got it several times`);
    sent.set(lowerName, readValue(lowerName, value));
  }
  const origins = new Set<string>();
  const headersOfOurOrigins = Object.fromEntries(sent);
  return {
    addOrigin: (address) => void origins.add(new URL(address).origin),
    to: (address) => (origins.has(new URL(address).origin) ? headersOfOurOrigins : {}),
  };
}

function readName(name: string): string {
  // A colon or white space in it means that the value may be part of it, so it is not quoted.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw refusal('a header such as X-Tenant: blue, got a name that no header can have');
  }
  const lowerName = name.toLowerCase();
  if (ownHeaders.some((own) => own === lowerName)) {
    const advice = lowerName === 'authorization' ? '; give the key as the API key' : '';
    throw refusal(`a header that is not sent anyway, got ${lowerName}${advice}`);
  }
  return lowerName;
}

function readValue(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[!-~]([\t -~]*[!-~])?$/.test(value)) return value;
  throw refusal(
    `a value of visible ASCII characters for ${name}, got an empty one or other characters`,
  );
}

function refusal(expected: string): Error {
  return optionError(TypeError, 'headers', `expected ${expected}`);
}

/** Shorter parts of a value may be ordinary words, such as the name of a scheme. */
const shortestPart = 8;

/**
 * What reports must not show of headers: whole values, and what may be a secret inside one, such as the token after
 * `Bearer` or the value of a cookie. Values of fewer than 6 characters are only hidden where the header itself is shown.
 */
export function headerSecrets(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.values(headers).flatMap((value) => [
    ...(value.length < shortestKey ? [] : [value]),
    ...value.split(/[\s,;=]+/).filter((part) => part.length >= shortestPart),
  ]);
}

/** Headers as evidence shows them. */
export function shownHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, `[value of ${name}]`]));
}
