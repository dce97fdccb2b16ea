/**
 * The headers of a request as Node has received them: names and values in turn. A `Headers` of the
 * platform costs more to make, and to keep in a journal, than the whole answer.
 */
export function readRawHeaders(raw: readonly string[]): Headers {
  const get = (name: string): string | null => {
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (let at = 0; at < raw.length; at += 2) {
      if (raw[at]?.length !== wanted.length || raw[at]?.toLowerCase() !== wanted) continue;
      found = found === null ? (raw[at + 1] ?? '') : `${found}, ${raw[at + 1]}`;
    }
    return found;
  };
  const all = (): Headers => new Headers(pairsOf(raw));
  const readers: Pick<Headers, 'get' | 'has' | 'entries' | 'keys' | 'values' | 'forEach'> &
    Iterable<[string, string]> = {
    get,
    has: (name) => get(name) !== null,
    entries: () => all().entries(),
    keys: () => all().keys(),
    values: () => all().values(),
    forEach: (visit) => all().forEach(visit),
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  };
  return readers as Headers;
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ]);
}
