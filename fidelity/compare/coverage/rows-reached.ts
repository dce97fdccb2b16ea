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
    const { operations, words = [], errors = 0 } = triggerOf(row);
    return (
      (operations === undefined || operations.test(operation)) &&
      about.length >= errors &&
      words.every((word) => about.some((given) => matches(word, given)))
    );
  });
}

/** What a request needs to ask about a row. */
interface Trigger {
  readonly operations?: RegExp;
  /** What is not usual in it. */
  readonly words?: readonly (string | RegExp)[];
  /** How much has to be unusual in it. */
  readonly errors?: number;
}

function matches(word: string | RegExp, given: string): boolean {
  return typeof word === 'string' ? word === given : word.test(given);
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

/** A field by its name, whatever its value is. */
const field = (name: string): RegExp => new RegExp(`^${name.replace('[]', '\\[\\]')}(: |$)`);
const wrongRecord = /^record: (array|number|object|text)$/;
const otherMethod = /^method: (?!HEAD$|OPTIONS$)/;
const creation = { operations: /^createStream$/ };
const sessions = { operations: /^(listSessions|listSessionsOfStream|retrieveSession)$/ };

/** Rows of one family, with what all of them need. */
const families: readonly (Trigger & { readonly rows: RegExp })[] = [
  { rows: /^operation\./ },
  { rows: /^order\./, errors: 2 },
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
  'refusal.wrong-name': { ...creation, words: [/^name: (array|boolean|number|object)$/] },
  'refusal.wrong-profiles': { ...creation, words: [/^profiles: (boolean|number|object|text)$/] },
  'refusal.wrong-profile-field': { ...creation, words: ['profiles[].width: text'] },
  'refusal.wrong-record': { operations: /^setRecord$/, words: [wrongRecord] },
  'refusal.null-name': { ...creation, words: ['name: null'] },
  'refusal.null-profile-field': { ...creation, words: ['profiles[].width: null'] },
  'refusal.negative-profile-field': { ...creation, words: ['profiles[].width: negative'] },
  'refusal.null-record': { operations: /^setRecord$/, words: ['record: null'] },
  'refusal.unknown-switch-field': { operations: /^setRecord$/, words: [field('unknownField')] },
  'refusal.wrong-updated-name': {
    operations: /^updateStream$/,
    words: [/^name: (array|boolean|number|object)$/],
  },
  'refusal.unknown-id': { words: ['id: unknown id'] },
  'refusal.malformed-id': { words: ['id: malformed id'] },
  'refusal.deleted-id': { words: ['id: deleted stream'] },
  'refusal.other-key': { words: ["id: another key's stream"] },
  'refusal.session-id': { words: ['id: session'] },
  'refusal.stream-id': { words: ['id: stream'] },
  'refusal.unknown-route': { operations: /^unknownRoute$/ },
  'refusal.method': { words: [otherMethod] },
  'refusal.no-key': { words: ['key: none'] },
  'refusal.wrong-key': { words: ['key: wrong'] },
  'refusal.other-scheme': { words: ['key: other scheme'] },
  'refusal.live-switch': { operations: /^setRecord$/, words: ['id: live stream'] },
  'refusal.live-repeat': { operations: /^setRecord$/, words: ['id: live stream'] },
  'refusal.live-delete': { operations: /^deleteStream$/, words: ['id: live stream'] },
  'refusal.idle-terminate': { operations: /^terminateStream$/ },
  'playback.session': { operations: /^retrievePlayback$/, words: ['id: session'] },
  'order.unknown-route': { operations: /^unknownRoute$/, words: [/^key: /] },
  'create.unknown-field': { ...creation, words: [field('unknownField')] },
  'create.profile-field': { ...creation, words: [field('profiles[].unknownField')] },
  'create.record': { ...creation, words: ['record'] },
  'create.wrong-record': { ...creation, words: [wrongRecord] },
  'create.null-record': { ...creation, words: ['record: null'] },
  'create.name-length': { ...creation, words: ['name: long'] },
  'create.empty-name': { ...creation, words: ['name: empty'] },
  'create.other-characters': { ...creation, words: ['name: beyond ASCII'] },
  'create.other-profiles': { ...creation, words: ['profiles[].name: other'] },
  'create.equal-profiles': { ...creation, words: ['profiles: equal names'] },
  'create.source-profiles': { ...creation, words: ['profiles[].name: source'] },
  'profile.empty-name': { ...creation, words: ['profiles[].name: empty'] },
  'profiles.empty': { ...creation, words: ['profiles: empty'] },
  'profiles.null': { ...creation, words: ['profiles: null'] },
  ...Object.fromEntries(
    knownFields.flatMap((name) => [
      [`create.known-field.${name}`, { ...creation, words: [field(name)] }],
      [`update.known-field.${name}`, { operations: /^updateStream$/, words: [field(name)] }],
    ]),
  ),
  ...Object.fromEntries(
    knownProfileFields.map((name) => [
      `profile.known-field.${name}`,
      { ...creation, words: [field(`profiles[].${name}`)] },
    ]),
  ),
  ...Object.fromEntries(
    profileFields.flatMap((name) =>
      Object.entries(numbers).map(([kind, word]) => [
        `profile.${kind}.${name}`,
        { ...creation, words: [`profiles[].${name}: ${word}`] },
      ]),
    ),
  ),
  'list.limit': { operations: /^list/, words: ['query limit: small'] },
  'list.largest-limit': { operations: /^list/, words: ['query limit: large'] },
  'list.impossible-limit': { operations: /^list/, words: ['query limit: impossible'] },
  'list.impossible-cursor': { operations: /^list/, words: [field('query cursor')] },
  'list.active': { words: [field('query active')] },
  'list.order-by': { words: [field('query order')] },
  'list.filters': { words: [field('query filters')] },
  'list.full-last-page': { operations: /^list/, words: ['query limit: small'] },
  'list.unknown-query': { words: [field('query unknownParameter')] },
  'sessions.parent-filter': { operations: /^listSessions$/, words: [field('query parentId')] },
  'sessions.record-0': { operations: /OfStream$/, words: ['query record: 0'] },
  'sessions.record-true': { operations: /OfStream$/, words: ['query record: true'] },
  'sessions.record-odd': { operations: /OfStream$/, words: ['query record: maybe'] },
  'sessions.record-of-all': { operations: /^listSessions$/, words: [field('query record')] },
  'retrieve.stream': { operations: /^retrieveStream$/ },
  'update.null-name': { operations: /^updateStream$/, words: ['name: null'] },
  'update.unknown-field': { operations: /^updateStream$/, words: [field('unknownField')] },
  'update.profiles': { operations: /^updateStream$/, words: ['profiles'] },
  'update.record': { operations: /^updateStream$/, words: ['record'] },
  'delete.shows': { operations: /^deleteStream$/ },
  'delete.leaves': { words: ['id: session of a deleted stream'] },
  'http.body-size': { words: ['body: over 100 kB'] },
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
  'http.allow': { words: [otherMethod] },
  'http.retry-after': { operations: /^setRecord$/, words: ['id: live stream'] },
  'auth.challenge': { words: [/^key: /] },
  'auth.scheme-case': { words: ['key: scheme in lower case'] },
  'cors.allowed-headers': { words: ['preflight'] },
  'cors.allowed-methods': { words: ['preflight'] },
  'cors.max-age': { words: ['preflight'] },
};
