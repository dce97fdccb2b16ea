import { profileFields } from '../../../interface/limit-ladders.ts';
import { type RowId, rowIds } from '../../../interface/silent.ts';
import { knownFields } from '../../../interface/silent-creation.ts';
import { knownProfileFields } from '../../../interface/silent-profiles.ts';
import type { DescribedRequest } from '../run/describe-request.ts';

/** The rows that a request asks about: by the operation in their name, or by what is not usual in it. */
export function rowsReached({
  operation,
  about,
}: Pick<DescribedRequest, 'operation' | 'about'>): RowId[] {
  return rowIds.filter((row) => {
    const { operations, words = [] } = triggerOf(row);
    return (
      (operations === undefined || operations.test(operation)) &&
      words.every((word) => about.some((given) => given.startsWith(word)))
    );
  });
}

/** What a request needs to ask about a row. */
interface Trigger {
  readonly operations?: RegExp;
  /** Beginnings of what is not usual in it. */
  readonly words?: readonly string[];
}

const triggers = new Map<RowId, Trigger>();

function triggerOf(row: RowId): Trigger {
  const known = triggers.get(row) ?? findTrigger(row);
  triggers.set(row, known);
  return known;
}

function findTrigger(row: RowId): Trigger {
  const operation = /\.([a-z]+(?:Streams?|Record|Sessions?|SessionsOfStream|Playback))$/.exec(
    row,
  )?.[1];
  const name = operation === undefined ? row : row.slice(0, -operation.length - 1);
  const found = byName[name] ?? families.find(({ rows }) => rows.test(row));
  return {
    ...found,
    ...(operation !== undefined && { operations: new RegExp(`^${operation}$`) }),
  };
}

/** How requests name the numbers of a profile that rows are about. */
const numbers = { zero: '0', fraction: 'fraction', smallest: 'small', largest: 'large' } as const;

const creation = { operations: /^createStream$/ };
const sessions = { operations: /^(listSessions|listSessionsOfStream|retrieveSession)$/ };

/** Rows of one family, with what all of them need. */
const families: readonly (Trigger & { readonly rows: RegExp })[] = [
  { rows: /^operation\.|^order\./ },
  { rows: /^(create|profiles|stream)\./, ...creation },
  { rows: /^update\./, operations: /^updateStream$/ },
  { rows: /^(session|sessions|time)\./, ...sessions },
  { rows: /^list\./, operations: /^list/ },
  { rows: /^cors\./, words: ['origin'] },
];

