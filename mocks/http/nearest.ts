import { distance } from 'fastest-levenshtein';

/**
 * The known route that an unknown request most likely meant. Parameters in braces stand for
 * whatever the request has in their place.
 */
export function nearestRoute(request: string, routes: readonly string[]): string {
  const asked = request.split('/');
  const score = (route: string): number => {
    const filled = route
      .split('/')
      .map((part, index) => (part.startsWith('{') ? (asked[index] ?? part) : part))
      .join('/');
    return distance(request.slice(0, 200), filled);
  };
  return routes.reduce((best, route) => (score(route) < score(best) ? route : best));
}
