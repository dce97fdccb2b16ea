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
/**
 * Headers that a dialect may not set for all responses, because they belong to a connection, a body, cookies or a page of a
 * list, lead a client elsewhere, or say which pages may read a response.
 */
const takenNames =
  /^(set-cookie|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|content-(type|length|encoding|range)|date|link|location|access-control-allow-origin)$/;
const headerValues: z.ZodType<Readonly<Record<string, string>>> = z.record(
  headerName.refine((name) => !takenNames.test(name), 'a header that all responses may have'),
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

const playbackForm = 'sources, or an object with a sample for each key';
const playbackSchema: z.ZodType<'sources' | Samples> = z.union(
  [oneOfWords('sources'), z.record(keySchema, jsonSchema)],
  playbackForm,
);

const pageSizeForm = 'a whole number above 0, or all';
const pageSize = z.union([positiveSchema, z.literal('all')], pageSizeForm);

const cursorForms = 'opaque, offset or {"prefix"} of up to 20 letters and signs';
const cursorPrefix = z.string().regex(/^(?=.*\D$)[\w.:~-]{1,20}$/, cursorForms);
const cursorForm = z.union(
  [oneOfWords('opaque', 'offset'), z.strictObject({ prefix: cursorPrefix })],
  cursorForms,
);

/** The same value for each list. */
function ofLists<const Value>(value: Value): Record<ListOperation, Value> {
  return { listStreams: value, listSessionsOfStream: value, listSessions: value };
}

const lists = {
  listStreams: 'GET /stream',
  listSessionsOfStream: 'GET /stream/{parentId}/sessions',
  listSessions: 'GET /session',
} as const;
const sessionLists = {
  listSessionsOfStream: lists.listSessionsOfStream,
  listSessions: lists.listSessions,
} as const;

/** Where, or when, a stream may show keys of its own. */
export const streamPlaces = {
  streamOnceLive: 'a stream that is or was live',
  streamWhileLive: 'a stream that is live',
  streamRecorded: 'a stream whose record is true',
  listStreams: 'a stream in GET /stream',
} as const;

/** Where, or when, a session may show keys of its own. */
export const sessionPlaces = {
  sessionWhileLive: 'a session that is live',
  retrieveSession: 'a session in GET /session/{id}',
  listSessionsOfStream: 'a session in GET /stream/{parentId}/sessions',
  listSessions: 'a session in GET /session',
  sessionAmongStreams: 'a session in the list of streams, or retrieved as a stream',
} as const;

const unavailable = {
  beforeReady: 'a recorded session whose recording is not ready',
  unrecorded: 'a session that is not recorded',
} as const;

/** A refusal in the place of a word. */
const orRefusal = {
  form: '{"status"}, and perhaps "body"',
  meaning: 'The request is refused in this way.',
} as const;

const samplesOther = {
  form: 'an object with a sample for each key',
  meaning: 'These keys, each with a made-up value that stands for all values of its type.',
} as const;

/** Every question that the interface leaves open, except cells and orders, with what each answer means. */
const behaviours = {
  'create.location': choice('Does creating a stream return a Location header?', {
    absent: 'It does not.',
    present: 'It does, with the address of the stream.',
  }),
  'record.default': behaviour(
    'Is a stream recorded if it is created without record?',
    z.boolean('true or false'),
    {
      meanings: { true: 'It is recorded.', false: 'It is not recorded.' },
      defaultValue: false,
      example: true,
    },
  ),
  'profiles.default': behaviourByName(
    'Which profiles does a stream get if it is created without profiles, with [] or with null?',
    {
      omitted: 'it was created without profiles',
      none: 'it was created with []',
      null: 'it was created with null, if that is accepted',
    },
    defaultProfiles,
    {
      meanings: {
        empty: 'It has no profiles, and shows [].',
        absent: 'It has no profiles, and does not show the key.',
        null: 'It has no profiles, and shows null.',
      },
      other: { form: 'an array of profiles', meaning: 'It has these profiles, and is transcoded.' },
      defaultValue: { omitted: 'empty', none: 'empty', null: 'empty' },
      example: {
        omitted: [{ name: '360p', bitrate: 500_000, fps: 30, width: 640, height: 360 }],
        none: 'absent',
      },
    },
  ),
  'profiles.of-session': choice('What does a session show as profiles if its stream has none?', {
    empty: 'It shows [].',
    absent: 'It does not show the key.',
    null: 'It shows null.',
  }),
  'stream.record': choice('Does a stream show record?', {
    shown: 'It does.',
    absent: 'It does not.',
  }),
  'stream.further-keys': behaviour(
    'Which additional keys does a stream show, with a made-up sample of each?',
    samplesSchema(documentedKeys.stream),
    {
      meanings: {},
      other: samplesOther,
      defaultValue: {
        kind: 'stream',
        ...noMedia,
        suspended: false,
        renditions: {},
        userId: 'text',
        createdByTokenName: 'text',
      },
      example: { kind: 'stream', region: 'text' },
    },
  ),
  'session.further-keys': behaviour(
    'Which additional keys does a session show everywhere?',
    samplesSchema(documentedKeys.session),
    {
      meanings: {},
      other: samplesOther,
      defaultValue: {
        kind: 'session',
        name: 'text',
        playbackId: 'text',
        userId: 'text',
        ...furtherCounts,
      },
      example: { kind: 'session', name: 'text', viewerCount: 0 },
    },
  ),
  'session.mp4Url': choice('Does a session show mp4Url as well as mp4URL?', {
    present: 'It shows both, with the same address.',
    absent: 'It shows only mp4URL, or what `keys.spelling` says.',
  }),
  'session.record': choice('Does a session that is not recorded show record?', {
    shown: 'It shows false.',
    absent: 'It does not show the key.',
  }),
  'keys.by-place': behaviourByName(
    'Which additional keys appear, or have another type, only in one place, or while or after a stream is live?',
    { ...streamPlaces, ...sessionPlaces },
    samplesSchema(commonKeys),
    {
      meanings: {},
      other: samplesOther,
      defaultValue: {
        streamOnceLive: {},
        streamWhileLive: {},
        streamRecorded: {},
        listStreams: {},
        sessionWhileLive: {},
        retrieveSession: {},
        listSessionsOfStream: {},
        listSessions: {},
        sessionAmongStreams: {},
      },
      example: { streamWhileLive: { isHealthy: false }, listSessions: { parentName: 'text' } },
    },
  ),
  'keys.missing': behaviourByName(
    'Which keys does a stream or session lack in one place, or while it is live?',
    {
      createStream: 'a stream in the response to POST /stream; a field that was sent is there',
      listStreams: 'a stream in GET /stream',
      streamWhileLive: 'a stream that is live',
      sessionWhileLive: 'a session that is live',
    },
    z.array(keySchema, 'an array of keys') as z.ZodType<readonly string[]>,
    {
      meanings: {},
      other: { form: 'an array of keys', meaning: 'It lacks these there, and has them elsewhere.' },
      defaultValue: {
        createStream: [],
        listStreams: [],
        streamWhileLive: [],
        sessionWhileLive: [],
      },
      example: { listStreams: ['streamKey'], sessionWhileLive: ['endedAt'] },
    },
  ),
  'keys.spelling': behaviour(
    'Which documented keys are spelled differently, and how?',
    someOf(respellableKeys, keySchema),
    {
      meanings: {},
      other: {
        form: `an object with some of ${respellableKeys.join(', ')}`,
        meaning: 'Each of these keys has this name in its place.',
      },
      defaultValue: {},
      example: { mp4URL: 'mp4Url' },
    },
  ),
  'response.shows': behaviourByName(
    'What does the response to a change show, where the interface does not say?',
    {
      updateStream: 'PATCH /stream/{id}',
      deleteStream: 'DELETE /stream/{id}',
      terminateStream: 'DELETE /stream/{id}/terminate',
    },
    changeResponse,
    {
      meanings: {
        nothing: 'The status is 204, and there is no body.',
        stream: 'The status is 200, and the body is the stream.',
      },
      other: {
        form: '{"status"}, and perhaps "json"',
        meaning: 'The response has this status, and this body if there is one.',
      },
      defaultValue: {
        updateStream: 'nothing',
        deleteStream: 'nothing',
        terminateStream: 'nothing',
      },
      example: { updateStream: 'stream', deleteStream: { status: 200, json: { deleted: true } } },
    },
  ),
  'playback.shows': behaviour(
    'What does the response to GET /playback/{playbackId} show?',
    playbackSchema,
    {
      meanings: { sources: 'Where a player finds the stream, in the form that the SDK reads.' },
      other: {
        form: 'an object with a sample for each key',
        meaning:
          'This object. In it, `"{hls}"` stands for the address of the playlist, and a key that a stream has shows the value of the stream.',
      },
      defaultValue: 'sources',
      example: { playbackId: 'text', isLive: false, url: '{hls}' },
    },
  ),
  'response.wrapped': behaviourByName(
    'Which object contains the result, if it is not the body itself?',
    {
      listStreams: 'GET /stream',
      retrieveStream: 'GET /stream/{id}',
      listSessions: 'GET /session',
      retrieveSession: 'GET /session/{id}',
    },
    envelopeSchema,
    {
      meanings: { null: 'The result is the body itself.' },
      other: {
        form: 'an object with "{result}" at one key',
        meaning: 'The body is this object, with the result in the place of "{result}".',
      },
      defaultValue: {
        listStreams: null,
        retrieveStream: null,
        listSessions: null,
        retrieveSession: null,
      },
      example: { listStreams: { data: '{result}', total: 0 } },
    },
  ),
  'delete.leaves': choice('What can still be read once a stream is deleted?', {
    nothing: 'Neither the stream nor its sessions.',
    sessions:
      'Its sessions, by their ids, in the list of all sessions, and in that of streams if sessions are among them.',
  }),
  'list.page-size': behaviourByName('How many items does a page of a list hold?', lists, pageSize, {
    meanings: { all: 'All of them: the list has no pages.' },
    other: {
      form: 'a whole number above 0',
      meaning: 'This many, unless the client asks for another number.',
    },
    defaultValue: ofLists<number | 'all'>(pageLimit.default),
    example: { listStreams: 20 },
  }),
  'list.order': behaviourByName(
    'In which order are items listed?',
    lists,
    oneOfWords('newest-first', 'oldest-first', 'last-seen-first'),
    {
      meanings: {
        'newest-first': 'By their creation, the latest first.',
        'oldest-first': 'By their creation, the earliest first.',
        'last-seen-first': 'By when they were last live, the latest first.',
      },
      defaultValue: ofLists('newest-first'),
      example: { listStreams: 'last-seen-first' },
    },
  ),
  'list.next': behaviourByName(
    'How does a client find the next page?',
    lists,
    oneOfWords('link', 'x-next-cursor', 'not'),
    {
      meanings: {
        link: 'By a Link header with its address.',
        'x-next-cursor': 'By an X-Next-Cursor header, whose value is the cursor to ask with.',
        not: 'Nothing points to it.',
      },
      defaultValue: ofLists('link'),
      example: { listSessionsOfStream: 'not' },
    },
  ),
  'list.cursor': behaviour('What does a cursor look like?', cursorForm, {
    meanings: {
      opaque: 'A text that only the service can read.',
      offset: 'The number of items before the page.',
    },
    other: { form: '{"prefix"}', meaning: 'This text, and the number of items before the page.' },
    defaultValue: 'opaque',
    example: { prefix: 'skip' },
  }),
  'list.full-last-page': choice('Does a full last page point to a next one?', {
    yes: 'It does, and the next page is empty.',
    no: 'It does not.',
  }),
  'list.sessions-among-streams': choice('Does the list of streams show sessions, and as what?', {
    none: 'It shows only streams.',
    sessions: 'It shows sessions as they are elsewhere.',
    children: 'It shows sessions with ids of their own, and with the keys of a session.',
  }),
  'list.record': behaviourByName(
    'Which sessions are listed when record is absent, empty, 0, false, true or anything else?',
    {
      absent: 'there is no parameter record',
      '0': 'record=0',
      false: 'record=false',
      true: 'record=true',
      other: 'record has any other value, such as 2',
      empty: 'record is empty',
    },
    oneOfWords('recorded', 'unrecorded', 'all'),
    {
      meanings: {
        recorded: 'Only those that are recorded.',
        unrecorded: 'Only those that are not recorded.',
        all: 'All sessions.',
      },
      defaultValue: {
        absent: 'all',
        '0': 'unrecorded',
        false: 'unrecorded',
        true: 'recorded',
        other: 'all',
        empty: 'all',
      },
      example: { absent: 'recorded' },
    },
  ),
  'sessions.appear': behaviourByName(
    'When does a session appear in a list?',
    { ...sessionLists, recordedOnly: 'a list of only recorded sessions, if it is later there' },
    oneOfWords('at-start', 'at-end', 'when-ready'),
    {
      meanings: {
        'at-start': 'Once it is live.',
        'at-end': 'Once it has ended.',
        'when-ready': 'Once its recording is ready.',
      },
      defaultValue: {
        listSessionsOfStream: 'at-start',
        listSessions: 'at-start',
        recordedOnly: 'at-start',
      },
      example: { listSessionsOfStream: 'at-end' },
    },
  ),
  'sessions.status': behaviourByName(
    'What is the recordingStatus of a session that is not ready, or not recorded?',
    unavailable,
    statusWord,
    {
      meanings: { null: 'It is null.' },
      other: {
        form: 'a word other than ready',
        meaning: 'It is this word. `"absent"` means that the session does not show the key.',
      },
      defaultValue: { beforeReady: 'waiting', unrecorded: 'absent' },
      example: { beforeReady: 'processing', unrecorded: null },
    },
  ),
  'sessions.addresses': behaviourByName(
    'How are addresses shown if a recording is not ready, or if there is none?',
    unavailable,
    oneOfWords('absent', 'null', 'empty', 'present'),
    {
      meanings: {
        absent: 'The session does not show the keys.',
        null: 'They are null.',
        empty: 'They are empty strings.',
        present: 'They are shown, but lead nowhere yet.',
      },
      defaultValue: { beforeReady: 'absent', unrecorded: 'absent' },
      example: { beforeReady: 'null' },
    },
  ),
  'time.ready': behaviour(
    'How many milliseconds after its end is a recording ready?',
    delaySchema,
    {
      meanings: {},
      other: { form: 'a whole number up to 86400000', meaning: 'This many milliseconds.' },
      defaultValue: 1_000,
      example: 5_000,
    },
  ),
  'time.listed': behaviour(
    'How many milliseconds after the moment in sessions.appear is a session listed?',
    delaySchema,
    {
      meanings: {},
      other: { form: 'a whole number up to 86400000', meaning: 'This many milliseconds.' },
      defaultValue: 0,
      example: 500,
    },
  ),
  'http.json-type': behaviour(
    'Which content type do JSON responses other than refusals have?',
    jsonContentType,
    {
      meanings: {},
      other: { form: 'a content type of JSON', meaning: 'This content type.' },
      defaultValue: jsonType,
      example: 'application/json',
    },
  ),
  'http.headers': behaviour(
    'Which additional headers does every response have, with a made-up value of each?',
    headerValues,
    {
      meanings: {},
      other: { form: 'an object of header values', meaning: 'These headers, with these values.' },
      defaultValue: {},
      example: { 'x-powered-by': 'Express' },
    },
  ),
  'http.head': behaviour('Is HEAD answered like GET?', oneOfWordsOrRefusal('as-get'), {
    meanings: { 'as-get': 'It is, without the body.' },
    other: orRefusal,
    defaultValue: 'as-get',
    example: { status: 405 },
  }),
  'http.options': behaviourByName(
    'How does the service respond to OPTIONS at known and unknown paths?',
    { known: 'a path of an operation', unknown: 'any other path' },
    oneOfWordsOrRefusal('ok', 'no-content', 'methods'),
    {
      meanings: {
        ok: 'With 200 and no body.',
        'no-content': 'With 204.',
        methods: 'With 200, and a list of methods as its text.',
      },
      other: orRefusal,
      defaultValue: { known: 'no-content', unknown: 'no-content' },
      example: { unknown: { status: 404 } },
    },
  ),
  'http.preflight': choice('How does the service respond to a preflight that it allows?', {
    'as-options': 'As to any OPTIONS at the path; with 204 if that is refused.',
    ok: 'With 200 and no body.',
    'no-content': 'With 204.',
  }),
  'http.etag': choice('Do responses to GET have an ETag, and is If-None-Match answered with 304?', {
    absent: 'They have no ETag.',
    present: 'They have one, but If-None-Match has no effect.',
    conditional: 'They have one, and If-None-Match with it is answered with 304.',
  }),
  'http.etag-of': behaviourByName(
    'Which other responses with a body have an ETag?',
    { changes: 'a success of another method than GET', refusals: 'a refusal by an operation' },
    oneOfWords('absent', 'present'),
    {
      meanings: { absent: 'They have no ETag.', present: 'They have one.' },
      defaultValue: { changes: 'absent', refusals: 'absent' },
      example: { changes: 'present' },
    },
  ),
  'http.allow': choice('Do a refused method and OPTIONS get an Allow header?', {
    absent: 'They do not.',
    present: 'They do, with the methods of the path.',
  }),
  'auth.challenge': choice('Does a 401 have a WWW-Authenticate header?', {
    absent: 'It does not.',
    present: 'It does, with the scheme Bearer.',
  }),
  'cors.origins': behaviourByName(
    'Which Origin may read a response, and send a request after a preflight?',
    { requests: 'a request with an Origin', preflights: 'a preflight' },
    oneOfWordsOrRefusal('any', 'echo', 'none'),
    {
      meanings: {
        any: 'Every one, by the header value *.',
        echo: 'Every one, by a header with the Origin of the request.',
        none: 'None, as there is no header.',
      },
      other: orRefusal,
      defaultValue: { requests: 'echo', preflights: 'echo' },
      example: { requests: { status: 403 }, preflights: { status: 403 } },
    },
  ),
  'cors.credentials': choice('May a page of another origin send credentials, such as cookies?', {
    allowed: 'It may.',
    'not-allowed': 'It may not.',
  }),
  'cors.without-origin': behaviourByName(
    'Which of the headers for pages does a response also have if the request names no Origin?',
    {
      'access-control-allow-origin': 'the header with *',
      'access-control-allow-credentials': 'the header that `cors.credentials` is about',
      'access-control-expose-headers': 'the header that `cors.exposed-headers` is about',
    },
    oneOfWords('absent', 'present'),
    {
      meanings: {
        absent: 'Only responses to pages have it.',
        present: 'All responses have it.',
      },
      defaultValue: {
        'access-control-allow-origin': 'present',
        'access-control-allow-credentials': 'absent',
        'access-control-expose-headers': 'present',
      },
      example: { 'access-control-allow-credentials': 'present' },
    },
  ),
  'cors.exposed-headers': behaviour(
    'Which headers may a page of another origin read?',
    headerNames,
    {
      meanings: {},
      other: {
        form: 'an array of header names',
        meaning: 'These, besides those that every page may read. `*` stands for all.',
      },
      defaultValue: exposedHeaders,
      example: ['link', 'etag'],
    },
  ),
  'cors.allowed-headers': behaviour(
    'Which headers does a preflight allow?',
    z.union([z.literal('asked'), headerNames], 'asked or an array of header names'),
    {
      meanings: { asked: 'Those that it asks for.' },
      other: { form: 'an array of header names', meaning: 'These. `*` stands for all.' },
      defaultValue: 'asked',
      example: ['authorization', 'content-type'],
    },
  ),
  'cors.allowed-methods': behaviour('Which methods does a preflight allow?', methods, {
    meanings: {},
    other: { form: 'an array of methods', meaning: 'These.' },
    defaultValue: httpMethods,
    example: ['GET', 'POST', 'PATCH', 'DELETE'],
  }),
  'cors.max-age': behaviour('For how many seconds may a preflight be cached?', maxAge, {
    meanings: { null: 'There is no such header.' },
    other: { form: 'a whole number up to 86400', meaning: 'This many seconds.' },
    defaultValue: 600,
    example: 86_400,
  }),
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

/** How a preflight that is allowed `as-options` is answered, by what any other OPTIONS gets. */
export function preflightAsOptions(options: NamedBehaviour<'http.options'>) {
  return typeof options === 'object' ? 'no-content' : options;
}

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
