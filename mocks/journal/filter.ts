import { clientOperationNames, isInterfaceOperation } from '../../interface/operation-names.ts';
import type { QueryParameter } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { Exchange } from './exchange.ts';

/** A query parameter that selects exchanges. */
interface Filter {
  /** What the parameter must be, for OpenAPI and for errors. */
  readonly description: string;
  readonly pattern: RegExp;
  /** Whether a parameter that matches the pattern selects an exchange. */
  readonly selects: (exchange: Exchange, wanted: string) => boolean;
}

const exchangeFilters: Readonly<Record<string, Filter>> = {
  operation: {
    description: `one of ${clientOperationNames.join(', ')}`,
    pattern: new RegExp(`^(${clientOperationNames.join('|')})$`),
    selects: ({ operation }, wanted) => operation === wanted,
  },
  status: {
    description: 'a status such as 404, or a class such as 4xx',
    pattern: /^(0|[1-5](\d\d|xx))$/i,
    selects: ({ response }, wanted) => {
      const status = String(response.status);
      return /x/i.test(wanted) ? status[0] === wanted[0] : status === wanted;
    },
  },
  media: {
    description: '0, to leave out what players fetch',
    pattern: /^0$/,
    selects: (exchange) => !isMedia(exchange),
  },
  fault: {
    description: 'the id of a fault that matched, or any',
    pattern: /^(any|\d{1,15})$/,
    selects: ({ fault }, wanted) =>
      fault !== undefined && (wanted === 'any' || String(fault) === wanted),
  },
  search: {
    description: 'a string in the path, query or bodies, in any letter case',
    pattern: /^/,
    selects: ({ request, response }, wanted) =>
      [pathAndQuery(request.url), request.body, response.body].some((text) =>
        text?.toLowerCase().includes(wanted.toLowerCase()),
      ),
  },
  from: {
    description: 'the number of the first exchange',
    pattern: /^\d{1,15}$/,
    selects: ({ number }, wanted) => number >= Number(wanted),
  },
};

/** The query parameters that select exchanges of a journal. */
export const exchangeQuery: readonly QueryParameter[] = Object.entries(exchangeFilters).map(
  ([name, { description, pattern }]) => ({
    name,
    description,
    schema: { type: 'string', pattern: pattern.source },
  }),
);

/**
 * The exchanges that a query selects.
 * @throws Problem 422 for a parameter that is unknown, does not match its pattern, or is given twice.
 */
export function filterExchanges(
  exchanges: readonly Exchange[],
  query: URLSearchParams,
): readonly Exchange[] {
  let selected = exchanges;
  const names = new Set<string>();
  for (const [name, wanted] of query) {
    const filter = Object.hasOwn(exchangeFilters, name) ? exchangeFilters[name] : undefined;
    if (filter === undefined) {
      const expected = `no parameters but ${Object.keys(exchangeFilters).join(', ')}`;
      throw new Problem('invalid', { path: 'query', expected, got: describeValue(name) });
    }
    if (names.has(name)) {
      throw new Problem('invalid', { path: `query ${name}`, expected: 'one value', got: 'more' });
    }
    names.add(name);
    const { pattern, description: expected, selects } = filter;
    if (!pattern.test(wanted)) {
      throw new Problem('invalid', { path: `query ${name}`, expected, got: describeValue(wanted) });
    }
    selected = selected.filter((exchange) => selects(exchange, wanted));
  }
  return selected;
}

/** Whether a player fetched media. */
export function isMedia({ operation }: Exchange): boolean {
  return operation !== undefined && !isInterfaceOperation(operation);
}

/** The path and query of a URL; the text itself if it is no URL, for example because a key in it is hidden. */
export function pathAndQuery(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
