import * as z from 'zod';
import { exposedHeaders, jsonType } from '../default-responses.ts';
import { type Json, jsonSchema } from '../json.ts';
import { pageLimit } from '../operations.ts';
import { nonNegativeSchema, positiveSchema, profileSchema } from '../schemas.ts';
import { noMedia } from '../types.ts';
import {
  type BehaviourDefinition,
  behaviour,
  behaviourByName,
  choice,
  oneOfWords,
  oneOfWordsOrRefusal,
  someOf,
} from './behaviour-definition.ts';
import type { ListOperation } from './errors.ts';
import { requirementsOfKeys } from './stated-rules.ts';

/** A made-up value for each of some keys. It stands for all values of its type. */
export type Samples = Readonly<Record<string, Json>>;

/** The sample that stands for any text. */
export const sampleText = 'text';

/** Schema of samples of keys that are not among the documented ones. */
function samplesSchema(documented: readonly string[]): z.ZodType<Samples> {
  const keyName = z
    .string()
    .regex(/^[A-Za-z_][\w-]{0,60}$/, 'a key of letters, digits, _ and -')
    .refine((name) => !documented.includes(name), 'a key that the interface does not name');
  return z.record(keyName, jsonSchema, 'an object with a sample for each key');
}

/** The keys of a session that are about its recording. */
export const recordingKeys = ['recordingStatus', 'recordingUrl', 'mp4URL', 'mp4Url'] as const;

const commonKeys = ['id', 'createdAt', 'profiles', 'record'] as const;
/** The keys that the interface documents for streams and sessions. */
export const documentedKeys: Readonly<Record<'stream' | 'session', readonly string[]>> = {
  stream: [...commonKeys, 'name', 'streamKey', 'playbackId'],
  session: [...commonKeys, ...recordingKeys, 'parentId', 'sourceSegmentsDuration'],
};

/** Keys that a dialect can spell differently. */
export type RespellableKey = keyof typeof requirementsOfKeys;

export const respellableKeys: readonly RespellableKey[] = Object.keys(
  requirementsOfKeys,
) as RespellableKey[];

/** The counts of a session that the interface does not document. */
const { sourceSegmentsDuration: _, ...furtherCounts } = noMedia;

const delaySchema = z.int('milliseconds').min(0).max(86_400_000, 'at most a day');
const maxAgeForm = 'null or a whole number of seconds, up to 86400';
const maxAge = z.union([z.null(), z.int(maxAgeForm).min(0).max(86_400)], maxAgeForm);
const statusForm = 'a word other than ready, such as absent, or null';
const statusWord = z.union(
  [z.null(), z.string(statusForm).regex(/^(?!ready$)[a-z][a-z_-]{0,30}$/)],
  statusForm,
);
const jsonContentType = z
  .string('a JSON content type')
  .regex(/^application\/([\w.-]{1,60}\+)?json(; ?charset=utf-8)?$/);

// Header names have no case.
const headerName = z
  .string('a header name')
  .regex(/^[A-Za-z][\w.-]{0,60}$/)
  .toLowerCase();
/** `*` stands for all headers. */
const headerNames: z.ZodType<readonly string[]> = z.array(
  z.union([headerName, z.literal('*')], 'a header name, or *'),
  'an array of header names',
);
/** Headers that a dialect may not set, because they belong to a connection, a body, cookies or other behaviours. */
const takenNames =
  /^(set-cookie|connection|keep-alive|transfer-encoding|te|trailer|upgrade|content-.*|date|access-control-.*|vary|etag|link|location|allow|retry-after|www-authenticate)$/;
const headerValues: z.ZodType<Readonly<Record<string, string>>> = z.record(
  headerName.refine((name) => !takenNames.test(name), 'a header that no other behaviour is about'),
  z.string('a header value').regex(/^[ -~]{0,200}$/),
  'an object of header values',
);

export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const methods: z.ZodType<readonly string[]> = z.array(
  oneOfWords(...httpMethods),
  'an array of methods',
);

// Some services say 0 for the frame rate of the source.
const defaultProfileSchema = profileSchema.extend({ fps: nonNegativeSchema });
const profilesForm = 'empty, absent, null or an array of profiles';
const defaultProfiles = z.union(
  [oneOfWords('empty', 'absent', 'null'), z.array(defaultProfileSchema, profilesForm).min(1)],
  profilesForm,
);

/** How a change is answered: nothing with 204, the stream with 200, or a status with or without JSON. */
const changeResponse = z.union(
  [
    oneOfWords('nothing', 'stream'),
    z.strictObject({
      status: z.int('a status from 200 to 299').min(200).max(299),
      json: jsonSchema.exactOptional(),
    }),
  ],
  'nothing, stream or {"status","json"}',
);
export type ChangeResponse = z.infer<typeof changeResponse>;

