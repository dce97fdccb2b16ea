import { isRefusal, type RefusalBody } from '../../interface/cells.ts';
import { askedNames } from '../../interface/errors.ts';
import { isShared, usualMatrix, type WrittenRefusals } from '../../interface/refusals.ts';
import { narrowestLimits } from './narrowest-limits.ts';
import type { Fetch } from './rewrite.ts';
import {
  chain,
  everyJson,
  everyObject,
  instead,
  onRequests,
  type Variant,
  withText,
} from './variant.ts';

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
    inexpressible: 'No dialect says in which order keys are, or which further keys a profile has.',
    make: everyObject((object) =>
      Object.fromEntries([['more', { of: [1, null] }], ...Object.entries(object).reverse()]),
    ),
  },
  'profiles-of-streams-show-more': {
    description: 'Profiles of a stream have further keys, which those of its sessions lack.',
    inexpressible: 'No dialect says which further keys a profile has.',
    make: onRequests(/^POST \/api\/stream$/, async (response) => {
      if (!response.ok) return response;
      const stream = (await response.json()) as { profiles: object[] };
      const profiles = stream.profiles.map((one) => ({ ...one, encoder: 'H.264', gop: '2.0' }));
      return withText(response, JSON.stringify({ ...stream, profiles }));
    }),
  },
  'bodies-of-no-object-fail': {
    description: 'A switch whose body is no object answers with 500.',
    dialect: {
      refusals: { setRecord: { 'body:null': 500, 'body:scalar': 500, 'body:array': 500 } },
    },
  },
  'stream-masked-when-retrieved': {
    description: 'GET /stream/{id}, which the interface leaves open, masks keys and rounds dates.',
    inexpressible: 'No dialect says how the documented fields of a retrieved stream are spelled.',
    make: (next) => {
      let count = 0;
      return onRequests(/^GET \/api\/stream\/[^/]+$/, async (response) => {
        if (!response.ok) return response;
        const stream = (await response.json()) as { createdAt: number };
        const createdAt = Math.floor(stream.createdAt / 1000);
        const streamKey = `masked-${++count}`;
        return withText(response, JSON.stringify({ ...stream, streamKey, createdAt }));
      })(next);
    },
  },
  'json-pretty': {
    description: 'JSON is printed over several lines.',
    inexpressible: 'No dialect says how JSON is spaced.',
    make: everyJson((value) => value, { indent: 2 }),
  },
  'json-without-charset': {
    description: 'The content type is application/json without a charset.',
    dialect: { behaviours: { 'http.json-type': 'application/json' } },
  },
  'json-of-a-vendor': {
    description: 'The content type is a JSON type of the vendor.',
    dialect: { behaviours: { 'http.json-type': 'application/vnd.stream+json' } },
  },
  'created-with-location': {
    description: 'The response to a creation has a Location header.',
    dialect: { behaviours: { 'create.location': 'present' } },
  },
  'ids-in-upper-case': {
    description: 'UUIDs are in upper case.',
    inexpressible: 'No dialect says what an id looks like.',
    make: upperCaseIds,
  },
  'limits-requests': {
    description: 'Every third request answers with 429 and a Retry-After.',
    inexpressible: 'No dialect says how many requests a client may send.',
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
    dialect: { behaviours: { 'stream.record': 'absent' } },
  },
  'profiles-absent': {
    description: 'A stream without profiles shows no such key, and neither do its sessions.',
    dialect: {
      behaviours: {
        'profiles.default': { omitted: 'absent', none: 'absent' },
        'profiles.of-session': 'absent',
      },
    },
  },
  'clock-ahead': {
    description: 'The clock is some minutes ahead.',
    inexpressible: 'No dialect says how late it is.',
    make: everyObject((object) => shifted(object, 7 * 60_000)),
  },
  'clock-behind': {
    description: 'The clock is some minutes behind.',
    inexpressible: 'No dialect says how late it is.',
    make: everyObject((object) => shifted(object, -7 * 60_000)),
  },
  'clock-in-seconds': {
    description: 'createdAt is in milliseconds, but always a whole second.',
    inexpressible: 'No dialect says how exact a clock is.',
    make: everyObject((object) => shifted(object, -(Number(object['createdAt']) % 1000))),
  },
  'unknown-fields-dropped': {
    description: 'Fields that a new stream does not have, or that the service sets, are ignored.',
    dialect: { refusals: { createStream: { 'field:unknown:given': 'dropped' } } },
  },
  'optional-operations-404': withoutOptional(404),
  'optional-operations-405': withoutOptional(405),
  'optional-operations-501': withoutOptional(501),
  'optional-operations-are-pages': {
    description: 'A web application answers every GET that the interface does not name.',
    inexpressible: 'An operation that is not offered is refused.',
    make: instead(/^GET \/api\/(stream(\/[^/]+)?|session(\/[^/]+)?)$/, () =>
      withText(new Response(null), '<!doctype html><title>App</title>', 'text/html'),
    ),
  },
  'streams-wrapped-when-retrieved': {
    description: 'GET /stream/{id}, which the interface leaves open, wraps the stream.',
    dialect: { behaviours: { 'answer.wrapped': { retrieveStream: 'stream' } } },
  },
  'general-patch-ignores-record': {
    description: 'PATCH /stream/{id} changes other fields, ignores record and answers with 200.',
    dialect: {
      refusals: { updateStream: { 'field:record:given': 'dropped' } },
      behaviours: { 'answer.shows': { updateStream: 'stream' } },
    },
  },
  'record-filter-required': {
    description: 'Sessions are listed only with record=1.',
    dialect: {
      refusals: {
        listSessionsOfStream: {
          'query:record:missing': 400,
          'query:record:zero': 400,
          'query:record:true': 400,
          'query:record:other': 400,
          'query:record:empty': 400,
        },
      },
    },
  },
  'origin-refused': {
    description: 'A request with an Origin header is refused.',
    dialect: { behaviours: { 'cors.origins': { requests: { status: 403, body: 'empty' } } } },
  },
  'limits-narrow': {
    description: 'Names beyond ASCII and renditions other than the recommended ones are refused.',
    dialect: {
      refusals: {
        createStream: { 'field:name:characters': 422, 'field:profiles[].name:unusual': 422 },
      },
    },
    misses: ['CREATE-24'],
  },
  'limits-narrowest': {
    description: 'Every limit is as narrow as a dialect can say.',
    dialect: { refusals: narrowestLimits },
  },
  'spelling-mp4URL-alone': {
    description: 'The address of the MP4 is only in mp4URL.',
    dialect: { behaviours: { 'session.mp4Url': 'absent' } },
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
    dialect: {
      refusals: {
        listStreams: { 'operation:given': refusal },
        retrieveStream: { 'operation:given': refusal },
        updateStream: { 'operation:given': refusal },
        deleteStream: { 'operation:given': refusal },
        listSessions: { 'operation:given': refusal },
        retrieveSession: { 'operation:given': refusal },
      },
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
      dialect: { refusals: refusingWith(status), usual: body },
    },
  ];
}

/** Every cell that refuses, with another status. */
function refusingWith(status: number): WrittenRefusals {
  const cells = askedNames.map((asked) => {
    const refusing = [...usualMatrix[asked]].filter(([, cell]) => isRefusal(cell));
    const own = refusing.filter(([error]) => !isShared(asked, error));
    return [asked, Object.fromEntries(own.map(([error, cell]) => [error, { ...cell, status }]))];
  });
  return {
    ...Object.fromEntries(cells),
    '*': { 'key:*': status, 'path:*': status, 'method:*': status },
  };
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
