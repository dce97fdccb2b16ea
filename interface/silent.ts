import * as z from 'zod';
import type { Refusal } from './cells.ts';
import type { Asked, ListOperation } from './errors.ts';
import { profileFields } from './fields.ts';
import { type Json, jsonSchema } from './json.ts';
import { refusalSchema } from './refusals.ts';
import type { Profile } from './types.ts';

/** A page has exactly so many records, or at least so many, where no longer list was seen. */
export type PageSize = number | { readonly atLeast: number };
export type ListOrder = 'newest-first' | 'oldest-first';
export type RecordFilter = 'recorded' | 'unrecorded' | 'all';
export type Appearance = 'at-start' | 'at-end' | 'when-ready';
export type Origins = 'any' | 'echo' | 'none' | Refusal;
export type DefaultProfiles = 'empty' | 'absent' | 'null' | readonly Profile[];
/** What a change answers: nothing with 204, the stream with 200, or a status with some JSON or none. */
export type Shown = 'nothing' | 'stream' | { readonly status: number; readonly json?: Json };
type Presence = 'absent' | 'present';
type SessionList = 'listSessionsOfStream' | 'listSessions';
type Wrapped = 'listStreams' | 'retrieveStream' | 'listSessions' | 'retrieveSession';
export type RespellableKey = keyof typeof requirementsOfKeys;

/** A value for each of several operations or fields. */
type Each<Key extends string, Value> = Readonly<Record<Key, Value>>;

/** How a service does everything that the interface leaves open, beside how it refuses. */
export interface Behaviours {
  readonly 'create.location': Presence;
  readonly 'record.default': boolean;
  readonly 'profiles.default': Each<'omitted' | 'none' | 'null', DefaultProfiles>;
  readonly 'profiles.of-session': 'empty' | 'absent' | 'null';
  readonly 'stream.record': 'shown' | 'absent';
  readonly 'stream.further-keys': Readonly<Record<string, Json>>;
  readonly 'session.further-keys': Readonly<Record<string, Json>>;
  readonly 'session.mp4Url': Presence;
  readonly 'keys.spelling': Readonly<Partial<Record<RespellableKey, string>>>;
  readonly 'answer.shows': Each<'updateStream' | 'deleteStream' | 'terminateStream', Shown>;
  readonly 'answer.wrapped': Each<Wrapped, string | null>;
  readonly 'delete.leaves': 'nothing' | 'sessions';
  readonly 'list.page-size': Each<ListOperation, PageSize>;
  readonly 'list.order': Each<ListOperation, ListOrder>;
  readonly 'list.next': 'link' | 'x-next-cursor' | 'not';
  readonly 'list.cursor': 'opaque' | 'offset';
  readonly 'list.full-last-page': 'told' | 'not';
  readonly 'list.sessions-among-streams': 'none' | 'sessions' | 'children';
  readonly 'list.record': Each<'absent' | '0' | 'true' | 'other' | 'empty', RecordFilter>;
  readonly 'sessions.appear': Each<SessionList, Appearance>;
  readonly 'sessions.status-before-ready': string | null;
  readonly 'sessions.addresses-before-ready': Presence;
  readonly 'sessions.status-unrecorded': string | null;
  readonly 'time.ready': number;
  readonly 'time.listed': number;
  readonly 'http.json-type': string;
  readonly 'http.headers': Readonly<Record<string, string>>;
  readonly 'http.head': 'as-get' | Refusal;
  readonly 'http.options': Each<'known' | 'unknown', 'ok' | 'no-content' | Refusal>;
  readonly 'http.etag': 'absent' | 'present' | 'conditional';
  readonly 'http.allow': Presence;
  readonly 'http.retry-after': number | null;
  readonly 'auth.challenge': Presence;
  readonly 'cors.origins': Each<'requests' | 'preflights', Origins>;
  readonly 'cors.exposed-headers': readonly string[];
  readonly 'cors.allowed-headers': 'asked' | readonly string[];
  readonly 'cors.allowed-methods': readonly string[];
  readonly 'cors.max-age': number | null;
}

/** Id of a silent behaviour. */
export type RowId = keyof Behaviours;

