import type { Cell, RefusalBody } from '../../interface/dialect/cells.ts';
import { errorClasses } from '../../interface/dialect/errors.ts';
import { limitSteps, profileNumbers } from '../../interface/dialect/fields.ts';
import type { WrittenErrors } from '../../interface/dialect/written-errors.ts';
import type { Rewrite } from '../messages/client-request.ts';
import { emptyResponse, on } from './rewrite.ts';
import type { Variant, VariantTable } from './variant.ts';

const ofRefusals = {
  clause: '7',
  argument: 'Clause 7 shows neither the status nor the body of an error.',
  metBy: 'send a request that is refused, such as one for a stream that does not exist',
  audience: 'app',
} as const;

/** What the interface leaves open about what is refused, and how. */
export const refusalVariants = {
  'refusals-in-html': refusesAs('Refusals had a page of HTML as their body.', {
    type: 'text/html; charset=utf-8',
  }),
  'refusals-in-text': refusesAs('Refusals had a text as their body.', { type: 'text/plain' }),
  'refusals-without-body': refusesAs('Refusals had no body.', 'empty'),
  'refusals-as-problem-json': refusesAs('Refusals had a body of application/problem+json.', {
    type: 'application/problem+json',
    json: { type: 'about:blank', title: 'Refused', detail: '{message}', status: '{status}' },
  }),
  'refusals-400': refusesAllWith(400, { type: 'text/plain' }),
  'refusals-403': refusesAllWith(403, { type: 'text/html; charset=utf-8' }),
  'refusals-404': refusesAllWith(404, { type: 'application/problem+json', json: { title: 'No' } }),
  'refusals-451': refusesAllWith(451, 'empty'),
  'unknown-fields-dropped': {
    statement: 'A field that the service did not know was ignored when a stream was created.',
    clause: '7',
    argument: 'Clause 7 shows no conditions of errors, so an unknown field need not be refused.',
    metBy: 'create a stream with a field that the interface does not name',
    audience: 'app',
    dialect: { errors: { createStream: { 'field:unknown': { given: 'dropped' } } } },
  },
  'booleans-lenient': {
    statement: 'Recording could be switched with "true" or 1 in place of true.',
    clause: '4.2',
    argument: '4.2 says what a client sends, and clause 7 does not say what is refused.',
    metBy: 'switch recording with a text or a number',
    audience: 'suite',
    dialect: {
      errors: {
        setRecord: { 'field:record': { 'boolean-text': 'boolean', 'boolean-number': 'boolean' } },
      },
    },
  },
  'bodies-of-no-object-fail': {
    statement: 'A body that is no JSON object made the service fail with 500.',
    clause: '7',
    argument: 'Clause 7 shows no status of errors, and 4.2 only allows objects.',
    metBy: 'switch recording with a body that is no object',
    audience: 'suite',
    dialect: {
      errors: { setRecord: { body: { null: 500, scalar: 500, array: 500 } } },
    },
  },
  'limits-narrow': {
    statement:
      'Names of streams with letters outside ASCII, and names of profiles other than the recommended ones, were refused.',
    clause: '8',
    argument: 'Clause 8 does not show the limits of the service, and clause 7 not what it refuses.',
    metBy:
      'create a stream with letters outside ASCII in its name, or with a profile whose name is not 720p, 480p or 360p',
    ofTest: 'If only a test makes up such a name, let it use a plainer one.',
    audience: 'app',
    dialect: {
      errors: {
        createStream: {
          'field:name': { characters: 422 },
          'field:profiles[].name': { unusual: 422 },
        },
      },
    },
  },
  'limits-narrowest': {
    statement:
      'Names of more than 32 characters, bodies of more than 1,024 bytes and profiles beyond the recommended ones were refused.',
    clause: '8',
    argument: 'Clause 8 does not show the limits of the service.',
    metBy:
      'create a stream with a name of more than 32 characters, or with a profile larger than the recommended ones',
    ofTest:
      'If only a test makes up a long name, let it use a shorter one: "e2e " and a UUID are 40 characters.',
    audience: 'app',
    dialect: { errors: narrowestLimits() },
  },
  'too-many-requests-seconds': {
    statement:
      'Every seventh request, not counting those for media, was answered with 429, and a Retry-After header of one second; when it was sent again, it was served.',
    clause: '8',
    argument: 'Clause 8 does not show the rate limits of the service.',
    metBy: 'send at least seven requests that are not for media (with the fixtures: in one test)',
    audience: 'app',
    rewrite: refuseEverySeventh(() => '1'),
  },
  'too-many-requests-date': {
    statement:
      'Every seventh request, not counting those for media, was answered with 429, and a Retry-After header with a date; when it was sent again, it was served.',
    clause: '8',
    argument: 'Clause 8 does not show the rate limits of the service.',
    metBy: 'send at least seven requests that are not for media (with the fixtures: in one test)',
    audience: 'app',
    rewrite: refuseEverySeventh((now) => new Date(now + 1_000).toUTCString()),
  },
  'origin-refused': {
    statement: 'Requests of pages of another origin were refused with 403.',
    clause: '7',
    argument: 'Clause 7 shows no conditions of errors, and no clause promises access to pages.',
    metBy: 'send a request from a page of another origin',
    shownBy: 'status',
    audience: 'app',
    isApart: true,
    dialect: { behaviours: { 'cors.origins': { requests: { status: 403, body: 'empty' } } } },
  },
} as const satisfies VariantTable;

/** Every refusal has its own status, and one form of body. */
function refusesAs(statement: string, refusalBody: RefusalBody) {
  return { ...ofRefusals, statement, dialect: { refusalBody } } satisfies Variant;
}

/** Every refusal has one status and one body. */
function refusesAllWith(status: number, refusalBody: RefusalBody) {
  const refusals = Object.fromEntries(errorClasses.map((name) => [name, status]));
  const form = refusalBody === 'empty' ? 'no body' : `a body of ${refusalBody.type}`;
  return {
    ...ofRefusals,
    statement: `Every refusal had the status ${status} and ${form}.`,
    dialect: { refusals, refusalBody },
  } satisfies Variant;
}

/** Every limit as narrow as a dialect can describe. What the suite sends is just within the limits. */
function narrowestLimits(): WrittenErrors {
  const ofProfiles = profileNumbers.map((field) => {
    const { smallest, largest } = limitSteps[field];
    const [ordinary = 0, above = 0] = smallest.toReversed();
    const small = { status: 422, above, below: ordinary };
    return [`field:profiles[].${field}`, { small, large: upTo(largest) }];
  });
  return {
    createStream: {
      body: { large: upTo(limitSteps.body) },
      'field:name': { large: upTo(limitSteps.name) },
      ...Object.fromEntries(ofProfiles),
    },
    setRecord: { body: { large: upTo(limitSteps.body) } },
    listSessionsOfStream: { 'query:limit': { large: upTo(limitSteps.limit) } },
  };
}

/** Accepts the largest value that every service accepts, and nothing above it. */
function upTo([above, below]: readonly [number, number, ...number[]]): Cell {
  return { status: 422, above, below };
}

/** Asks the client to wait at every seventh request. The next one is served. */
function refuseEverySeventh(retryAfter: (now: number) => string): Rewrite {
  return (next) => {
    let count = 0;
    return on('operation', ({ now }) => {
      count += 1;
      if (count % 7 !== 0) return undefined;
      return emptyResponse(429, { 'retry-after': retryAfter(now()) });
    })(next);
  };
}