const keySchema = z.string('a key of letters, digits and _').regex(/^[A-Za-z_]\w{0,60}$/);
const envelopeForm = 'null, or an object with "{result}" at one key';
/** A made-up object in which `{result}` stands for the items; `null` if these are the whole body. */
const envelopeSchema: z.ZodType<Samples | null> = z.union(
  [
    z.null(),
    z
      .record(keySchema, jsonSchema, envelopeForm)
      .refine(
        (samples) => Object.values(samples).filter((value) => value === '{result}').length === 1,
      ),
  ],
  envelopeForm,
);

const pageSizeForm = 'a whole number above 0, or all';
const pageSize = z.union([positiveSchema, z.literal('all')], pageSizeForm);

/** The same value for each list. */
function ofLists<const Value>(value: Value): Record<ListOperation, Value> {
  return { listStreams: value, listSessionsOfStream: value, listSessions: value };
}

/** Every question that the interface leaves open, except cells and orders. */
const behaviours = {
  'create.location': choice(
    'Does creating a stream return a Location header?',
    'absent',
    'present',
  ),
  'record.default': behaviour(
    'Is a stream recorded if it is created without record?',
    z.boolean('true or false'),
    false,
  ),
  // A word says what such a stream shows as profiles; an array gives it these profiles.
  'profiles.default': behaviourByName(
    'Which profiles does a stream get if it is created without profiles, with [] or with null?',
    defaultProfiles,
    { omitted: 'empty', none: 'empty', null: 'empty' },
  ),
  'profiles.of-session': choice(
    'What does a session show as profiles if its stream has none?',
    'empty',
    'absent',
    'null',
  ),
  'stream.record': choice('Does a stream show record?', 'shown', 'absent'),
  'stream.further-keys': behaviour(
    'Which additional keys does a stream show, with a made-up sample of each?',
    samplesSchema(documentedKeys.stream),
    {
      kind: 'stream',
      ...noMedia,
      suspended: false,
      renditions: {},
      userId: 'text',
      createdByTokenName: 'text',
    },
  ),
  'session.further-keys': behaviour(
    'Which additional keys does a session show everywhere?',
    samplesSchema(documentedKeys.session),
    { kind: 'session', name: 'text', playbackId: 'text', userId: 'text', ...furtherCounts },
  ),
  'session.mp4Url': choice('Does a session show mp4Url as well as mp4URL?', 'present', 'absent'),
  'session.record': choice('Does a session that is not recorded show record?', 'shown', 'absent'),
  'keys.by-place': behaviourByName(
    'Which additional keys appear, or have another type, only in one place, or while or after a stream is live?',
    samplesSchema(commonKeys),
    {
      streamOnceLive: {},
      streamWhileLive: {},
      sessionWhileLive: {},
      retrieveSession: {},
      listSessionsOfStream: {},
      listSessions: {},
      // In the list of streams, and if it is retrieved as a stream.
      sessionAmongStreams: {},
    },
  ),
  'keys.spelling': behaviour(
    'Which documented keys are spelled differently, and how?',
    someOf(respellableKeys, keySchema),
    {},
  ),
  'response.shows': behaviourByName(
    'What does the response to a change show, where the interface does not say?',
    changeResponse,
    { updateStream: 'nothing', deleteStream: 'nothing', terminateStream: 'nothing' },
  ),
  'response.wrapped': behaviourByName(
    'Which object contains the result, if it is not the body itself?',
    envelopeSchema,
    { listStreams: null, retrieveStream: null, listSessions: null, retrieveSession: null },
  ),
  'delete.leaves': choice(
    'What can still be read once a stream is deleted?',
    'nothing',
    'sessions',
  ),
  // `all`: the list has no pages.
  'list.page-size': behaviourByName(
    'How many items does a page of a list hold?',
    pageSize,
    ofLists<number | 'all'>(pageLimit.default),
  ),
  'list.order': behaviourByName(
    'In which order are items listed?',
    oneOfWords('newest-first', 'oldest-first', 'last-seen-first'),
    ofLists('newest-first'),
  ),
  // `link`: by a Link header. `x-next-cursor`: by a header of that name. `not`: not at all.
  'list.next': behaviourByName(
    'How does a client find the next page?',
    oneOfWords('link', 'x-next-cursor', 'not'),
    ofLists('link'),
  ),
  // `opaque`: only the service can read it. `offset`: the number of items before the page.
  'list.cursor': choice('What does a cursor look like?', 'opaque', 'offset'),
  // If so, the next page is empty.
  'list.full-last-page': choice('Does a full last page point to a next one?', 'yes', 'no'),
  // `children`: they have ids of their own, and the keys of a session.
  'list.sessions-among-streams': choice(
    'Does the list of streams show sessions, and as what?',
    'none',
    'sessions',
    'children',
  ),
  'list.record': behaviourByName(
    'Which sessions are listed when record is absent, empty, 0, false, true or anything else?',
    oneOfWords('recorded', 'unrecorded', 'all'),
    {
      absent: 'all',
      '0': 'unrecorded',
      false: 'unrecorded',
      true: 'recorded',
      other: 'all',
      empty: 'all',
    },
  ),
  'sessions.appear': behaviourByName(
    'When does a session appear in a list?',
    oneOfWords('at-start', 'at-end', 'when-ready'),
    { listSessionsOfStream: 'at-start', listSessions: 'at-start' },
  ),
  // `absent`: without this key. `null`: with null as its value.
  'sessions.status': behaviourByName(
    'What is the recordingStatus of a session that is not ready, or not recorded?',
    statusWord,
    { beforeReady: 'waiting', unrecorded: 'absent' },
  ),
  'sessions.addresses': behaviourByName(
    'How are addresses shown if a recording is not ready, or if there is none?',
    oneOfWords('absent', 'null', 'empty', 'present'),
    { beforeReady: 'absent', unrecorded: 'absent' },
  ),
  'time.ready': behaviour(
    'How many milliseconds after its end is a recording ready?',
    delaySchema,
    1_000,
  ),
  'time.listed': behaviour(
    'How many milliseconds after the moment in sessions.appear is a session listed?',
    delaySchema,
    0,
  ),
  'http.json-type': behaviour(
    'Which content type do JSON responses other than refusals have?',
    jsonContentType,
    jsonType,
  ),
  'http.headers': behaviour(
    'Which additional headers does every response have, with a made-up value of each?',
    headerValues,
    {},
  ),
  'http.head': behaviour('Is HEAD answered like GET?', oneOfWordsOrRefusal('as-get'), 'as-get'),
  // `ok`: with 200. `no-content`: with 204. `methods`: with 200 and a list of methods as its text.
  'http.options': behaviourByName(
    'How does the service respond to OPTIONS at known and unknown paths?',
    oneOfWordsOrRefusal('ok', 'no-content', 'methods'),
    { known: 'no-content', unknown: 'no-content' },
  ),
  'http.etag': choice(
    'Do responses to GET have an ETag, and is If-None-Match answered with 304?',
    'absent',
    'present',
    'conditional',
  ),
  'http.allow': choice('Do a refused method and OPTIONS get an Allow header?', 'absent', 'present'),
  'auth.challenge': choice('Does a 401 have a WWW-Authenticate header?', 'absent', 'present'),
  // `any`: `*`. `echo`: the Origin of the request. `none`: no header. A refusal: requests with an Origin are refused.
  'cors.origins': behaviourByName(
    'Which Origin may read a response, and send a request after a preflight?',
    oneOfWordsOrRefusal('any', 'echo', 'none'),
    { requests: 'echo', preflights: 'echo' },
  ),
  'cors.credentials': choice(
    'May a page of another origin send credentials, such as cookies?',
    'allowed',
    'not-allowed',
  ),
  'cors.exposed-headers': behaviour(
    'Which headers may a page of another origin read?',
    headerNames,
    exposedHeaders,
  ),
  // `asked`: those that the preflight asks for.
  'cors.allowed-headers': behaviour(
    'Which headers does a preflight allow?',
    z.union([z.literal('asked'), headerNames], 'asked or an array of header names'),
    'asked',
  ),
  'cors.allowed-methods': behaviour('Which methods does a preflight allow?', methods, httpMethods),
  // `null`: without this header.
  'cors.max-age': behaviour('For how many seconds may a preflight be cached?', maxAge, 600),
} as const;

