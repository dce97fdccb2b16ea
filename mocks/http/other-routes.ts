import { httpMethods } from '../../interface/dialect/behaviours.ts';
import type { StaticRoute } from '../../interface/dialect/dialect.ts';
import { jsonResponse, type PlainResponse, plainResponse } from '../messages/response.ts';
import { allowedByOptions, refuseOrigin, runChecks } from './checks.ts';
import type { RequestContext } from './context.ts';
import { fitsPattern } from './routes.ts';

/** The dialect's static route at a path below the prefix. */
export function findStaticRoute(context: RequestContext): StaticRoute | undefined {
  const { request, dialect, path } = context;
  const { prefix } = context.app;
  const { routes } = dialect;
  if (routes.length === 0 || !path.startsWith(`${prefix}/`)) return undefined;
  const parts = path.slice(prefix.length).split('/');
  return routes.find(
    (route) => route.method === request.method && fitsPattern(route.path.split('/'), parts),
  );
}

/** The response of a static route, after the key has been checked as at any other path. */
export async function staticResponse(
  context: RequestContext,
  { status, type, json, text }: StaticRoute,
): Promise<PlainResponse> {
  const { dialect } = context;
  const checks = dialect.orders.unknownRoute.filter((check) => check !== 'route');
  await runChecks(checks, context);
  refuseOrigin(context);
  context.isStatic = true;
  if (json !== undefined) {
    return jsonResponse(status, json, {
      'content-type': type ?? dialect.behaviours['http.json-type'],
    });
  }
  if (text === undefined) return plainResponse(status, null);
  return plainResponse(status, [text], { 'content-type': type ?? 'text/plain' });
}

/** The response to OPTIONS. A browser asks, without a key, what a page of another origin may send. */
export function optionsResponse(context: RequestContext): PlainResponse {
  refuseOrigin(context);
  const { 'http.options': options, 'http.allow': allow } = context.dialect.behaviours;
  const allowed = allowedByOptions(context);
  const usual = allowed.length > 0 ? options.known : options.unknown;
  if (usual === 'methods') {
    const list = (allowed.length > 0 ? allowed : httpMethods).join(', ');
    return plainResponse(200, [list], { allow: list, 'content-type': 'text/html; charset=utf-8' });
  }
  const headers = allow === 'absent' ? {} : { allow: allowed.join(', ') };
  return plainResponse(usual === 'ok' ? 200 : 204, null, headers);
}

/** Refuses an unknown route. The last of its checks refuses every request. */
export async function refuseUnknownRoute(context: RequestContext): Promise<never> {
  await runChecks(context.dialect.orders.unknownRoute, context);
  throw new Error('expected a check that refuses the route');
}