/** The probes of `learn`, by name; several rows can have one. */
type ProbeName =
  | 'creation'
  | 'default-profiles'
  | 'changes'
  | 'deletion'
  | 'records'
  | 'paging'
  | 'list-order'
  | 'record-filter'
  | 'timeline'
  | 'methods'
  | 'etag'
  | 'challenge'
  | 'live-refusal'
  | 'cors';

/** What a service does against a stated rule, in a sentence, and the requirements that it then fails. */
export interface BrokenRule {
  readonly statement: string;
  readonly requirements: readonly string[];
}

/** A question that the interface leaves open, and everything that there is to say of it. */
export interface SilentRow<Value = unknown> {
  readonly question: string;
  /** What some of the values mean, where their words do not say it. */
  readonly note?: string;
  /** Schema of the possible values; where there is one for each of several names, of some of them. */
  readonly values: z.ZodType;
  /** What the mock does without a dialect. */
  readonly default: Value;
  /** Other values, at least one of each kind, with which tests try the row. */
  readonly samples: readonly Partial<Value>[] | readonly Value[];
  /** Whether a dialect gives only those of its names that differ. */
  readonly each?: true;
  /** The probe that asks for it. */
  readonly probe: ProbeName;
  /** The operations without which no client can notice it. */
  readonly needs?: readonly Asked[];
  /** Rows that no client can notice beside a value of this one. */
  readonly hides?: (value: Value) => readonly RowId[];
  /** The stated rule that a value breaks, and the requirements of the suite that then fail; without it, none does. */
  readonly breaks?: (value: Value) => BrokenRule | undefined;
}

/** Keys whose spelling a dialect can change, each with the requirements that then fail. */
const requirementsOfKeys = {
  mp4URL: ['LIST-13', 'MEDIA-6', 'MEDIA-7', 'MEDIA-10'],
  // biome-ignore format: one line is shorter to read
  recordingUrl: ['LIST-12', 'LIST-15', 'MEDIA-1', 'MEDIA-2', 'MEDIA-3', 'MEDIA-4', 'MEDIA-5', 'MEDIA-7', 'MEDIA-8', 'MEDIA-9', 'MEDIA-10', 'MEDIA-11'],
  playbackId: ['CREATE-10', 'CREATE-12', 'CREATE-21'],
  streamKey: ['CREATE-9', 'CREATE-11', 'CREATE-21', 'MEDIA-10'],
  createdAt: ['CREATE-7', 'CREATE-8', 'CREATE-19', 'LIST-9'],
  parentId: ['LIST-2'],
} as const;

export const respellableKeys: readonly RespellableKey[] = Object.keys(
  requirementsOfKeys,
) as RespellableKey[];

/** The keys that the interface documents for streams and sessions: never further keys. */
export const documentedKeys: Readonly<Record<'stream' | 'session', readonly string[]>> = {
  stream: ['id', 'name', 'profiles', 'createdAt', 'streamKey', 'playbackId', 'record'],
  session: [
    'id',
    'parentId',
    'record',
    'recordingStatus',
    'recordingUrl',
    'mp4URL',
    'mp4Url',
    'sourceSegmentsDuration',
    'createdAt',
    'profiles',
  ],
};

const mediaCounts = {
  isActive: false,
  lastSeen: 0,
  sourceSegments: 0,
  transcodedSegments: 0,
  transcodedSegmentsDuration: 0,
  sourceBytes: 0,
  transcodedBytes: 0,
};

/** Schema of one of some words. */
function oneOf(...words: readonly string[]): z.ZodType {
  return z.enum(words, `one of ${words.join(', ')}`);
}

/** Schema of a value for some of several names. */
function someOf(names: readonly string[], value: z.ZodType): z.ZodType {
  const shape = Object.fromEntries(names.map((name) => [name, value.exactOptional()]));
  return z.strictObject(shape, `an object with some of ${names.join(', ')}`);
}

/** Schema of one of some words, or a refusal. */
function wordOrRefusal(...words: readonly string[]): z.ZodType {
  const expected = `one of ${words.join(', ')}, or {"status"} of a refusal`;
  return z.union([oneOf(...words), refusalSchema], expected);
}