export type BehaviourId = keyof typeof behaviours;

/** The behaviours with a value for each of several names. */
export type NamedBehaviourId = {
  [Id in BehaviourId]: (typeof behaviours)[Id] extends { readonly isNamed: true } ? Id : never;
}[BehaviourId];

/** What a service does in everything that the interface leaves open, except cells and orders. */
export type Behaviours = { readonly [Id in BehaviourId]: (typeof behaviours)[Id]['defaultValue'] };

/** One value of a behaviour that has several names. */
export type NamedBehaviour<Id extends NamedBehaviourId> = Behaviours[Id][keyof Behaviours[Id]];

/** Whether pages of some Origin may read a response. */
export function allowsOrigins(origins: NamedBehaviour<'cors.origins'>): origins is 'any' | 'echo' {
  return origins === 'any' || origins === 'echo';
}

export const behaviourIds: readonly BehaviourId[] = Object.keys(behaviours) as BehaviourId[];

/** A behaviour with its schema, for code that treats all of them in the same way. */
export function definitionOf(id: BehaviourId): BehaviourDefinition {
  return behaviours[id] as unknown as BehaviourDefinition;
}

/** What the mock does without a dialect. */
export const defaultBehaviours: Behaviours = Object.fromEntries(
  behaviourIds.map((id) => [id, definitionOf(id).defaultValue]),
) as unknown as Behaviours;
