import type { MeasuredHeaders } from '../../journal/journal.ts';

/**
 * The headers of a request as Node received them: names and values in turn. Making a `Headers` of the platform costs
 * more than the rest of a response, and most responses need only two or three headers.
 */
export class RawHeaders implements Pick<Headers, 'get' | 'has'>, MeasuredHeaders {
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get textLength(): number {
    return this.#raw.reduce((sum, { length }) => sum + length, 0);
  }

  get(name: string): string | null {
    const raw = this.#raw;
    const lowerName = name.toLowerCase();
    let value: string | null = null;
    for (let at = 0; at < raw.length; at += 2) {
      if (raw[at]?.length !== lowerName.length || raw[at]?.toLowerCase() !== lowerName) continue;
      value = value === null ? (raw[at + 1] ?? '') : `${value}, ${raw[at + 1]}`;
    }
    return value;
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
