import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Fetch } from './mutant.ts';
import {
  chain,
  everyJson,
  everyObject,
  instead,
  onRequests,
  type Variant,
  withText,
} from './variant.ts';

const optional = /^(GET|DELETE|PATCH|PUT) \/api\/(stream(\/[^/]+)?|session(\/[^/]+)?)$/;
const refusedStatuses = [400, 403, 404, 409, 410, 418, 422, 451] as const;
const refusedBodies = [
  ['text/plain', 'No.'],
  ['text/html; charset=utf-8', '<!doctype html><title>No</title>'],
  ['application/problem+json', '{"title":"No"}'],
  [undefined, ''],
] as const;

/** Responses of another form. */
export const responseVariants: Readonly<Record<string, Variant>> = {
  'fields-more-and-reordered': {
    description: 'Every object has a further key, and its keys in reverse order.',
    make: everyObject((object) =>
      Object.fromEntries([['more', { of: [1, null] }], ...Object.entries(object).reverse()]),
    ),
  },
  'json-pretty': {
    description: 'JSON is printed over several lines.',
    make: everyJson((value) => value, { indent: 2 }),
  },
  'json-without-charset': {
    description: 'The content type is application/json without a charset.',
    make: everyJson((value) => value, { type: 'application/json' }),
  },
  'json-of-a-vendor': {
    description: 'The content type is a JSON type of the vendor.',
    make: everyJson((value) => value, { type: 'application/vnd.stream+json' }),
  },
  'created-with-location': {
    description: 'The response to a creation has a Location header.',
    make: onRequests(/^POST \/api\/stream$/, (response) => {
      const headers = new Headers(response.headers);
      if (response.ok) headers.set('location', '/api/stream/1');
      return new Response(response.body, { status: response.status, headers });
    }),
  },
  'ids-in-upper-case': {
    description: 'UUIDs are in upper case.',
    make: upperCaseIds,
  },
  'limits-requests': {
    description: 'Every third request answers with 429 and a Retry-After.',
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
    make: onStreams(({ record, ...stream }) => stream),
  },
  'profiles-absent': {
    description: 'A stream without profiles shows no such key, and neither do its sessions.',
    make: everyObject(({ profiles, ...rest }) =>
      Array.isArray(profiles) && profiles.length > 0 ? { ...rest, profiles } : rest,
    ),
  },
  'clock-ahead': {
    description: 'The clock is some minutes ahead.',
    make: everyObject((object) => shifted(object, 7 * 60_000)),
  },
  'clock-behind': {
    description: 'The clock is some minutes behind.',
    make: everyObject((object) => shifted(object, -7 * 60_000)),
  },
  'optional-operations-404': withoutOptional(404),
  'optional-operations-405': withoutOptional(405),
  'optional-operations-501': withoutOptional(501),
  'optional-operations-are-pages': {
    description: 'A web application answers every GET that the interface does not name.',
    make: instead(/^GET \/api\/(stream(\/[^/]+)?|session(\/[^/]+)?)$/, () =>
      withText(new Response(null), '<!doctype html><title>App</title>', 'text/html'),
    ),
  },
  'streams-wrapped-when-retrieved': {
    description: 'GET /stream/{id}, which the interface leaves open, wraps the stream.',
    make: onRequests(/^GET \/api\/stream\/[^/]+$/, async (response) =>
      response.ok
        ? withText(response, JSON.stringify({ stream: await response.json() }))
        : response,
    ),
  },
  'general-patch-ignores-record': {
    description: 'PATCH /stream/{id} changes other fields, ignores record and answers with 200.',
    make: instead(/^(PATCH|PUT) \/api\/stream\/[^/]+$/, ({ url, headers }, next) =>
      next(new Request(url, { headers })),
    ),
  },
  'record-filter-required': {
    description: 'Sessions are listed only with record=1.',
    make: instead(/^GET \/api\/stream\/[^/]+\/sessions$/, (request, next) =>
      new URL(request.url).searchParams.get('record') === '1'
        ? next(request)
        : Response.json({ errors: ['record: expected 1'] }, { status: 400 }),
    ),
  },
  'origin-refused': {
    description: 'A request with an Origin header is refused.',
    make: instead(/./, (request, next) =>
      request.headers.has('origin') ? new Response(null, { status: 403 }) : next(request),
    ),
  },
  'limits-narrow': {
    description: 'Names beyond ASCII and renditions other than the recommended ones are refused.',
    make: instead(/^POST \/api\/stream$/, async (request, next) => {
      const { name, profiles = [] } = await request
        .clone()
        .json()
        .catch(() => ({}));
      const usual = recommendedProfiles.map((profile) => profile.name);
      const narrow =
        (typeof name === 'string' && !/^[ -~]*$/.test(name)) ||
        (Array.isArray(profiles) && profiles.some((one) => one.name && !usual.includes(one.name)));
      return narrow ? Response.json({ errors: ['limit'] }, { status: 422 }) : next(request);
    }),
  },
  'spelling-mp4URL-alone': {
    description: 'The address of the MP4 is only in mp4URL.',
    make: everyObject(({ mp4Url, ...object }) => object),
  },
  ...Object.fromEntries(refusedStatuses.map((status, index) => refusals(status, index))),
};

function onStreams(
  change: (stream: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): (next: Fetch) => Fetch {
  return everyObject((object) => (object['kind'] === 'stream' ? change(object) : object));
}

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
  return {
    description: `Operations that the interface does not name answer with ${status}.`,
    make: instead(optional, () => new Response(null, { status })),
  };
}

function refusals(status: number, index: number): [string, Variant] {
  const [type = 'none', body] = refusedBodies[index % refusedBodies.length] ?? [];
  return [
    `refusals-${status}`,
    {
      description: `Every refusal has the status ${status} and a body of type ${type}.`,
      make: onRequests(/^\w+ \/api\//, (response) =>
        response.status >= 400 && response.status <= 499
          ? new Response(body || null, {
              status,
              ...(body && { headers: { 'content-type': type } }),
            })
          : response,
      ),
    },
  ];
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
