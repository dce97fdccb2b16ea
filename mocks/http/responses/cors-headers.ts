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
  const values = {
    'access-control-allow-origin': origins === 'any' ? '*' : origin,
    'access-control-allow-credentials':
      behaviours['cors.credentials'] === 'allowed' ? 'true' : null,
    'access-control-expose-headers': behaviours['cors.exposed-headers'].join(', ') || null,
  } as const;
  const withoutOrigin = behaviours['cors.without-origin'];
  for (const name of Object.keys(values) as (keyof typeof values)[]) {
    const value = origin !== null || withoutOrigin[name] === 'present' ? values[name] : null;
    if (value !== null) headers[name] = value;
  }
  return headers;
}
