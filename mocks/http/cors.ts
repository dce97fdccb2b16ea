import type { Manners } from '../../interface/dialect.ts';
import { allowsOrigins, type Origins } from '../../interface/silent.ts';

/** The headers with which pages of another origin may read a response. */
export function corsHeaders(request: Request, { rows }: Manners): Record<string, string> {
  const origins = rows['cors.origins'];
  const allowed = originHeaders(
    request,
    request.method === 'OPTIONS' ? origins.preflights : origins.requests,
  );
  if (allowed === undefined) return {};
  return withValues({
    ...allowed,
    'access-control-expose-headers': rows['cors.exposed-headers'].join(', '),
  });
}

/** The headers with which a preflight says what pages of another origin may send. */
export function preflightHeaders(request: Request, { rows }: Manners): Record<string, string> {
  if (!allowsOrigins(rows['cors.origins'].preflights)) return {};
  const allowed = rows['cors.allowed-headers'];
  const asked = request.headers.get('access-control-request-headers');
  return withValues({
    'access-control-allow-methods': rows['cors.allowed-methods'].join(', '),
    'access-control-allow-headers':
      allowed === 'asked' ? (asked ?? 'authorization, content-type') : allowed.join(', '),
    'access-control-max-age': rows['cors.max-age']?.toString(),
  });
}

function originHeaders(
  { headers }: Request,
  origins: Origins,
): Record<string, string | null> | undefined {
  if (!allowsOrigins(origins)) return undefined;
  if (origins === 'any') return { 'access-control-allow-origin': '*' };
  return { 'access-control-allow-origin': headers.get('origin'), vary: 'origin' };
}

/** The headers that have a value. */
function withValues(
  headers: Readonly<Record<string, string | null | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => !!entry[1]));
}