/** A further key: a value stands for all values of its key, as its type is what counts. */
function furtherKeys(named: readonly string[]): z.ZodType {
  const key = z
    .string()
    .regex(/^[A-Za-z_][\w-]{0,60}$/, 'a key of letters, digits, _ and -')
    .refine((given) => !named.includes(given), 'a key that the interface does not name');
  return z.record(key, jsonSchema, 'an object with a sample for each key');
}

/** What a row may say besides its words. */
type Further<Word> = Partial<Pick<SilentRow<Word>, 'note' | 'needs' | 'hides'>>;

/** A row whose value is one of some words, of which the first is the mock's own. */
function oneWord<const Word extends string>(
  probe: ProbeName,
  question: string,
  words: readonly [Word, ...Word[]],
  further: Further<Word> = {},
): SilentRow<Word> {
  const [usual, ...samples] = words;
  return { probe, question, values: oneOf(...words), default: usual, samples, ...further };
}

const presence = ['absent', 'present'] as const;
const milliseconds = z.int('milliseconds').min(0, 'milliseconds').max(86_400_000, 'at most a day');
const secondsOrNull = z.union([z.null(), z.int().min(0).max(86_400)], 'seconds or null');
const statusWord = z.union(
  [z.null(), z.string().regex(/^(?!ready$)[a-z][a-z_-]{0,30}$/)],
  'a word other than ready, or null',
);
const headerName = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'a header name in lower case');
const headerNames = z.array(headerName, 'an array of header names');
const pageSize = z.union(
  [z.int().min(1), z.strictObject({ atLeast: z.int().min(0) })],
  'a whole number above 0, or {"atLeast"}',
);
const profile = z.strictObject({
  name: z.string(),
  ...Object.fromEntries(profileFields.map((name) => [name, z.int().min(1)])),
});
const defaultProfiles = z.union(
  [oneOf('empty', 'absent', 'null'), z.array(profile).min(1)],
  'empty, absent, null or an array of profiles',
);
const shown = z.union(
  [
    oneOf('nothing', 'stream'),
    z.strictObject({ status: z.int().min(200).max(299), json: jsonSchema.exactOptional() }),
  ],
  'nothing, stream or {"status","json"}',
);
const wrapper = z.union(
  [z.null(), z.string().regex(/^[A-Za-z_]\w{0,60}$/)],
  'a key of letters, digits and _, or null',
);
const spelling = z
  .string('a key of letters, digits and _')
  .regex(/^[A-Za-z_]\w{0,60}$/, 'a key of letters, digits and _');

const lists: readonly ListOperation[] = ['listStreams', 'listSessionsOfStream', 'listSessions'];
const sessionLists: readonly SessionList[] = ['listSessionsOfStream', 'listSessions'];

/** Headers that a dialect may not set: of one connection, of a body, of cookies, of other rows. */
const ownHeaders =
  /^(set-cookie|connection|keep-alive|transfer-encoding|te|trailer|upgrade|content-.*|date|access-control-.*|vary|etag|link|location|allow|retry-after|www-authenticate)$/;

