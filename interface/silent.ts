import * as z from 'zod';
import type { Refusal } from './cells.ts';
import type { Endpoint, ListOperation } from './errors.ts';
import { profileFields } from './fields.ts';
import { type Json, jsonSchema } from './json.ts';
import { refusalSchema } from './refusals.ts';
import { profileEncoding } from './schemas.ts';
import type { Profile } from './types.ts';

/** A page has exactly so many records, or at least so many, where no longer list was seen. */
export type PageSize = number | { readonly atLeast: number };
export type ListOrder = 'newest-first' | 'oldest-first';
/** How a page points to the next one: by a Link header, by a header of that name, or by nothing. */
export type NextPage = 'link' | 'x-next-cursor' | 'not';
/** How a client may filter by `record` beside `1`: not at all, or by some text. */
type RecordText = 'absent' | '0' | 'false' | 'true' | 'other' | 'empty';
export type RecordFilter = 'recorded' | 'unrecorded' | 'all';
export type Appearance = 'at-start' | 'at-end' | 'when-ready';
/** Every Origin, by `*`; every Origin, each by its name; no Origin; or a request with an Origin is refused. */
export type Origins = 'any' | 'echo' | 'none' | Refusal;
/** A stream without profiles has none, and shows this; or it has these. */
export type DefaultProfiles = 'empty' | 'absent' | 'null' | readonly Profile[];
/** What a change answers: nothing with 204, the stream with 200, or a status with some JSON or none. */
export type Shown = 'nothing' | 'stream' | { readonly status: number; readonly json?: Json };
type Presence = 'absent' | 'present';
/** A session that is recorded and not ready, or is not recorded. */
export type UnreadySession = 'beforeReady' | 'unrecorded';
/** How an address is shown of what does not play: not at all, as `null`, as an empty text, or in full. */
export type ShownAddress = 'absent' | 'null' | 'empty' | 'present';
/** A made-up object in which `{result}` stands for the records; `null` where the body is nothing but these. */
export type Envelope = Samples | null;
type Wrapped = 'listStreams' | 'retrieveStream' | 'listSessions' | 'retrieveSession';
export type RespellableKey = keyof typeof requirementsOfKeys;

/** A made-up sample of each of some keys. */
export type Samples = Readonly<Record<string, Json>>;

/** When and where a record may show keys that it does not show otherwise, or other values of them. */
export const places = [
  'streamOnceLive',
  'streamWhileLive',
  'sessionWhileLive',
  'retrieveSession',
  'listSessionsOfStream',
  'listSessions',
] as const;
export type KeyPlace = (typeof places)[number];

/** A value for each of several operations or fields. */
type Each<Key extends string, Value> = Readonly<Record<Key, Value>>;

/** How a service does everything that the interface leaves open, beside how it refuses. */
export interface Behaviours {
  readonly 'create.location': Presence;
  readonly 'record.default': boolean;
  readonly 'profiles.default': Each<'omitted' | 'none' | 'null', DefaultProfiles>;
  readonly 'profiles.of-session': 'empty' | 'absent' | 'null';
  readonly 'stream.record': 'shown' | 'absent';
  readonly 'stream.further-keys': Samples;
  readonly 'session.further-keys': Samples;
  readonly 'session.mp4Url': Presence;
  readonly 'session.record': 'shown' | 'absent';
  readonly 'keys.by-place': Each<KeyPlace, Samples>;
  readonly 'keys.spelling': Readonly<Partial<Record<RespellableKey, string>>>;
  readonly 'answer.shows': Each<'updateStream' | 'deleteStream' | 'terminateStream', Shown>;
  readonly 'answer.wrapped': Each<Wrapped, Envelope>;
  readonly 'delete.leaves': 'nothing' | 'sessions';
  readonly 'list.page-size': Each<ListOperation, PageSize>;
  readonly 'list.order': Each<ListOperation, ListOrder>;
  readonly 'list.next': Each<ListOperation, NextPage>;
  /** A text that says nothing, or the number of records before the page. */
  readonly 'list.cursor': 'opaque' | 'offset';
  /** `told`: the next page is then empty. */
  readonly 'list.full-last-page': 'told' | 'not';
  /** `children`: as streams with ids of their own and a parentId, with the keys of a session or with these. */
  readonly 'list.sessions-among-streams':
    | 'none'
    | 'sessions'
    | 'children'
    | { readonly children: Samples };
  readonly 'list.record': Each<RecordText, RecordFilter>;
  readonly 'sessions.appear': Each<'listSessionsOfStream' | 'listSessions', Appearance>;
  /** `absent`: there is no such key. */
  readonly 'sessions.status': Each<UnreadySession, string | null>;
  readonly 'sessions.addresses': Each<UnreadySession, ShownAddress>;
  readonly 'time.ready': number;
  readonly 'time.listed': number;
  readonly 'http.json-type': string;
  readonly 'http.headers': Readonly<Record<string, string>>;
  readonly 'http.head': 'as-get' | Refusal;
  /** `ok`: 200; `no-content`: 204. The rows of CORS say its headers. */
  readonly 'http.options': Each<'known' | 'unknown', 'ok' | 'no-content' | Refusal>;
  /** `present`: an ETag, but never 304; `conditional`: both. */
  readonly 'http.etag': 'absent' | 'present' | 'conditional';
  readonly 'http.allow': Presence;
  readonly 'auth.challenge': Presence;
  readonly 'cors.origins': Each<'requests' | 'preflights', Origins>;
  readonly 'cors.exposed-headers': readonly string[];
  /** `asked`: those that it asks for. */
  readonly 'cors.allowed-headers': 'asked' | readonly string[];
  readonly 'cors.allowed-methods': readonly string[];
  /** `null`: it does not say. */
  readonly 'cors.max-age': number | null;
}

