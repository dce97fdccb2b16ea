import type { MeasuredHeaders } from '../../journal/size.ts';

/**
 * The headers of a request as Node received them: names and values in turn. To make a platform `Headers`,
 * and to keep it in a journal, costs more than the rest of a response. A class with one field is small.
 */
class RawHeaders
  implements Pick<Headers, 'get' | 'has' | 'entries' | 'keys' | 'values'>, MeasuredHeaders
{
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get textLength(): number {
    let length = 0;
    for (const text of this.#raw) length += text.length;
    return length;
  }

  get(name: string): string | null {
    const raw = this.#raw;
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (let at = 0; at < raw.length; at += 2) {
      if (raw[at]?.length !== wanted.length || raw[at]?.toLowerCase() !== wanted) continue;
      found = found === null ? (raw[at + 1] ?? '') : `${found}, ${raw[at + 1]}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  entries(): HeadersIterator<[string, string]> {
    return this.#whole().entries();
  }

  keys(): HeadersIterator<string> {
    return this.#whole().keys();
  }

  values(): HeadersIterator<string> {
    return this.#whole().values();
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void): void {
    const whole = this.#whole();
    whole.forEach(visit);
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  #whole(): Headers {
    const raw = this.#raw;
    return new Headers(
      Array.from({ length: raw.length / 2 }, (_, index): [string, string] => [
        raw[2 * index] ?? '',
        raw[2 * index + 1] ?? '',
      ]),
    );
  }
}

/** Reads headers only when they are asked for; `raw` holds names and values in turn. */
export function readRawHeaders(raw: readonly string[]): Headers {
  return new RawHeaders(raw) as unknown as Headers;
}

/**
 * Makes a function that reads the headers of one request after another. Clients tend to repeat their
 * headers: then it returns the same object, so that a journal keeps them in memory once.
 */
export function createHeaderReader(): typeof readRawHeaders {
  let last: readonly string[] = [];
  let headers = readRawHeaders(last);
  return (raw) => {
    if (repeats(raw, last)) return headers;
    last = raw;
    headers = readRawHeaders(raw);
    return headers;
  };
}

function repeats(raw: readonly string[], last: readonly string[]): boolean {
  if (raw.length !== last.length) return false;
  for (let at = 0; at < raw.length; at += 1) if (raw[at] !== last[at]) return false;
  return true;
}
