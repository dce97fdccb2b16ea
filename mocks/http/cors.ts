import type { Behaviours } from '../../interface/silent.ts';

/** The headers with which pages of another origin may read a response. */
export function corsHeaders(request: Request, behaviours: Behaviours): Record<string, string> {
  const requests = behaviours['cors.requests'];
  if (!allowsOrigins(behaviours)) return {};
  return withValues({
    'access-control-allow-origin':
      requests === 'any' ? '*' : requests === 'echo' ? request.headers.get('origin') : null,
    vary: requests === 'echo' ? 'origin' : null,
    'access-control-expose-headers': behaviours['cors.exposed-headers'].join(', '),
  });
}

/** The headers with which a preflight says what pages of another origin may send. */
export function preflightHeaders(request: Request, behaviours: Behaviours): Record<string, string> {
  if (!allowsOrigins(behaviours)) return {};
  const allowed = behaviours['cors.allowed-headers'];
  const asked = request.headers.get('access-control-request-headers');
  return withValues({
    'access-control-allow-methods': behaviours['cors.allowed-methods'].join(', '),
    'access-control-allow-headers':
      allowed === 'asked' ? (asked ?? 'authorization, content-type') : allowed.join(', '),
    'access-control-max-age': behaviours['cors.max-age']?.toString(),
  });
}

function allowsOrigins({ 'cors.requests': requests }: Behaviours): boolean {
  return requests === 'any' || requests === 'echo';
}

/** The headers that have a value. */
function withValues(
  headers: Readonly<Record<string, string | null | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => !!entry[1]));
}
