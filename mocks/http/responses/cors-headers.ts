import { allowsOrigins, type Behaviours } from '../../../interface/dialect/behaviours.ts';

/** The headers that let pages of another origin read a response, or that keep them from it. */
export function corsHeaders(
  origin: string | null,
  method: string,
  status: number,
  behaviours: Behaviours,
): Record<string, string> {
  const { requests, preflights } = behaviours['cors.origins'];
  const policy = method === 'OPTIONS' ? preflights : requests;
  const isOpen = typeof policy === 'object' && status < 400 && origin !== null;
  const origins = isOpen ? 'any' : policy;
  if (!allowsOrigins(origins)) return {};
  const headers: Record<string, string> = {};
  if (origins === 'echo') headers['vary'] = 'origin';
  const allowedOrigin = origins === 'any' ? '*' : origin;
  if (allowedOrigin !== null) headers['access-control-allow-origin'] = allowedOrigin;
  if (origin !== null && behaviours['cors.credentials'] === 'allowed') {
    headers['access-control-allow-credentials'] = 'true';
  }
  const exposedHeaders = behaviours['cors.exposed-headers'];
  if (exposedHeaders.length > 0) {
    headers['access-control-expose-headers'] = exposedHeaders.join(', ');
  }
  return headers;
}
