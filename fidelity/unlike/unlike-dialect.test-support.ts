import { profileFields } from '../../interface/limit-ladders.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { knownProfileFields } from '../../interface/silent-profiles.ts';
import type { Refusal } from '../../interface/silent-row.ts';

/** A refusal by the unlike service's error object. */
function object(status: number, code: string, ofField = false): Refusal {
  const details = ofField ? { field: '{message}' } : {};
  const error = { status: '{status}', code, message: '{message}', details };
  return { status, body: { type: 'application/vnd.error+json', json: { error } } };
}

const empty = (status: number): Refusal => ({ status, body: 'empty' });
const text = (status: number): Refusal => ({ status, body: { type: 'text/plain' } });

const wrongType = object(412, 'FIELD_TYPE', true);
const outOfRange = object(412, 'FIELD_RANGE', true);
const missing = object(400, 'FIELD_MISSING', true);
const unknown = object(404, 'RESOURCE_UNKNOWN');
const gone = object(410, 'STREAM_GONE');
const foreign = object(403, 'RESOURCE_FORBIDDEN');
const readOnly = object(423, 'SESSION_READ_ONLY');
const noSession = object(400, 'NOT_A_SESSION');
const noStream = object(400, 'NOT_A_STREAM');
const live = object(409, 'STREAM_LIVE');
const otherType = object(406, 'CONTENT_TYPE_REFUSED');
const lists = ['listStreams', 'listSessionsOfStream', 'listSessions'] as const;
const unknownQuery = object(400, 'QUERY_UNKNOWN', true);

function each<Prefix extends string, Name extends string, Value>(
  prefix: Prefix,
  names: readonly Name[],
  value: Value,
): Record<`${Prefix}.${Name}`, Value> {
  const entries = names.map((name) => [`${prefix}.${name}`, value]);
  return Object.fromEntries(entries) as Record<`${Prefix}.${Name}`, Value>;
}

/**
 * How the unlike service does what the interface leaves open. It was written down with the service,
 * before `learn` met it. Every refusal has its own code, so the row `refusal.body` is left out.
 */
