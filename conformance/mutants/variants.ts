import { isRefusal, type RefusalBody } from '../../interface/dialect/cells.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { endpointNames, errorsOf } from '../../interface/dialect/errors.ts';
import { limitSteps, profileNumbers } from '../../interface/dialect/fields.ts';
import type { WrittenCell, WrittenCells } from '../../interface/dialect/matrix.ts';
import { interfaceOperationNames, statedOperationNames } from '../../interface/operation-names.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Fault } from '../../mocks/faults/fault.ts';
import type { World } from '../../mocks/service/world-handle.ts';
import { switchByField } from './record.ts';
import { type Rewrite, rewriteResponse, rewriteSessions } from './rewrite.ts';
import { legalRewrites } from './variant-rewrites.ts';

/** A mock that behaves differently from the default one, and still conforms to the interface. */
export interface LegalVariant {
  readonly dialect?: Omit<Dialect, 'dialect'>;
  /** What a dialect cannot describe. */
  readonly rewrite?: Rewrite;
  readonly faults?: Fault[];
  /** Prepares a stream with recorded sessions. The suite then does not go live itself. */
  readonly prepare?: (world: World) => Promise<string>;
  /** Requirements that must end as blocked, so that the verdict is incomplete. */
  readonly open?: readonly string[];
  /** Requirements at the level `should` that it does not satisfy. */
  readonly misses?: readonly string[];
}

/** A stream with three recorded sessions. */
async function recordThree(world: World): Promise<string> {
  const { id } = await world.createStream({ name: 'given', profiles: recommendedProfiles });
  await world.setRecord(id, true);
  for (const length of [4, 8, 12]) await world.start(id, { duration: length });
  return id;
}

/** Milliseconds until a late recording is ready. */
const delay = 100;

/** Legal variants that options of the mock describe, by a name that says how they differ. */
const variantsByDialect: Readonly<Record<string, LegalVariant>> = {
  unchanged: behaves({}),
  'waiting-first': behaves({ 'time.ready': delay }),
  'processing-first': behaves({
    'time.ready': delay,
    'sessions.status': { beforeReady: 'processing' },
  }),
  'statusless-first': behaves({
    'time.ready': delay,
    'sessions.status': { beforeReady: 'absent' },
  }),
  'addressed-first': behaves({
    'time.ready': delay,
    'sessions.status': { beforeReady: 'processing' },
    'sessions.addresses': { beforeReady: 'present' },
  }),
  'listed-late': behaves({
    'time.ready': delay,
    'sessions.appear': { listSessionsOfStream: 'when-ready', listSessions: 'when-ready' },
  }),
  'records-by-default': behaves({ 'record.default': true }),
  'oldest-first': {
    ...behaves({ 'list.order': { listSessionsOfStream: 'oldest-first' } }),
    prepare: recordThree,
  },
  'pages-of-one': { ...pagesOfSize(1), prepare: recordThree },
  'processing-beside-ready': {
    ...behaves({ 'time.ready': 300_000, 'sessions.status': { beforeReady: 'processing' } }),
    async prepare(world) {
      const id = await recordThree(world);
      world.clock.advance(300_000);
      await world.start(id, { duration: 4 });
      return id;
    },
  },
  'pages-of-two': pagesOfSize(2),
  'json-without-charset': behaves({ 'http.json-type': 'application/json' }),
  'json-of-a-vendor': behaves({ 'http.json-type': 'application/vnd.stream+json' }),
  'created-with-location': behaves({ 'create.location': 'present' }),
  'record-not-shown': behaves({ 'stream.record': 'absent' }),
  'profiles-absent': behaves({
    'profiles.default': { omitted: 'absent', none: 'absent' },
    'profiles.of-session': 'absent',
  }),
  'streams-wrapped-when-retrieved': behaves({
    'response.wrapped': { retrieveStream: { stream: '{result}' } },
  }),
  'origin-refused': behaves({ 'cors.origins': { requests: { status: 403, body: 'empty' } } }),
  'spelling-mp4URL-alone': behaves({ 'session.mp4Url': 'absent' }),
  'general-patch-ignores-record': {
    dialect: {
      refusals: { updateStream: { 'field:record:given': 'dropped' } },
      behaviours: { 'response.shows': { updateStream: 'stream' } },
    },
  },
  'live-switch-accepted': refuses({ setRecord: { 'state:live': 'accepted' } }),
  'unknown-fields-dropped': refuses({ createStream: { 'field:unknown:given': 'dropped' } }),
  'booleans-lenient': {
    ...refuses({
      setRecord: {
        'field:record:boolean-text': 'boolean',
        'field:record:boolean-number': 'boolean',
      },
    }),
    misses: ['RECORD-21'],
  },
  'bodies-of-no-object-fail': refuses({
    setRecord: { 'body:null': 500, 'body:scalar': 500, 'body:array': 500 },
  }),
  'record-filter-required': refuses({
    listSessionsOfStream: {
      'query:record:missing': 400,
      'query:record:zero': 400,
      'query:record:true': 400,
      'query:record:other': 400,
      'query:record:empty': 400,
    },
  }),
  'limits-narrow': {
    ...refuses({
      createStream: { 'field:name:characters': 422, 'field:profiles[].name:unusual': 422 },
    }),
    misses: ['CREATE-24'],
  },
  'limits-narrowest': refuses(narrowestLimits()),
  'limits-requests': { faults: statedOperationNames.map(tooMany) },
  'optional-operations-404': withoutOptional(404),
  'optional-operations-405': withoutOptional(405),
  'optional-operations-501': withoutOptional(501),
  'refusals-400': refusesAllWith(400, { type: 'text/plain' }),
  'refusals-403': refusesAllWith(403, { type: 'text/html; charset=utf-8' }),
  'refusals-404': refusesAllWith(404, { type: 'application/problem+json', json: { title: 'No' } }),
  'refusals-451': refusesAllWith(451, 'empty'),
};