/** Rows that need something in a request that is not usual. */
const byName: Readonly<Record<string, Trigger>> = {
  'refusal.malformed-json': { words: ['body: not JSON'] },
  'refusal.no-body': { words: ['body: none'] },
  'refusal.not-object': { words: ['body: not an object'] },
  'refusal.missing-name': { ...creation, words: ['name: absent'] },
  'refusal.missing-record': { operations: /^setRecord$/, words: ['record: absent'] },
  'refusal.missing-profile-field': { ...creation, words: ['profiles[].width: absent'] },
  'refusal.wrong-name': { ...creation, words: ['name: '] },
  'refusal.wrong-profiles': { ...creation, words: ['profiles: '] },
  'refusal.wrong-profile-field': { ...creation, words: ['profiles[].width: text'] },
  'refusal.wrong-record': { operations: /^setRecord$/, words: ['record: '] },
  'refusal.null-name': { ...creation, words: ['name: null'] },
  'refusal.null-profile-field': { ...creation, words: ['profiles[].width: null'] },
  'refusal.negative-profile-field': { ...creation, words: ['profiles[].width: negative'] },
  'refusal.null-record': { operations: /^setRecord$/, words: ['record: null'] },
  'refusal.unknown-switch-field': { operations: /^setRecord$/, words: ['unknownField'] },
  'refusal.wrong-updated-name': { operations: /^updateStream$/, words: ['name: '] },
  'refusal.unknown-id': { words: ['id: unknown'] },
  'refusal.malformed-id': { words: ['id: malformed'] },
  'refusal.deleted-id': { words: ['id: deleted'] },
  'refusal.other-key': { words: ["id: another key's"] },
  'refusal.session-id': { words: ['id: session'] },
  'refusal.stream-id': { words: ['id: stream'] },
  'refusal.unknown-route': { operations: /^unknownRoute$/ },
  'refusal.method': { words: ['method: '] },
  'refusal.no-key': { words: ['key: none'] },
  'refusal.wrong-key': { words: ['key: wrong'] },
  'refusal.other-scheme': { words: ['key: other scheme'] },
  'refusal.live-switch': { operations: /^setRecord$/, words: ['id: live'] },
  'refusal.live-repeat': { operations: /^setRecord$/, words: ['id: live'] },
  'refusal.live-delete': { operations: /^deleteStream$/, words: ['id: live'] },
  'refusal.idle-terminate': { operations: /^terminateStream$/ },
  'playback.session': { operations: /^retrievePlayback$/, words: ['id: session'] },
  'order.unknown-route': { operations: /^unknownRoute$/, words: ['key: '] },
  'create.unknown-field': { ...creation, words: ['unknownField'] },
  'create.profile-field': { ...creation, words: ['profiles[].unknownField'] },
  'create.record': { ...creation, words: ['record'] },
  'create.wrong-record': { ...creation, words: ['record: '] },
  'create.null-record': { ...creation, words: ['record: null'] },
  'create.name-length': { ...creation, words: ['name: long'] },
  'create.empty-name': { ...creation, words: ['name: empty'] },
  'create.other-characters': { ...creation, words: ['name: beyond'] },
  'create.other-profiles': { ...creation, words: ['profiles[].name: other'] },
  'create.equal-profiles': { ...creation, words: ['profiles: equal'] },
  'create.source-profiles': { ...creation, words: ['profiles[].name: source'] },
  'profile.empty-name': { ...creation, words: ['profiles[].name: empty'] },
  'profiles.empty': { ...creation, words: ['profiles: empty'] },
  'profiles.null': { ...creation, words: ['profiles: null'] },
  ...Object.fromEntries(
    knownFields.flatMap((field) => [
      [`create.known-field.${field}`, { ...creation, words: [field] }],
      [`update.known-field.${field}`, { operations: /^updateStream$/, words: [field] }],
    ]),
  ),
  ...Object.fromEntries(
    knownProfileFields.map((field) => [
      `profile.known-field.${field}`,
      { ...creation, words: [`profiles[].${field}`] },
    ]),
  ),
  ...Object.fromEntries(
    profileFields.flatMap((field) =>
      Object.entries(numbers).map(([kind, word]) => [
        `profile.${kind}.${field}`,
        { ...creation, words: [`profiles[].${field}: ${word}`] },
      ]),
    ),
  ),
  'list.limit': { operations: /^list/, words: ['query limit: small'] },
  'list.largest-limit': { operations: /^list/, words: ['query limit: large'] },
  'list.impossible-limit': { operations: /^list/, words: ['query limit: impossible'] },
  'list.impossible-cursor': { operations: /^list/, words: ['query cursor'] },
  'list.active': { words: ['query active'] },
  'list.order-by': { words: ['query order'] },
  'list.filters': { words: ['query filters'] },
  'list.full-last-page': { operations: /^list/, words: ['query limit: small'] },
  'list.unknown-query': { words: ['query unknownParameter'] },
  'sessions.parent-filter': { operations: /^listSessions$/, words: ['query parentId'] },
  'sessions.record-0': { operations: /OfStream$/, words: ['query record: 0'] },
  'sessions.record-true': { operations: /OfStream$/, words: ['query record: true'] },
  'sessions.record-odd': { operations: /OfStream$/, words: ['query record: maybe'] },
  'sessions.record-of-all': { operations: /^listSessions$/, words: ['query record'] },
  'retrieve.stream': { operations: /^retrieveStream$/ },
  'update.null-name': { operations: /^updateStream$/, words: ['name: null'] },
  'update.unknown-field': { operations: /^updateStream$/, words: ['unknownField'] },
  'update.profiles': { operations: /^updateStream$/, words: ['profiles'] },
  'update.record': { operations: /^updateStream$/, words: ['record'] },
  'delete.shows': { operations: /^deleteStream$/ },
  'delete.leaves': { words: ['id: session of a deleted'] },
  'http.body-size': { words: ['body: over'] },
  'http.body-type.text': { words: ['content type: text/plain'] },
  'http.body-type.form': { words: ['content type: application/x-www-form-urlencoded'] },
  'http.body-type.vendor': { words: ['content type: application/vnd.api+json'] },
  'http.body-type.none': { words: ['content type: none'] },
  'http.head': { words: ['method: HEAD'] },
  'http.options': { words: ['method: OPTIONS'] },
  'http.options-unknown-route': { operations: /^unknownRoute$/, words: ['method: OPTIONS'] },
  'http.trailing-slash': { words: ['path: slash'] },
  'http.route-case': { words: ['path: upper-case'] },
  'http.etag': { words: ['if-none-match'] },
  'http.allow': { words: ['method: '] },
  'http.retry-after': { operations: /^setRecord$/, words: ['id: live'] },
  'auth.challenge': { words: ['key: '] },
  'auth.scheme-case': { words: ['key: scheme'] },
  'cors.allowed-headers': { words: ['preflight'] },
  'cors.allowed-methods': { words: ['preflight'] },
  'cors.max-age': { words: ['preflight'] },
};
