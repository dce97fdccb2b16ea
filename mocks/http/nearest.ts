import { distance } from 'fastest-levenshtein';

/** Characters of a request that count: a sender may send a million of them. */
const longest = 200;

/**
 * The known route that an unknown request most likely meant. Parameters in braces stand for
 * whatever the request has in their place.
 */
export function nearestRoute(request: string, routes: readonly string[]): string {
  const short = request.slice(0, longest);
  const asked = short.split('/');
  const score = (route: string): number => {
    const filled = route
      .split('/')
      .map((part, index) => (part.startsWith('{') ? (asked[index] ?? part) : part))
      .join('/');
    return distance(short, filled);
  };
  return routes.reduce((best, route) => (score(route) < score(best) ? route : best));
}
