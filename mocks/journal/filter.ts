import { clientOperationNames, mediaRouteNames } from '../../interface/operation-names.ts';
import type { QueryParameter } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { Exchange } from './exchange.ts';

/** A query parameter that selects exchanges. */
interface Filter {
  readonly description: string;
  readonly schema: object;
  readonly pattern: RegExp;
  /** What the parameter must be, as an error says it. */
  readonly expected: string;
  /** Whether an exchange is selected by a parameter of this pattern. */
  readonly selects: (exchange: Exchange, given: string) => boolean;
}

const mediaRoutes: ReadonlySet<string> = new Set(mediaRouteNames);

const filters: Readonly<Record<string, Filter>> = {
  operation: {
    description: 'Only this operation or media route',
    schema: { type: 'string', enum: clientOperationNames },
    pattern: new RegExp(`^(${clientOperationNames.join('|')})$`),
    expected: `one of ${clientOperationNames.join(', ')}`,
    selects: ({ operation }, given) => operation === given,
  },
  status: {
    description: 'Only responses of this status, or of its class such as 4xx',
    schema: { type: 'string', examples: ['404', '4xx'] },
    pattern: /^(0|[1-5](\d\d|xx))$/i,
    expected: 'a status such as 404, or a class such as 4xx',
    selects: ({ answer }, given) =>
      String(answer.status) === given ||
      (/x/i.test(given) && Math.floor(answer.status / 100) === Number(given[0])),
  },
  media: {
    description: '0: without what players fetch',
    schema: { type: 'string', enum: ['0'] },
    pattern: /^0$/,
    expected: '0, to leave it out',
    selects: (exchange) => !isMedia(exchange),
  },
  fault: {
    description: 'Only requests that matched a fault: any, or the one of this id',
    schema: { type: 'string', examples: ['any', '1'] },
    pattern: /^(any|\d{1,15})$/,
    expected: 'any, or the id of a fault',
    selects: ({ fault }, given) =>
      fault !== undefined && (given === 'any' || String(fault) === given),
  },
  search: {
    description: 'Only exchanges with this text in their path, query or bodies, in any letter case',
    schema: { type: 'string' },
    pattern: /^/,
    expected: 'a text',
    selects: ({ request, answer }, given) =>
      [pathAndQuery(request.url), request.body, answer.body].some((text) =>
        text?.toLowerCase().includes(given.toLowerCase()),
      ),
  },
  from: {
    description: 'Only from the exchange of this number on',
    schema: { type: 'integer' },
    pattern: /^\d{1,15}$/,
    expected: 'the number of an exchange',
    selects: ({ number }, given) => number >= Number(given),
  },
};

/** The query parameters that select exchanges of a journal. */
export const exchangeQuery: readonly QueryParameter[] = Object.entries(filters).map(
  ([name, { description, schema }]) => ({ name, description, schema }),
);

/**
 * The exchanges that a query selects.
 * @throws Problem 422 for a parameter that is not of its form.
 */
export function filterExchanges(
  exchanges: readonly Exchange[],
  query: URLSearchParams,
): readonly Exchange[] {
  let selected = exchanges;
  for (const [name, { pattern, expected, selects }] of Object.entries(filters)) {
    const given = query.get(name);
    if (given === null) continue;
    if (!pattern.test(given)) {
      throw new Problem('invalid', { path: `query ${name}`, expected, got: describeValue(given) });
    }
    selected = selected.filter((exchange) => selects(exchange, given));
  }
  return selected;
}

/** Whether a player fetched media. */
export function isMedia({ operation }: Exchange): boolean {
  return operation !== undefined && mediaRoutes.has(operation);
}

/** Path and query of an address; the text itself where it is not an address, as when it held a key. */
export function pathAndQuery(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