export const unlikeRows: Partial<Behaviours> = {
  ...each('refusal.malformed-json', ['createStream', 'setRecord'], object(422, 'BODY_NOT_JSON')),
  ...each('refusal.no-body', ['createStream', 'setRecord'], object(411, 'BODY_MISSING')),
  ...each('refusal.not-object', ['createStream', 'setRecord'], object(422, 'BODY_NOT_JSON')),
  ...each('refusal', ['missing-name', 'missing-record', 'missing-profile-field'], missing),
  ...each('refusal', ['null-name', 'null-record', 'null-profile-field'], missing),
  'refusal.negative-profile-field': outOfRange,
  'refusal.unknown-switch-field': object(412, 'FIELD_UNKNOWN', true),
  ...each(
    'refusal',
    ['wrong-name', 'wrong-profiles', 'wrong-profile-field', 'wrong-record'],
    wrongType,
  ),
  ...each(
    'refusal.unknown-id',
    ['retrieveStream', 'deleteStream', 'setRecord', 'retrieveSession', 'listSessionsOfStream'],
    unknown,
  ),
  ...each(
    'refusal.malformed-id',
    ['retrieveStream', 'deleteStream', 'setRecord', 'retrieveSession', 'listSessionsOfStream'],
    object(400, 'ID_MALFORMED'),
  ),
  ...each(
    'refusal.deleted-id',
    ['retrieveStream', 'setRecord', 'deleteStream', 'listSessionsOfStream'],
    gone,
  ),
  ...each(
    'refusal.other-key',
    ['retrieveStream', 'deleteStream', 'setRecord', 'retrieveSession', 'listSessionsOfStream'],
    foreign,
  ),
  ...each('refusal.session-id', ['deleteStream', 'setRecord'], readOnly),
  ...each('refusal.session-id', ['listSessionsOfStream', 'retrieveStream'], noStream),
  ...each('refusal', ['stream-id.retrieveSession', 'deleted-id.retrieveSession'], noSession),
  'refusal.unknown-route': text(404),
  'refusal.method': empty(405),
  'refusal.no-key': empty(401),
  'refusal.wrong-key': object(403, 'KEY_REFUSED'),
  'refusal.other-scheme': empty(401),
  'refusal.live-switch': live,
  'refusal.live-repeat': live,
  'refusal.live-delete': live,
  'order.createStream': ['wrong-key', 'no-key', 'body', 'fields'],
  'order.setRecord': ['wrong-key', 'no-key', 'body', 'fields', 'id'],
  'order.unknown-route': ['route', 'wrong-key', 'body', 'no-key'],
  'order.listStreams': ['wrong-key', 'no-key', 'query'],
  'order.listSessionsOfStream': ['wrong-key', 'no-key', 'query', 'id'],
  'order.listSessions': ['wrong-key', 'no-key', 'query'],
  'create.unknown-field': 'dropped',
  ...each(
    'create.known-field',
    ['creatorId', 'playbackPolicy', 'userTags', 'recordingSpec', 'multistream', 'pull'],
    'dropped' as const,
  ),
  'create.profile-field': 'dropped',
  ...each('profile.known-field', knownProfileFields, 'dropped' as const),
  'profile.empty-name': outOfRange,
  'create.record': 'taken',
  'create.wrong-record': wrongType,
  'create.null-record': 'dropped',
  'create.record-default': true,
  'create.name-length': { atLeast: 255, below: 1_000, refusal: outOfRange },
  'create.empty-name': outOfRange,
  'create.other-characters': 'accepted',
  ...each('create', ['other-profiles', 'equal-profiles', 'source-profiles'], 'accepted' as const),
  ...each('profile.zero', profileFields, outOfRange),
  'profile.zero.fps': 'accepted',
  ...each('profile.fraction', profileFields, wrongType),
  ...each('profile.smallest', profileFields, { atMost: 1 }),
  'profile.largest.bitrate': {
    atLeast: 100_000_000,
    below: 1_000_000_000,
    refusal: outOfRange,
  },
  'profile.largest.fps': { atLeast: 240, below: 1_000, refusal: outOfRange },
  'profile.largest.width': { atLeast: 4_096, below: 8_192, refusal: outOfRange },
  'profile.largest.height': { atLeast: 4_096, below: 8_192, refusal: outOfRange },
  'profiles.omitted': 'absent',
  'profiles.of-session': 'empty',
  'profiles.empty': 'empty',
  'profiles.null': 'absent',
  'create.location': 'present',
  'stream.record': 'shown',
  'stream.further-keys': {
    updatedAt: 'text',
    ingest: { protocol: 'text', region: 'text' },
    live: false,
    description: null,
  },
  'session.further-keys': {
    endedAt: 'text',
    source: { container: 'text', codec: 'text' },
    archived: false,
    failure: null,
  },
  'session.mp4Url': 'absent',
  'list.page-size': 5,
  'sessions.page-size': 5,
  'list.limit': 'works',
  'list.largest-limit': { atLeast: 10_000 },
  'list.impossible-limit': 'ignored',
  'list.impossible-cursor': object(416, 'CURSOR_INVALID', true),
  'list.next': 'link',
  'list.full-last-page': 'not',
  'list.order': 'oldest-first',
  'sessions.order': 'oldest-first',
  ...each('list.unknown-query', lists, unknownQuery),
  ...each('list.active', lists, unknownQuery),
  ...each('list.order-by', lists, unknownQuery),
  ...each('list.filters', lists, unknownQuery),
  'list.sessions-among-streams': 'streams',
  'sessions.parent-filter': unknownQuery,
  'sessions.record-absent': 'all',
  'sessions.record-0': 'all',
  'sessions.record-true': 'recorded',
  'sessions.record-odd': object(400, 'QUERY_INVALID', true),
  'sessions.record-of-all': 'ignored',
  'sessions.appear': 'at-end',
  'sessions.status-before-ready': 'processing',
  'sessions.addresses-before-ready': 'absent',
  'sessions.status-unrecorded': 'disabled',
  'time.ready': 0,
  'time.listed': 0,
  ...each(
    'operation',
    ['listStreams', 'retrieveStream', 'deleteStream', 'listSessions', 'retrieveSession'],
    'offered' as const,
  ),
  'operation.updateStream': empty(405),
  'operation.terminateStream': text(404),
  'operation.retrievePlayback': text(404),
  'retrieve.stream': 'bare',
  'delete.shows': 'nothing',
  'delete.leaves': 'sessions',
  'http.body-size': { atLeast: 65_536, below: 102_400, refusal: text(400) },
  ...each('http.body-type', ['text', 'form', 'vendor', 'none'], otherType),
  'http.json-type': 'application/json',
  'http.head': empty(405),
  'http.options': 'no-content',
  'http.options-unknown-route': text(404),
  'http.trailing-slash': 'unknown-route',
  'http.route-case': 'any',
  'http.etag': 'conditional',
  'http.allow': 'present',
  'http.retry-after': null,
  'auth.challenge': 'present',
  'auth.scheme-case': 'exact',
  'cors.requests': text(403),
};
