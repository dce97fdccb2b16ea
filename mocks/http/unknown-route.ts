import type { RowId } from '../../interface/silent.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import type { App, RequestContext } from './context.ts';
import { findNotServed } from './not-served.ts';
import { methods, nearestRoute } from './router.ts';
import { isOffered } from './routes.ts';

/**
 * Refuses a request for its path, or for its method. Notes in its context which methods its path has.
 * @throws Problem 404; 501 for what services of the field have beside the interface
 */
export function refuseRoute(app: App, context: RequestContext): never {
  const { request, url } = context;
  const allowed = methodsOfPath(app, context);
  context.allowed = allowed;
  const asked = `${request.method} ${url.pathname}`;
  const what = findNotServed(url.pathname, app.prefix);
  if (what !== undefined && allowed.length === 0) {
    throw new Problem('not-served', {
      path: 'path',
      expected: 'an operation that the mock has',
      got: describeValue(asked),
      advice: `livestream-mock has no ${what}`,
    });
  }
  throw new Problem('unknown', {
    path: 'path',
    expected: `a known route such as ${nearestRoute(asked, app.prefix, context.rules.behaviours)}`,
    got: describeValue(asked),
    row: rowOfRoute(app, context, allowed),
  });
}

/**
 * Refuses a request for a path at which nothing is.
 * @throws Problem 404
 */
export function refuseUnknownPath(app: App, context: RequestContext): void {
  if (methodsOfPath(app, context).length === 0) refuseRoute(app, context);
}

function rowOfRoute(app: App, context: RequestContext, allowed: readonly string[]): RowId {
  const { request, rules } = context;
  if (request.method === 'OPTIONS') {
    const isOwn =
      allowed.length > 0 || rules.behaviours['http.options-unknown-route'] === 'as-known';
    return isOwn ? 'http.options' : 'http.options-unknown-route';
  }
  if (request.method === 'HEAD' && allowed.includes('GET')) return 'http.head';
  const path = app.router.readPath(request, rules.behaviours);
  const route = app.router.find(request.method, path)?.route;
  if (route?.kind === 'operation') return `operation.${route.name}` as RowId;
  return allowed.length > 0 ? 'refusal.method' : 'refusal.unknown-route';
}

/** The methods that are offered at the path of a request. */
export function methodsOfPath(
  { router }: App,
  { request, rules: { behaviours } }: RequestContext,
): string[] {
  const path = router.readPath(request, behaviours);
  const found = [...methods].filter((method) => {
    const route = router.find(method, path)?.route;
    return route !== undefined && (route.kind !== 'operation' || isOffered(route.name, behaviours));
  });
  const hasHead = found.includes('GET') && behaviours['http.head'] === 'as-get';
  return hasHead ? ['HEAD', ...found] : found;
}
