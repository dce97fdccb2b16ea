import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import type { RefusalBody } from '../../interface/silent-row.ts';
import type { Fetch } from './mutant.ts';
import { narrowestLimits } from './narrowest-limits.ts';
import { chain, everyJson, everyObject, instead, type Variant, withText } from './variant.ts';

const optional = /^(GET|DELETE|PATCH|PUT) \/api\/(stream(\/[^/]+)?|session(\/[^/]+)?)$/;
const refusedStatuses = [400, 403, 404, 409, 410, 418, 422, 451] as const;
const refusedBodies: readonly RefusalBody[] = [
  { type: 'text/plain' },
  { type: 'text/html; charset=utf-8' },
  { type: 'application/problem+json', json: { title: 'No' } },
  'empty',
];

/** Responses of another form. */
export const responseVariants: Readonly<Record<string, Variant>> = {
  'fields-more-and-reordered': {
    description: 'Every object has a further key, and its keys in reverse order.',
    inexpressible: 'No row says in which order keys are, or which further keys a profile has.',
    make: everyObject((object) =>
      Object.fromEntries([['more', { of: [1, null] }], ...Object.entries(object).reverse()]),
    ),
  },
  'json-pretty': {
    description: 'JSON is printed over several lines.',
    inexpressible: 'No row says how JSON is spaced.',
    make: everyJson((value) => value, { indent: 2 }),
  },
  'json-without-charset': {
    description: 'The content type is application/json without a charset.',
    rows: { 'http.json-type': 'application/json' },
  },
  'json-of-a-vendor': {
    description: 'The content type is a JSON type of the vendor.',
    rows: { 'http.json-type': 'application/vnd.stream+json' },
  },
  'created-with-location': {
    description: 'The response to a creation has a Location header.',
    rows: { 'create.location': 'present' },
  },
  'ids-in-upper-case': {
    description: 'UUIDs are in upper case.',
    inexpressible: 'No row says what an id looks like.',
    make: upperCaseIds,
  },
  'limits-requests': {
    description: 'Every third request answers with 429 and a Retry-After.',
    inexpressible: 'No row says how many requests a client may send.',
    make: (next) => {
      let count = 0;
      return async (request) => {
        const limited = new URL(request.url).pathname.startsWith('/api/') && ++count % 3 === 0;
        return limited
          ? new Response('Slower.', { status: 429, headers: { 'retry-after': '0' } })
          : next(request);
      };
    },
  },
  'record-not-shown': {
    description: 'Streams do not show record.',
    rows: { 'stream.record': 'absent' },
  },
  'profiles-absent': {
    description: 'A stream without profiles shows no such key, and neither do its sessions.',
    rows: {
      'profiles.omitted': 'absent',
      'profiles.empty': 'absent',
      'profiles.of-session': 'absent',
    },
  },
  'clock-ahead': {
    description: 'The clock is some minutes ahead.',
    inexpressible: 'No row says how late it is.',
    make: everyObject((object) => shifted(object, 7 * 60_000)),
  },
  'clock-behind': {
    description: 'The clock is some minutes behind.',
    inexpressible: 'No row says how late it is.',
    make: everyObject((object) => shifted(object, -7 * 60_000)),
  },
  'optional-operations-404': withoutOptional(404),
  'optional-operations-405': withoutOptional(405),
  'optional-operations-501': {
    description: 'Operations that the interface does not name answer with 501.',
    inexpressible: 'A row refuses with a status from 400 to 499.',
    make: instead(optional, () => new Response(null, { status: 501 })),
  },
  'optional-operations-are-pages': {
    description: 'A web application answers every GET that the interface does not name.',
    inexpressible: 'An operation that is not offered is refused.',
    make: instead(/^GET \/api\/(stream(\/[^/]+)?|session(\/[^/]+)?)$/, () =>
      withText(new Response(null), '<!doctype html><title>App</title>', 'text/html'),
    ),
  },
  'streams-wrapped-when-retrieved': {
    description: 'GET /stream/{id}, which the interface leaves open, wraps the stream.',
    rows: { 'retrieve.stream': 'wrapped' },
  },
  'general-patch-ignores-record': {
    description: 'PATCH /stream/{id} changes other fields, ignores record and answers with 200.',
    rows: { 'update.record': 'dropped', 'update.shows': 'stream' },
  },
  'record-filter-required': {
    description: 'Sessions are listed only with record=1.',
    rows: {
      'sessions.record-absent': { status: 400 },
      'sessions.record-0': { status: 400 },
      'sessions.record-true': { status: 400 },
      'sessions.record-odd': { status: 400 },
    },
  },
  'origin-refused': {
    description: 'A request with an Origin header is refused.',
    rows: { 'cors.requests': { status: 403, body: 'empty' } },
  },
  'limits-narrow': {
    description: 'Names beyond ASCII and renditions other than the recommended ones are refused.',
    rows: { 'create.other-characters': { status: 422 }, 'create.other-profiles': { status: 422 } },
  },
  'limits-narrowest': {
    description: 'Every limit is as narrow as a dialect can say.',
    rows: narrowestLimits,
  },
  'spelling-mp4URL-alone': {
    description: 'The address of the MP4 is only in mp4URL.',
    rows: { 'session.mp4Url': 'absent' },
  },
  ...Object.fromEntries(refusedStatuses.map((status, index) => refusals(status, index))),
};

function shifted(
  object: Readonly<Record<string, unknown>>,
  milliseconds: number,
): Record<string, unknown> {
  const { createdAt } = object;
  return typeof createdAt === 'number'
    ? { ...object, createdAt: createdAt + milliseconds }
    : { ...object };
}

function withoutOptional(status: number): Variant {
  const refusal = { status, body: 'empty' } as const;
  return {
    description: `Operations that the interface does not name answer with ${status}.`,
    rows: {
      'operation.listStreams': refusal,
      'operation.retrieveStream': refusal,
      'operation.updateStream': refusal,
      'operation.deleteStream': refusal,
      'operation.listSessions': refusal,
      'operation.retrieveSession': refusal,
    },
  };
}

function refusals(status: number, index: number): [string, Variant] {
  const body = refusedBodies[index % refusedBodies.length] ?? 'empty';
  const type = body === 'empty' ? 'none' : body.type;
  return [
    `refusals-${status}`,
    {
      description: `Every refusal has the status ${status} and a body of type ${type}.`,
      rows: { ...refusingWith(status), 'refusal.body': body },
    },
  ];
}

/** The usual behaviours in which something is refused, with another status. */
function refusingWith(status: number): Partial<Behaviours> {
  const refusing = Object.entries(usualBehaviours).map(([id, value]) => [
    id,
    JSON.stringify(value).replace(/"status":\d+/g, `"status":${status}`),
  ]);
  const changed = refusing.filter(([, text = '']) => text.includes('"status":4'));
  return Object.fromEntries(changed.map(([id, text = '']) => [id, JSON.parse(text)]));
}

function upperCaseIds(next: Fetch): Fetch {
  const shown = everyObject((object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) =>
        typeof value === 'string' && /^(id|parentId)$/.test(key)
          ? [key, value.toUpperCase()]
          : [key, value],
      ),
    ),
  );
  return chain(shown)((request) =>
    next(
      new Request(
        request.url.replace(/[0-9A-F-]{36}/, (id) => id.toLowerCase()),
        request,
      ),
    ),
  );
}