/** Every behaviour that the interface leaves open, beside refusals and orders. */
export const silent: { readonly [Id in RowId]: SilentRow<Behaviours[Id]> } = {
  'create.location': oneWord(
    'creation',
    'Has the response to a creation a Location header?',
    presence,
  ),
  'record.default': {
    question: 'Is a new stream recorded where record is not given?',
    values: z.boolean('true or false'),
    default: false,
    samples: [true],
    probe: 'creation',
  },
  'profiles.default': {
    question:
      'Which profiles has a stream that was created without profiles, with [] or with null?',
    note: 'empty, absent, null: it has none, and shows this; an array: it has these',
    values: someOf(['omitted', 'none', 'null'], defaultProfiles),
    default: { omitted: 'empty', none: 'empty', null: 'empty' },
    samples: [
      { omitted: 'absent', none: 'absent' },
      { omitted: 'null', none: 'null', null: 'null' },
      { omitted: [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }] },
    ],
    each: true,
    probe: 'default-profiles',
    breaks({ omitted }) {
      if (typeof omitted === 'string') return undefined;
      const names = omitted.map(({ name }) => name).join(', ');
      const statement = `A stream that is created without profiles has ${names}.`;
      return { statement, requirements: ['MEDIA-4'] };
    },
  },
  'profiles.of-session': oneWord(
    'records',
    'What does a session of a stream without profiles show as profiles?',
    ['empty', 'absent', 'null'],
  ),
  'stream.record': oneWord('creation', 'Does a stream show record?', ['shown', 'absent']),
  'stream.further-keys': {
    question: 'Which further keys does a stream show, with a made-up sample of each?',
    values: furtherKeys(documentedKeys.stream),
    default: {
      kind: 'stream',
      ...mediaCounts,
      sourceSegmentsDuration: 0,
      suspended: false,
      renditions: {},
      userId: 'text',
      createdByTokenName: 'text',
    },
    samples: [{}, { kind: 'stream', isActive: null, region: 'text', tags: [], owner: { id: 0 } }],
    probe: 'creation',
  },
  'session.further-keys': {
    question: 'Which further keys does a session show, with a made-up sample of each?',
    values: furtherKeys(documentedKeys.session),
    default: { kind: 'session', name: 'text', playbackId: 'text', userId: 'text', ...mediaCounts },
    samples: [{}, { kind: 'session', name: null, thumbnail: 'text', viewers: 0.5 }],
    probe: 'records',
  },
  'session.mp4Url': oneWord('records', 'Does a session show mp4Url beside mp4URL?', [
    'present',
    'absent',
  ]),
  'keys.spelling': {
    question: 'Which documented keys are spelled otherwise, and how?',
    values: someOf(respellableKeys, spelling),
    default: {},
    samples: respellableKeys.map((key) => ({ [key]: `${key}Other` })),
    probe: 'records',
    breaks(spellings) {
      const keys = respellableKeys.filter((key) => key in spellings);
      if (keys.length === 0) return undefined;
      const spelled = keys.map((key) => `${key} as ${spellings[key]}`).join(', ');
      const requirements = keys.flatMap((key) => requirementsOfKeys[key]);
      return { statement: `It spells ${spelled}.`, requirements };
    },
  },
  'answer.shows': {
    question: 'What does the response to a change show that the interface does not describe?',
    note: 'nothing: 204 without a body; stream: 200 with the stream',
    values: someOf(['updateStream', 'deleteStream', 'terminateStream'], shown),
    default: { updateStream: 'nothing', deleteStream: 'nothing', terminateStream: 'nothing' },
    samples: [
      { updateStream: 'stream', deleteStream: 'stream' },
      { deleteStream: { status: 200, json: { deleted: true } }, terminateStream: { status: 202 } },
    ],
    each: true,
    probe: 'changes',
  },
  'answer.wrapped': {
    question: 'Under which key of an object is what an operation answers, if it is not the body?',
    values: someOf(['listStreams', 'retrieveStream', 'listSessions', 'retrieveSession'], wrapper),
    default: { listStreams: null, retrieveStream: null, listSessions: null, retrieveSession: null },
    samples: [{ retrieveStream: 'stream' }, { listStreams: 'data', listSessions: 'data' }],
    each: true,
    probe: 'records',
  },
  'delete.leaves': oneWord(
    'deletion',
    'What can still be read after a stream was deleted?',
    ['nothing', 'sessions'],
    { needs: ['deleteStream'] },
  ),
  'list.page-size': {
    question: 'How many records has a page of a list?',
    values: someOf(lists, pageSize),
    default: { listStreams: 100, listSessionsOfStream: 100, listSessions: 100 },
    samples: [{ listStreams: 2 }, { listSessionsOfStream: 5, listSessions: 2 }],
    each: true,
    probe: 'paging',
  },
  'list.order': {
    question: 'In which order are records listed?',
    values: someOf(lists, oneOf('newest-first', 'oldest-first')),
    default: {
      listStreams: 'newest-first',
      listSessionsOfStream: 'newest-first',
      listSessions: 'newest-first',
    },
    samples: [
      { listStreams: 'oldest-first' },
      { listSessionsOfStream: 'oldest-first', listSessions: 'oldest-first' },
    ],
    each: true,
    probe: 'list-order',
  },
  'list.next': oneWord(
    'paging',
    'How is a client told of the next page?',
    ['link', 'x-next-cursor', 'not'],
    {
      note: 'link: by a Link header; x-next-cursor: by a header of that name; not: by nothing',
      hides: (value) => (value === 'not' ? ['list.full-last-page', 'list.cursor'] : []),
    },
  ),
  'list.cursor': oneWord('paging', 'What does a cursor look like?', ['opaque', 'offset'], {
    note: 'opaque: a text that says nothing; offset: the number of records before the page',
  }),
  'list.full-last-page': oneWord(
    'paging',
    'Is a client told of a next page by a last page that is full?',
    ['told', 'not'],
    { note: 'told: the next page is then empty' },
  ),
  'list.sessions-among-streams': oneWord(
    'timeline',
    'Does the list of all streams show sessions too?',
    ['none', 'sessions', 'children'],
    { note: 'children: as streams with ids of their own and a parentId', needs: ['listStreams'] },
  ),
  'list.record': {
    question: 'Which sessions are listed without record, with 0, true, an empty or another text?',
    values: someOf(
      ['absent', '0', 'true', 'other', 'empty'],
      oneOf('recorded', 'unrecorded', 'all'),
    ),
    default: { absent: 'all', 0: 'unrecorded', true: 'recorded', other: 'all', empty: 'all' },
    samples: [
      { absent: 'recorded', 0: 'all' },
      { true: 'all', other: 'recorded', empty: 'unrecorded' },
    ],
    each: true,
    probe: 'record-filter',
  },
  'sessions.appear': {
    question: 'When does a session appear in a list?',
    values: someOf(sessionLists, oneOf('at-start', 'at-end', 'when-ready')),
    default: { listSessionsOfStream: 'at-start', listSessions: 'at-start' },
    samples: [
      { listSessionsOfStream: 'at-end' },
      { listSessionsOfStream: 'when-ready', listSessions: 'when-ready' },
    ],
    each: true,
    probe: 'timeline',
  },
  'sessions.status-before-ready': {
    question: 'Which recordingStatus has a recorded session that is not ready?',
    note: 'null: the key is absent',
    values: statusWord,
    default: 'waiting',
    samples: ['processing', null],
    probe: 'timeline',
  },
  'sessions.addresses-before-ready': oneWord(
    'timeline',
    'Has a recorded session that is not ready its addresses?',
    presence,
  ),
  'sessions.status-unrecorded': {
    question: 'Which recordingStatus has a session that is not recorded?',
    note: 'null: the key is absent',
    values: statusWord,
    default: null,
    samples: ['none'],
    probe: 'timeline',
  },
  'time.ready': {
    question: 'How many milliseconds after its end is a recording ready?',
    values: milliseconds,
    default: 1_000,
    samples: [0, 5_000],
    probe: 'timeline',
  },
  'time.listed': {
    question: 'How many milliseconds after the moment in sessions.appear is a session listed?',
    values: milliseconds,
    default: 0,
    samples: [500],
    probe: 'timeline',
  },
  'http.json-type': {
    question: 'Which content type have JSON responses other than refusals?',
    values: z
      .string('a JSON content type')
      .regex(/^application\/([\w.-]{1,60}\+)?json(; ?charset=utf-8)?$/, 'a JSON content type'),
    default: 'application/json; charset=utf-8',
    samples: ['application/json', 'application/vnd.stream+json'],
    probe: 'creation',
  },
  'http.headers': {
    question: 'Which further headers has every response, with a made-up value of each?',
    values: z.record(
      headerName.refine((name) => !ownHeaders.test(name), 'a header that no other row is about'),
      z.string().regex(/^[ -~]{0,200}$/, 'a header value'),
      'an object of header values',
    ),
    default: {},
    samples: [{ 'x-powered-by': 'Express', 'cache-control': 'no-store' }],
    probe: 'creation',
  },
  'http.head': {
    question: 'Is HEAD answered as GET is?',
    values: wordOrRefusal('as-get'),
    default: 'as-get',
    samples: [{ status: 404 }, { status: 405 }],
    probe: 'methods',
  },
  'http.options': {
    question: 'How is OPTIONS of a known and of an unknown path answered?',
    note: 'ok: 200; no-content: 204; the rows of CORS say its headers',
    values: someOf(['known', 'unknown'], wordOrRefusal('ok', 'no-content')),
    default: { known: 'no-content', unknown: 'no-content' },
    samples: [{ known: 'ok', unknown: { status: 404 } }, { known: { status: 405 } }],
    each: true,
    probe: 'methods',
  },
  'http.etag': oneWord(
    'etag',
    'Have responses to GET an ETag, and is If-None-Match answered with 304?',
    ['absent', 'present', 'conditional'],
    { note: 'present: an ETag, but never 304; conditional: both' },
  ),
  'http.allow': oneWord(
    'methods',
    'Have a refusal of another method and a response to OPTIONS an Allow header?',
    presence,
  ),
  'http.retry-after': {
    question: 'After how many seconds may a refused switch of a live stream be repeated?',
    note: 'null: no Retry-After',
    values: secondsOrNull,
    default: null,
    samples: [0, 30],
    probe: 'live-refusal',
  },
  'auth.challenge': oneWord(
    'challenge',
    'Has a refusal with status 401 a WWW-Authenticate header?',
    presence,
  ),
  'cors.origins': {
    question: 'Which Origin may read a response, and send a request after a preflight?',
    note: 'any: every Origin, by *; echo: every Origin, each by its name; none: no Origin; a refusal: a request with an Origin is refused',
    values: someOf(['requests', 'preflights'], wordOrRefusal('any', 'echo', 'none')),
    default: { requests: 'any', preflights: 'any' },
    samples: [
      { requests: 'echo', preflights: 'echo' },
      { requests: 'none', preflights: 'none' },
      { requests: { status: 403 }, preflights: { status: 403 } },
      { requests: 'any', preflights: 'none' },
    ],
    each: true,
    probe: 'cors',
    hides: ({ requests, preflights }) => [
      ...(allowsOrigins(requests) ? [] : (['cors.exposed-headers'] as const)),
      ...(allowsOrigins(preflights)
        ? []
        : (['cors.allowed-headers', 'cors.allowed-methods', 'cors.max-age'] as const)),
    ],
  },
  'cors.exposed-headers': {
    question: 'Which headers may a page of another origin read?',
    values: headerNames,
    default: ['accept-ranges', 'content-length', 'content-range', 'etag', 'link', 'retry-after'],
    samples: [[], ['link']],
    probe: 'cors',
  },
  'cors.allowed-headers': {
    question: 'Which headers does a preflight allow?',
    note: 'asked: those it asks for',
    values: z.union([z.literal('asked'), headerNames], 'asked or an array of header names'),
    default: 'asked',
    samples: [['authorization', 'content-type'], []],
    probe: 'cors',
  },
  'cors.allowed-methods': {
    question: 'Which methods does a preflight allow?',
    values: z.array(
      oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      'an array of methods',
    ),
    default: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    samples: [['GET', 'POST'], []],
    probe: 'cors',
  },
  'cors.max-age': {
    question: 'For how many seconds may a preflight be remembered?',
    note: 'null: it does not say',
    values: secondsOrNull,
    default: 600,
    samples: [null, 86_400],
    probe: 'cors',
  },
};

/** Whether some Origin may read a response. */
export function allowsOrigins(origins: Origins): origins is 'any' | 'echo' {
  return origins === 'any' || origins === 'echo';
}

/** The ids of all rows. */
export const rowIds: readonly RowId[] = Object.keys(silent) as RowId[];

/** A row whose value may be of any type, for code that treats all rows alike. */
export function rowOf(id: RowId): SilentRow {
  return silent[id] as SilentRow;
}

/** The rows that no client can notice beside a value of a row. */
export function hiddenBy(id: RowId, value: unknown): readonly RowId[] {
  return rowOf(id).hides?.(value) ?? [];
}

/** What the mock does without a dialect. */
export const usualBehaviours: Behaviours = Object.fromEntries(
  rowIds.map((id) => [id, rowOf(id).default]),
) as unknown as Behaviours;
