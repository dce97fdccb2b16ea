import type { MeasuredHeaders } from '../../journal/journal.ts';

/**
 * The headers of a request as Node received them: names and values in turn. To make a platform `Headers`
 * costs more than the rest of a response, and most requests are answered by two or three of them.
 */
class RawHeaders implements Pick<Headers, 'get' | 'has'>, MeasuredHeaders {
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get textLength(): number {
    return this.#raw.reduce((sum, { length }) => sum + length, 0);
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

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    const headers = new Headers();
    for (let at = 0; at < this.#raw.length; at += 2) {
      headers.append(this.#raw[at] ?? '', this.#raw[at + 1] ?? '');
    }
    return headers.entries();
  }
}

let last = { raw: [] as readonly string[], headers: new RawHeaders([]) };

/**
 * Reads headers only when they are asked for; `raw` holds names and values in turn. Most clients repeat
 * theirs: then it returns the same object, which a journal keeps in memory once.
 */
export function readRawHeaders(raw: readonly string[]): Headers {
  const repeats =
    raw.length === last.raw.length && raw.every((text, index) => text === last.raw[index]);
  if (!repeats) last = { raw, headers: new RawHeaders(raw) };
  return last.headers as unknown as Headers;
}