/** Every legal variant of the mock, by a name that says how it differs. */
export const variants: Readonly<Record<string, LegalVariant>> = {
  ...variantsByDialect,
  ...Object.fromEntries(
    Object.entries(legalRewrites).map(([name, rewrite]) => [name, { rewrite }]),
  ),
  'duration-in-milliseconds': {
    rewrite: rewriteSessions('sourceSegmentsDuration', (seconds) => seconds * 1000),
    misses: ['MEDIA-12'],
  },
  'playback-id-means-stream': {
    rewrite: switchByField('playbackId'),
    misses: ['RECORD-26'],
  },
  // In a dialect, pages are short only if a Link leads to the next.
  'pages-by-cursor': {
    ...pagesOfSize(2),
    rewrite: rewriteResponse('list', nameNextPage),
    open: ['LIST-17'],
  },
};

function behaves(behaviours: Dialect['behaviours'] & object): LegalVariant {
  return { dialect: { behaviours } };
}

function pagesOfSize(size: number): LegalVariant {
  return behaves({ 'list.page-size': { listSessionsOfStream: size } });
}

function refuses(refusals: WrittenCells): LegalVariant {
  return { dialect: { refusals } };
}

/** Asks the client to wait now and then. */
function tooMany(operation: (typeof statedOperationNames)[number]): Fault {
  return { effect: 'status', status: 429, retryAfter: 0, probability: 0.05, operation };
}

/** Every limit as narrow as a dialect can describe. What the suite sends is just within the limits. */
function narrowestLimits(): WrittenCells {
  const ofProfiles = profileNumbers.flatMap((field) => {
    const { smallest, largest } = limitSteps[field];
    const [ordinary = 0, above = 0] = smallest.toReversed();
    return [
      [`field:profiles[].${field}:small`, { status: 422, above, below: ordinary }],
      [`field:profiles[].${field}:large`, upTo(largest)],
    ];
  });
  return {
    createStream: {
      'field:name:large': upTo(limitSteps.name),
      'body:large': upTo(limitSteps.body),
      ...Object.fromEntries(ofProfiles),
    },
    setRecord: { 'body:large': upTo(limitSteps.body) },
    listSessionsOfStream: { 'query:limit:large': upTo(limitSteps.limit) },
  };
}

/** Accepts the largest value that every service accepts, and nothing above it. */
function upTo([above, below]: readonly [number, number, ...number[]]): WrittenCell {
  return { status: 422, above, below };
}

/** All operations are refused except those that the interface states. */
function withoutOptional(status: number): LegalVariant {
  const refused: WrittenCells[string] = { 'operation:given': { status, body: 'empty' } };
  const optional = interfaceOperationNames.filter(
    (name) => !statedOperationNames.some((stated) => stated === name),
  );
  return refuses(Object.fromEntries(optional.map((name) => [name, refused])));
}

/** Every refusal has one status and one body. */
function refusesAllWith(status: number, refusalBody: RefusalBody): LegalVariant {
  const cells = endpointNames.map((endpoint) => {
    const refusals = errorsOf[endpoint]
      .filter(({ defaultCell, isShared }) => isRefusal(defaultCell) && !isShared)
      .map(({ id, defaultCell }) => [id, { ...defaultCell, status }]);
    return [endpoint, Object.fromEntries(refusals)];
  });
  const shared = { 'key:*': status, 'path:*': status, 'method:*': status };
  return { dialect: { refusals: { ...Object.fromEntries(cells), '*': shared }, refusalBody } };
}

/** Names the next page in a header that the interface does not know, instead of a Link. */
function nameNextPage({ body, status, headers }: Response): Response {
  const renamedHeaders = new Headers(headers);
  renamedHeaders.delete('link');
  if (headers.has('link')) renamedHeaders.set('x-continuation', 'more');
  return new Response(body, { status, headers: renamedHeaders });
}