/** Id of a silent behaviour. */
export type RowId = keyof Behaviours;

/** What a service does against a stated rule, in a sentence, and the requirements that it then fails. */
export interface BrokenRule {
  readonly statement: string;
  readonly requirements: readonly string[];
}

/** A question that the interface leaves open, and everything that there is to say of it. */
export interface SilentRow<Value = unknown> {
  readonly question: string;
  /** Schema of the possible values; where there is one for each of several names, of some of them. */
  readonly values: z.ZodType;
  /** What the mock does without a dialect. */
  readonly default: Value;
  /** Whether a dialect gives only those of its names that differ. */
  readonly each?: true;
  /** The operations without which no client can notice it. */
  readonly needs?: readonly Endpoint[];
  /** Rows that no client can notice beside a value of this one. */
  hides?(value: Value): readonly RowId[];
  /** The stated rule that a value breaks, and the requirements of the suite that then fail; without it, none does. */
  breaks?(value: Value): BrokenRule | undefined;
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

/** Schema of one of some words, or a refusal. */
function wordOrRefusal(...words: readonly string[]): z.ZodType {
  const expected = `one of ${words.join(', ')}, or {"status"} of a refusal`;
  return z.union([oneOf(...words), refusalSchema], expected);
}

/** Schema of a value for some of several names. */
function someOf(names: readonly string[], value: z.ZodType): z.ZodType {
  const shape = Object.fromEntries(names.map((name) => [name, value.exactOptional()]));
  return z.strictObject(shape, `an object with some of ${names.join(', ')}`);
}

/** A further key: a value stands for all values of its key, as its type is what counts. */
function furtherKeys(named: readonly string[]): z.ZodType {
  const key = z
    .string()
    .regex(/^[A-Za-z_][\w-]{0,60}$/, 'a key of letters, digits, _ and -')
    .refine((given) => !named.includes(given), 'a key that the interface does not name');
  return z.record(key, jsonSchema, 'an object with a sample for each key');
}

/** A row whose value is one of some words, of which the first is the mock's own. */
function words<const Word extends string>(
  question: string,
  ...possible: readonly [Word, ...Word[]]
): SilentRow<Word> {
  return { question, values: oneOf(...possible), default: possible[0] };
}

/** A row with a value for each of several names; `usual` is the mock's own for all of them. */
function each<const Name extends string, const Value>(
  question: string,
  names: readonly Name[],
  value: z.ZodType,
  usual: Value,
): SilentRow<Each<Name, Value>> {
  const entries = names.map((name) => [name, usual]);
  const usuals = Object.fromEntries(entries) as Each<Name, Value>;
  return { question, values: someOf(names, value), default: usuals, each: true };
}

const milliseconds = z.int('milliseconds').min(0, 'milliseconds').max(86_400_000, 'at most a day');
const secondsOrNull = z.union([z.null(), z.int().min(0).max(86_400)], 'seconds or null');
const unreadySessions: readonly UnreadySession[] = ['beforeReady', 'unrecorded'];
const statusWord = z.union(
  [z.null(), z.string().regex(/^(?!ready$)[a-z][a-z_-]{0,30}$/)],
  'a word other than ready, such as absent, or null',
);
const headerName = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'a header name in lower case');
const headerNames = z.array(headerName, 'an array of header names');
const pageSize = z.union(
  [z.int().min(1), z.strictObject({ atLeast: z.int().min(0) })],
  'a whole number above 0, or {"atLeast"}',
);
const profile = z.strictObject({
  name: z.string(),
  // Some services say 0 for the frame rate of the source.
  ...Object.fromEntries(profileFields.map((name) => [name, z.int().min(name === 'fps' ? 0 : 1)])),
  ...profileEncoding,
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
const key = z
  .string('a key of letters, digits and _')
  .regex(/^[A-Za-z_]\w{0,60}$/, 'a key of letters, digits and _');
const envelope = z.union(
  [
    z.null(),
    z
      .record(key, jsonSchema)
      .refine((shown) => Object.values(shown).filter((value) => value === '{result}').length === 1),
  ],
  'null, or an object with "{result}" at one key',
);
/** The methods of requests. */
export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const lists = ['listStreams', 'listSessionsOfStream', 'listSessions'] as const;

/** Headers that a dialect may not set: of one connection, of a body, of cookies, of other rows. */
const ownHeaders =
  /^(set-cookie|connection|keep-alive|transfer-encoding|te|trailer|upgrade|content-.*|date|access-control-.*|vary|etag|link|location|allow|retry-after|www-authenticate)$/;

const presence = ['absent', 'present'] as const;

/** Every behaviour that the interface leaves open, beside refusals and orders. */
const silent: { readonly [Id in RowId]: SilentRow<Behaviours[Id]> } = {
  'create.location': words('Does a creation answer with a Location header?', ...presence),
  'record.default': {
    question: 'Is a stream recorded that is created without record?',
    values: z.boolean('true or false'),
    default: false,
  },
  'profiles.default': {
    ...each(
      'Which profiles does a stream get that is created without profiles, with [] or with null?',
      ['omitted', 'none', 'null'],
      defaultProfiles,
      'empty',
    ),
    breaks({ omitted }: Behaviours['profiles.default']) {
      if (typeof omitted === 'string') return undefined;
      const names = omitted.map(({ name }) => name).join(', ');
      const statement = `A stream that is created without profiles has ${names}.`;
      return { statement, requirements: ['MEDIA-4'] };
    },
  },
  'profiles.of-session': words(
    'What does a session show where its stream has no profiles?',
    'empty',
    'absent',
    'null',
  ),
  'stream.record': words('Does a stream show record?', 'shown', 'absent'),
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
  },
  'session.further-keys': {
    question: 'Which further keys does a session show everywhere?',
    values: furtherKeys(documentedKeys.session),
    default: { kind: 'session', name: 'text', playbackId: 'text', userId: 'text', ...mediaCounts },
  },
  'session.mp4Url': words('Does a session show mp4Url beside mp4URL?', 'present', 'absent'),
  'session.record': words('Does a session that is not recorded show record?', 'shown', 'absent'),
  'keys.by-place': each<KeyPlace, Samples>(
    'Which further keys are shown, or have other values, only once or while live, or at one place?',
    places,
    furtherKeys(documentedKeys.stream.filter((key) => documentedKeys.session.includes(key))),
    {},
  ),
  'keys.spelling': {
    question: 'Which documented keys are spelled differently, and how?',
    values: someOf(respellableKeys, key),
    default: {},
    breaks(spellings) {
      const keys = respellableKeys.filter((key) => key in spellings);
      if (keys.length === 0) return undefined;
      const spelled = keys.map((key) => `${key} as ${spellings[key]}`).join(', ');
      const requirements = keys.flatMap((key) => requirementsOfKeys[key]);
      return { statement: `It spells ${spelled}.`, requirements };
    },
  },
  'answer.shows': each(
    'What does the response to a change show, where the interface does not say?',
    ['updateStream', 'deleteStream', 'terminateStream'],
    shown,
    'nothing',
  ),
  'answer.wrapped': each(
    'In which object is the result, if it is not the body itself?',
    ['listStreams', 'retrieveStream', 'listSessions', 'retrieveSession'],
    envelope,
    null,
  ),
  'delete.leaves': {
    ...words('What can still be read once a stream is deleted?', 'nothing', 'sessions'),
    needs: ['deleteStream'],
  },
  'list.page-size': each('How many records does a page of a list hold?', lists, pageSize, 100),
  'list.order': each(
    'In which order are records listed?',
    lists,
    oneOf('newest-first', 'oldest-first'),
    'newest-first',
  ),
  'list.next': {
    ...each(
      'How does a client find the next page?',
      lists,
      oneOf('link', 'x-next-cursor', 'not'),
      'link',
    ),
    hides: (value: Behaviours['list.next']) =>
      lists.every((list) => value[list] === 'not') ? ['list.full-last-page', 'list.cursor'] : [],
  },
  'list.cursor': words('What does a cursor look like?', 'opaque', 'offset'),
  'list.full-last-page': words('Does a full last page point to a next one?', 'told', 'not'),
  'list.sessions-among-streams': {
    question: 'Does the list of streams show sessions, and with which keys?',
    values: z.union(
      [oneOf('none', 'sessions', 'children'), z.strictObject({ children: furtherKeys([]) })],
      'none, sessions, children or {"children"} with a sample for each key',
    ),
    default: 'none',
    needs: ['listStreams'],
  },
  'list.record': {
    question:
      'Which sessions are listed without record, or with 0, false, true, an empty or another text?',
    values: someOf(
      ['absent', '0', 'false', 'true', 'other', 'empty'],
      oneOf('recorded', 'unrecorded', 'all'),
    ),
    default: {
      absent: 'all',
      0: 'unrecorded',
      false: 'unrecorded',
      true: 'recorded',
      other: 'all',
      empty: 'all',
    },
    each: true,
  },
  'sessions.appear': each(
    'When does a session appear in a list?',
    ['listSessionsOfStream', 'listSessions'],
    oneOf('at-start', 'at-end', 'when-ready'),
    'at-start',
  ),
  'sessions.status': {
    question: 'What is the recordingStatus of a session that is not ready, or not recorded?',
    values: someOf(unreadySessions, statusWord),
    default: { beforeReady: 'waiting', unrecorded: 'absent' },
    each: true,
  },
  'sessions.addresses': each(
    'How are the addresses shown of a recording that is not ready, or that is none?',
    unreadySessions,
    oneOf('absent', 'null', 'empty', 'present'),
    'absent',
  ),
  'time.ready': {
    question: 'How many milliseconds after its end is a recording ready?',
    values: milliseconds,
    default: 1_000,
  },
  'time.listed': {
    question: 'How many milliseconds after the moment in sessions.appear is a session listed?',
    values: milliseconds,
    default: 0,
  },
  'http.json-type': {
    question: 'Which content type do JSON responses other than refusals have?',
    values: z
      .string('a JSON content type')
      .regex(/^application\/([\w.-]{1,60}\+)?json(; ?charset=utf-8)?$/, 'a JSON content type'),
    default: 'application/json; charset=utf-8',
  },
  'http.headers': {
    question: 'Which further headers does every response have, with a made-up value of each?',
    values: z.record(
      headerName.refine((name) => !ownHeaders.test(name), 'a header that no other row is about'),
      z.string().regex(/^[ -~]{0,200}$/, 'a header value'),
      'an object of header values',
    ),
    default: {},
  },
  'http.head': {
    question: 'Is HEAD answered like GET?',
    values: wordOrRefusal('as-get'),
    default: 'as-get',
  },
  'http.options': each(
    'How is OPTIONS answered at a known and at an unknown path?',
    ['known', 'unknown'],
    wordOrRefusal('ok', 'no-content'),
    'no-content',
  ),
  'http.etag': words(
    'Do responses to GET have an ETag, and is If-None-Match answered with 304?',
    'absent',
    'present',
    'conditional',
  ),
  'http.allow': words('Do a refused method and OPTIONS get an Allow header?', ...presence),
  'auth.challenge': words('Does a 401 have a WWW-Authenticate header?', ...presence),
  'cors.origins': {
    ...each(
      'Which Origin may read a response, and send a request after a preflight?',
      ['requests', 'preflights'],
      wordOrRefusal('any', 'echo', 'none'),
      'any',
    ),
    hides: ({ requests, preflights }: Behaviours['cors.origins']) => [
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
  },
  'cors.allowed-headers': {
    question: 'Which headers does a preflight allow?',
    values: z.union([z.literal('asked'), headerNames], 'asked or an array of header names'),
    default: 'asked',
  },
  'cors.allowed-methods': {
    question: 'Which methods does a preflight allow?',
    values: z.array(oneOf(...httpMethods), 'an array of methods'),
    default: httpMethods,
  },
  'cors.max-age': {
    question: 'For how many seconds may a preflight be cached?',
    values: secondsOrNull,
    default: 600,
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
