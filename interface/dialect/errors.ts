import type { Json } from '../json.ts';
import { interfaceOperationNames, statedOperationNames } from '../operation-names.ts';
import { pageLimit } from '../operations.ts';
import { tableOf } from '../tables.ts';
import { accepted, type ErrorRule, refused, refusedCell } from './cells.ts';
import {
  allFieldsOf,
  type BodyOperation,
  bodyOperations,
  type Field,
  type FieldErrorId,
  fieldsOf,
  fieldsWhileLive,
  limitSteps,
  limitStepsOf,
  wrongValuesOf,
} from './fields.ts';

/** All endpoints, in the order of a dialect. */
export const endpointNames = [...interfaceOperationNames, 'unknownRoute'] as const;

/** What a request asks for: an operation, or a path that the service does not know. */
export type Endpoint = (typeof endpointNames)[number];

/** A value for each endpoint. */
export type ByEndpoint<Value> = Readonly<Record<Endpoint, Value>>;

/** Makes a value for each endpoint. */
export function byEndpoint<Value>(make: (endpoint: Endpoint) => Value): ByEndpoint<Value> {
  return tableOf(endpointNames, make);
}

/** What a service checks in one step, and what can be wrong there. */
export const errorClassMeanings = {
  key: 'The key is wrong, or is not sent as it should be.',
  'no-key': 'There is no key. Many services check this later than a wrong key.',
  body: 'The body cannot be read: its size, type, encoding or JSON is wrong.',
  fields: 'The body can be read, but is no object with the right fields.',
  query: 'A parameter of the query is wrong.',
  id: 'The id in the path does not lead to what the operation needs.',
  state: 'The stream is live, or is not.',
  route: 'The path or the method is wrong.',
} as const;
export type ErrorClass = keyof typeof errorClassMeanings;

/** All classes, in the order of a dialect. */
export const errorClasses = Object.keys(errorClassMeanings) as readonly ErrorClass[];

/** The name of a field, or of a parameter, that no service knows. */
export const unknownName = 'livestreamMockUnknown';

/** How a good request is made wrong. */
export type Flaw =
  /** Another key, or none; `cut` lacks the last character of the right one, `extended` has one too many. */
  | { readonly credential: 'none' | 'wrong' | 'cut' | 'extended' }
  /** A header in which `{key}` stands for the right key. */
  | { readonly authorization: string }
  /** The whole body as it is sent. */
  | { readonly text: string }
  | { readonly none: true }
  /** The good body without its last characters. */
  | { readonly cut: number }
  /** The good body with these bytes, in Latin-1, in a text. */
  | { readonly bytes: string }
  /** The content type of the good body; none if it is null. */
  | { readonly type: string | null }
  | { readonly encoding: 'gzip' | 'deflate' }
  /** The good body after a byte order mark, in this encoding, which no header names. */
  | { readonly mark: 'utf-8' | 'utf-16' }
  /** The good body padded with spaces to this many bytes. */
  | { readonly size: number }
  /** The good body with nested arrays in the field {@link unknownName}: this many levels including the body. */
  | { readonly depth: number }
  /** The good body with a field set, or without the field if there is no value. */
  | { readonly field: string; readonly value?: Json }
  /** An id as it is written in the path, already encoded. */
  | { readonly id: string }
  | { readonly idOf: 'unknown' | 'deleted' | 'other-key' | 'session' | 'child' | 'stream' }
  /** `same`: the request asks for the value that the stream already has; `sets`: the fields that it sets. */
  | {
      readonly state: 'live' | 'idle';
      readonly same?: true;
      readonly sets?: Readonly<Record<string, Json>>;
    }
  /** Added to the address unchanged. */
  | { readonly query: string }
  | { readonly method: 'PUT' | 'POST' }
  /** The JSON of the good body, spelled differently. */
  | { readonly spell: (json: string) => string }
  /** The good body as a form, with its content type. */
  | { readonly form: true }
  /** The path, and perhaps the query, spelled differently. */
  | { readonly path: (path: string) => string }
  /** The good request itself: does the service have this operation? */
  | { readonly good: true };

/** One thing that can be wrong with the requests for an endpoint, and what can happen then. */
export interface RequestError extends ErrorRule {
  readonly id: ErrorId;
  /** What is wrong with the request, in a sentence. */
  readonly meaning: string;
  readonly class: ErrorClass;
  /** How a good request is made wrong; two ways if there are two different wrong values. */
  readonly flaws: readonly Flaw[];
  /** Whether all endpoints share one cell for it. `learn` tries it with one operation. */
  readonly isShared: boolean;
  /**
   * For an error that exists only beyond a limit: the values to try, of which the first is valid everywhere.
   * `flaws` has one for each of the others.
   */
  readonly limitSteps?: readonly number[];
}

/** An error, and the endpoints whose requests can have it. */
interface ErrorDefinition extends ErrorRule {
  readonly meaning: string;
  readonly class: ErrorClass;
  readonly of: readonly Endpoint[];
  readonly flaws: readonly Flaw[];
  readonly isShared?: true;
  readonly limitSteps?: readonly number[];
  /** What can happen to it in some of the endpoints instead. */
  readonly rules?: Readonly<Partial<Record<Endpoint, ErrorRule>>>;
}

const allOperations = interfaceOperationNames;
const lists = ['listStreams', 'listSessionsOfStream', 'listSessions'] as const;
export type ListOperation = (typeof lists)[number];
/** Those that are sent a parameter that no service knows: nothing is deleted or ended with one. */
const parameterOperations = allOperations.filter(
  (name) => name !== 'deleteStream' && name !== 'terminateStream',
);
const sessionLists = ['listSessionsOfStream', 'listSessions'] as const;
/** Fixed, so that every run sends the same. The id that the suite writes to is random, but this one is only a filter or a key. */
const neverIssuedId = '00000000-0000-4000-8000-000000000000';
const streamOperations = [
  'retrieveStream',
  'updateStream',
  'deleteStream',
  'setRecord',
  'listSessionsOfStream',
  'terminateStream',
] as const;
const recordIdOperations: readonly Endpoint[] = [...streamOperations, 'retrieveSession'];
/** They read by an id. Only these are sent one that is not a valid path segment. */
const idReadOperations: readonly Endpoint[] = [
  'retrieveStream',
  'listSessionsOfStream',
  'retrieveSession',
  'retrievePlayback',
];
const idOperations: readonly Endpoint[] = [...recordIdOperations, 'retrievePlayback'];
const unstatedOperations = allOperations.filter(
  (name) => !statedOperationNames.some((stated) => stated === name),
);

/** How many levels of arrays and objects a body may have without a dialect. */
export const defaultBodyDepth = 32;

/** A flaw for each value beyond the first of some steps, at one of which a limit lies. */
function beyondLimit(steps: readonly number[], flawOf: (value: number) => Flaw) {
  return { limitSteps: steps, flaws: steps.slice(1).map(flawOf) };
}

/** A query that is wrong, or that an operation may not support. */
function query(
  meaning: string,
  of: readonly Endpoint[],
  rule: ErrorRule,
  ...texts: readonly string[]
): ErrorDefinition {
  return { ...rule, meaning, class: 'query', of, flaws: texts.map((text) => ({ query: text })) };
}

const keptOrDropped = accepted('kept', 'dropped');
const droppedOrEmpty = refused('invalid', 'dropped', 'empty');
const droppedOrKept = refused('invalid', 'dropped', 'kept');
const droppedOrTruncated = refused('invalid', 'dropped', 'truncated');

const writes: readonly Endpoint[] = bodyOperations;

/** A content type of a good body; none if it is null. */
function contentType(
  meaning: string,
  rule: ErrorRule,
  ...types: readonly (string | null)[]
): ErrorDefinition {
  return { ...rule, meaning, class: 'body', of: writes, flaws: types.map((type) => ({ type })) };
}

/** A key that is wrong, or written in another way. All operations treat it alike. */
function wrongKey(meaning: string, rule: ErrorRule, ...flaws: readonly Flaw[]): ErrorDefinition {
  return { ...rule, meaning, class: 'key', of: endpointNames, isShared: true, flaws };
}

/** A body that cannot be read. */
function unreadable(meaning: string, rule: ErrorRule, ...flaws: readonly Flaw[]): ErrorDefinition {
  return { ...rule, meaning, class: 'body', of: writes, flaws };
}

/** JSON in which the first key comes twice, with the same value. */
function withKeyTwice(json: string): string {
  const [member] = Object.entries(JSON.parse(json) as object);
  if (member === undefined) return json;
  const [key, value] = member;
  return `{${JSON.stringify(key)}:${JSON.stringify(value)},${json.slice(1)}`;
}

/** A body that can be read, but is not an object with known fields. */
function odd(
  meaning: string,
  rule: ErrorRule,
  of: readonly Endpoint[],
  ...texts: readonly string[]
): ErrorDefinition {
  return { ...rule, meaning, class: 'fields', of, flaws: texts.map((text) => ({ text })) };
}

const emptyList = refused('unknown', 'empty');
const doneOrNotFound = refused('unknown', 'done');
const showsSession = accepted('session');

/** An error of an update of a live stream, by the field that is set. */
const liveUpdateIds = fieldsWhileLive.map((field) => `state:live:${field}` as const);

/** The field that an error of an update of a live stream is about. */
export function fieldOfLiveUpdate(error: ErrorId): string | undefined {
  return /^state:live:(.+)$/.exec(error)?.[1];
}

/** An update of a live stream that sets nothing but one field. */
function liveUpdate(id: (typeof liveUpdateIds)[number]) {
  const name = id.slice('state:live:'.length);
  const field = fieldsOf.updateStream.get(name);
  // Suspending a stream ends its session.
  const value = name === 'suspended' ? false : (field?.good[0] ?? null);
  return {
    meaning: `The stream is live, and the update sets ${name}.`,
    ...accepted('accepted'),
    class: 'state',
    of: ['updateStream'],
    flaws: [{ state: 'live', sets: { [name]: value } }],
  } as const;
}

/** The operations that may change a stream or session with an id that they should refuse. */
const changingOperations = ['updateStream', 'deleteStream', 'setRecord'] as const;

/** What can happen in those operations. */
function whereChanging(rule: ErrorRule): Readonly<Partial<Record<Endpoint, ErrorRule>>> {
  return Object.fromEntries(changingOperations.map((name) => [name, rule]));
}

/** An id that leads to nothing. */
function unknownId(
  meaning: string,
  of: readonly Endpoint[],
  ...flaws: readonly Flaw[]
): ErrorDefinition {
  return {
    ...refused('unknown'),
    meaning,
    class: 'id',
    of,
    flaws,
    rules: {
      updateStream: doneOrNotFound,
      deleteStream: doneOrNotFound,
      setRecord: doneOrNotFound,
      terminateStream: doneOrNotFound,
      listSessionsOfStream: emptyList,
    },
  };
}

/** A path that is spelled differently. */
function misspelled(
  meaning: string,
  rule: ErrorRule,
  ...paths: readonly ((path: string) => string)[]
): ErrorDefinition {
  const flaws = paths.map((path) => ({ path }));
  return { ...rule, meaning, class: 'route', of: allOperations, isShared: true, flaws };
}

/**
 * Every error except those of fields; within a class, in the order in which they are reported. Each says what the mock
 * does without a dialect, and in which other ways a service may accept it.
 */
const errorTable = {
  'key:empty': wrongKey(
    'The authorization header has the scheme Bearer and no key.',
    refused('unauthorized', 'accepted'),
    { authorization: 'Bearer ' },
  ),
  'key:scheme': wrongKey(
    'The authorization header has a scheme other than Bearer.',
    refused('unauthorized', 'accepted'),
    { authorization: 'Basic bGVhcm46bGVhcm4=' },
    { authorization: 'Token livestream-mock' },
  ),
  'key:bare': wrongKey(
    'The authorization header has the right key without a scheme.',
    refused('unauthorized', 'accepted'),
    { authorization: '{key}' },
  ),
  'key:scheme-case': wrongKey(
    'The scheme of the right key is in lower case.',
    accepted('accepted'),
    { authorization: 'bearer {key}' },
  ),
  'key:spaces': wrongKey('There are two spaces before the right key.', accepted('accepted'), {
    authorization: 'Bearer  {key}',
  }),
  'key:cut': wrongKey(
    'The key is the right one without its last character.',
    refused('unauthorized', 'accepted'),
    { credential: 'cut' },
  ),
  'key:extended': wrongKey(
    'The key is the right one with a character appended.',
    refused('unauthorized', 'accepted'),
    { credential: 'extended' },
  ),
  'key:wrong': {
    meaning: 'The key was never issued.',
    ...refused('unauthorized', 'accepted'),
    class: 'key',
    of: endpointNames,
    flaws: [{ credential: 'wrong' }, { authorization: `Bearer ${neverIssuedId}` }],
  },
  'key:none': {
    meaning: 'There is no authorization header.',
    ...refused('unauthorized', 'accepted'),
    class: 'no-key',
    of: endpointNames,
    flaws: [{ credential: 'none' }],
  },
  'body:large': {
    meaning: 'The body has more bytes than a limit.',
    defaultCell: refusedCell('too-large', { above: 102_400, below: 262_144 }),
    acceptances: ['accepted'],
    class: 'body',
    of: writes,
    ...beyondLimit(limitSteps.body, (size) => ({ size })),
  },
  'body:type:text': contentType(
    'The content type of the JSON is that of text.',
    refused('unsupported-type', 'accepted'),
    'text/plain',
  ),
  'body:type:form': contentType(
    'The content type of the JSON is that of a form.',
    refused('unsupported-type', 'accepted'),
    'application/x-www-form-urlencoded',
  ),
  'body:type:other': contentType(
    'The content type of the JSON is neither that of JSON, nor of text or a form.',
    refused('unsupported-type', 'accepted'),
    'text/html',
    'application/octet-stream',
  ),
  'body:type:vendor': contentType(
    'The content type of the JSON is a special one that ends with +json.',
    accepted('accepted'),
    'application/vnd.api+json',
  ),
  'body:type:none': contentType(
    'The JSON has no content type.',
    refused('unsupported-type', 'accepted'),
    null,
  ),
  'body:charset': contentType(
    'The content type names a charset other than those of Unicode.',
    refused('unsupported-type', 'accepted'),
    'application/json; charset=iso-8859-1',
    'application/json; charset=windows-1252',
  ),
  // Some servers read every Unicode charset, and then find no JSON.
  'body:charset:utf-16': contentType(
    'The content type names UTF-16.',
    refused('unsupported-type', 'accepted'),
    'application/json; charset=utf-16',
  ),
  // Many servers read both. In a form, all values are texts, which other operations may refuse for their fields.
  'body:form': {
    ...unreadable(
      'The body is a form, with the content type of a form.',
      refused('unsupported-type', 'accepted'),
      { form: true },
    ),
    of: ['createStream'],
  },
  'body:encoding': unreadable(
    'The body is compressed.',
    refused('unsupported-type', 'accepted'),
    { encoding: 'gzip' },
    { encoding: 'deflate' },
  ),
  'body:byte-order-mark': unreadable(
    'The JSON comes after a byte order mark.',
    accepted('accepted'),
    { mark: 'utf-8' },
  ),
  // Some parsers find out by the mark which encoding a body has.
  'body:byte-order-mark:utf-16': unreadable(
    'The JSON comes after a byte order mark of UTF-16, and is in that encoding.',
    refused('malformed', 'accepted'),
    { mark: 'utf-16' },
  ),
  'body:bytes': unreadable(
    'A text in the JSON is not valid UTF-8.',
    refused('malformed', 'accepted'),
    { bytes: '\xff\xfe' },
    { bytes: '\xc3\x28' },
  ),
  'body:cut': unreadable(
    'The JSON lacks its end.',
    refused('malformed', 'accepted'),
    { cut: 1 },
    { cut: 3 },
  ),
  'body:malformed': unreadable(
    'The body is not JSON.',
    refused('malformed', 'accepted'),
    { text: '{"name":}' },
    { text: '{name: 1}' },
  ),
  'body:duplicate-key': unreadable(
    'An object of the JSON has the same key twice.',
    accepted('accepted'),
    { spell: withKeyTwice },
  ),
  // Some parsers tell apart 30 and 30.0.
  'body:number-form': {
    ...unreadable(
      'A whole number of a profile is written with a fraction of 0, or with an exponent.',
      accepted('accepted'),
      { spell: (json) => json.replace(/(?<="fps":\d+)(?=\D)/, '.0') },
      { spell: (json) => json.replace(/(?<="bitrate":\d+)000(?=\D)/, 'e3') },
    ),
    of: ['createStream'],
  },
  'body:deep': {
    meaning: 'The JSON has more levels of arrays and objects than a limit.',
    defaultCell: refusedCell('malformed', { above: defaultBodyDepth, below: 128 }),
    acceptances: ['accepted'],
    class: 'body',
    of: writes,
    ...beyondLimit([8, 32, 128, 512, 1_000], (depth) => ({ depth })),
  },
  'body:none': {
    meaning: 'There is no body, and no content type.',
    ...refused('invalid', 'accepted'),
    class: 'fields',
    of: writes,
    flaws: [{ none: true }],
  },
  'body:blank': odd(
    'The content type is that of JSON, but the body is empty.',
    refused('invalid', 'accepted'),
    writes,
    '',
  ),
  'body:null': odd('The body is null.', refused('invalid', 'accepted'), writes, 'null'),
  'body:scalar': odd(
    'The body is a string or a number.',
    refused('invalid', 'accepted'),
    writes,
    '"text"',
    '5',
  ),
  'body:empty': odd(
    'The body is an object without fields.',
    accepted('accepted'),
    ['updateStream'],
    '{}',
  ),
  'body:unknown': odd(
    'The body has only a field that no service knows.',
    accepted('accepted'),
    ['updateStream'],
    `{"${unknownName}":1}`,
  ),
  'body:array': odd(
    'The body is an array.',
    refused('invalid', 'accepted'),
    writes,
    '[]',
    '[{"name":"a","record":true}]',
  ),
  'query:unknown:given': query(
    'There is a parameter that no service knows.',
    parameterOperations,
    accepted('dropped'),
    `${unknownName}=1`,
    `${unknownName}=text`,
  ),
  'query:repeated': query(
    'A parameter is given twice.',
    lists,
    accepted('accepted'),
    'limit=1&limit=1',
    'limit=2&limit=2',
  ),
  'query:limit:given': query(
    'There is a limit on the number of items.',
    lists,
    keptOrDropped,
    'limit=1',
    'limit=2',
  ),
  'query:limit:empty': query('The limit is empty.', lists, droppedOrEmpty, 'limit='),
  'query:limit:text': query(
    'The limit is not a number.',
    lists,
    droppedOrEmpty,
    'limit=many',
    'limit=x1',
  ),
  'query:limit:suffix': query(
    'The limit is a number with something appended.',
    lists,
    droppedOrTruncated,
    'limit=1x',
    'limit=1%202',
  ),
  'query:limit:zero': query('The limit is 0.', lists, droppedOrEmpty, 'limit=0'),
  'query:limit:negative': query(
    'The limit is below 0.',
    lists,
    droppedOrEmpty,
    'limit=-1',
    'limit=-20',
  ),
  'query:limit:fraction': query(
    'The limit is not a whole number.',
    lists,
    droppedOrTruncated,
    'limit=1.5',
    'limit=2.25',
  ),
  'query:cursor:unknown': query(
    'The cursor is not one that the service has issued.',
    lists,
    droppedOrEmpty,
    'cursor=livestream-mock',
    'cursor=zzzzzzzzz',
  ),
  'query:cursor:empty': query('The cursor is empty.', lists, droppedOrEmpty, 'cursor='),
  'query:record:missing': query(
    'The parameter record is missing. `list.record` says which sessions are then listed.',
    ['listSessionsOfStream'],
    accepted('kept'),
    '',
  ),
  'query:record:given': query(
    'Only recorded sessions are asked for.',
    sessionLists,
    keptOrDropped,
    'record=1',
  ),
  'query:record:zero': query(
    'The parameter record is 0. `list.record` says which sessions are then listed.',
    sessionLists,
    accepted('kept'),
    'record=0',
  ),
  'query:record:false': query(
    'The parameter record is false. `list.record` says which sessions are then listed.',
    sessionLists,
    accepted('kept'),
    'record=false',
  ),
  'query:record:true': query(
    'The parameter record is true. `list.record` says which sessions are then listed.',
    sessionLists,
    accepted('kept'),
    'record=true',
  ),
  'query:record:other': query(
    'The parameter record is none of 1, 0, true and false. `list.record` says which sessions are then listed.',
    sessionLists,
    accepted('kept'),
    'record=maybe',
    'record=2',
  ),
  'query:record:empty': query(
    'The parameter record is empty. `list.record` says which sessions are then listed.',
    sessionLists,
    accepted('kept'),
    'record=',
  ),
  'query:parentId:given': query(
    'Only the sessions of a stream are asked for.',
    ['listSessions'],
    keptOrDropped,
    'parentId={id}',
  ),
  'query:parentId:unknown': query(
    'The sessions of a stream that does not exist are asked for.',
    ['listSessions'],
    keptOrDropped,
    `parentId=${neverIssuedId}`,
  ),
  'query:parentId:malformed': query(
    'The parameter parentId is not the id of any stream.',
    ['listSessions'],
    keptOrDropped,
    'parentId=undefined',
    'parentId=1',
  ),
  'query:parentId:empty': query(
    'The parameter parentId is empty.',
    ['listSessions'],
    keptOrDropped,
    'parentId=',
  ),
  'query:active:given': query(
    'Only live items are asked for.',
    lists,
    keptOrDropped,
    'active=true',
  ),
  'query:active:other': query(
    'The parameter active is neither true nor false.',
    lists,
    droppedOrKept,
    'active=maybe',
    'active=2',
  ),
  'query:active:empty': query('The parameter active is empty.', lists, droppedOrKept, 'active='),
  'query:order:given': query(
    'The items are to be sorted.',
    lists,
    keptOrDropped,
    'order=createdAt-false',
  ),
  'query:order:other': query(
    'The parameter order does not name a field and a direction.',
    lists,
    droppedOrEmpty,
    'order=createdAt',
    'order=createdAt-maybe',
  ),
  'query:order:empty': query('The parameter order is empty.', lists, droppedOrEmpty, 'order='),
  'query:filters:given': query(
    'Only items with some value of a field are asked for.',
    lists,
    keptOrDropped,
    `filters=${encodeURIComponent('[{"id":"name","value":"Harbour"}]')}`,
  ),
  'query:filters:other': query(
    'The parameter filters is not JSON, or has no field.',
    lists,
    droppedOrEmpty,
    'filters=%5B%7B%7D%5D',
    'filters=%7B',
  ),
  'query:filters:empty': query(
    'The parameter filters is empty.',
    lists,
    droppedOrEmpty,
    'filters=',
  ),
  'query:limit:large': {
    meaning: 'The limit is larger than the service allows.',
    defaultCell: refusedCell('invalid', { above: pageLimit.maximum, below: 5_000 }),
    acceptances: ['kept'],
    class: 'query',
    of: lists,
    ...beyondLimit(limitSteps.limit, (value) => ({ query: `limit=${value}` })),
  },
  'id:percent': unknownId(
    'The id in the path cannot be decoded.',
    idReadOperations,
    { id: '%zz' },
    { id: '%E0%A4%A' },
  ),
  'id:nul': unknownId(
    'The id in the path contains the character NUL.',
    idReadOperations,
    { id: '%00' },
    { id: 'a%00b' },
  ),
  'id:large': unknownId('The id has 300 characters.', recordIdOperations, { id: 'a'.repeat(300) }),
  'id:malformed': unknownId(
    'The id does not have the form of an id.',
    recordIdOperations,
    { id: 'undefined' },
    { id: 'not-an-id' },
  ),
  'id:unknown': unknownId('The id has the right form, but was never issued.', idOperations, {
    idOf: 'unknown',
  }),
  'id:deleted': unknownId('The id is that of a deleted stream.', recordIdOperations, {
    idOf: 'deleted',
  }),
  'id:other-key': {
    meaning: 'The id is that of a stream or session of another key.',
    ...refused('unknown'),
    class: 'id',
    of: idOperations,
    flaws: [{ idOf: 'other-key' }],
    rules: {
      ...whereChanging(refused('unknown', 'done', 'carried-out')),
      terminateStream: doneOrNotFound,
      listSessionsOfStream: emptyList,
    },
  },
  'id:session': {
    meaning: 'The id is that of a session, where one of a stream is expected.',
    ...refused('not-allowed', 'done'),
    class: 'id',
    of: [...streamOperations, 'retrievePlayback'],
    flaws: [{ idOf: 'session' }],
    rules: {
      ...whereChanging(refused('not-allowed', 'done', 'carried-out')),
      retrieveStream: showsSession,
      retrievePlayback: showsSession,
      listSessionsOfStream: emptyList,
    },
  },
  // The id that a session has in the list of streams, if it has one of its own there.
  'id:child': {
    meaning: 'The id is the one that a session has in the list of streams, and nowhere else.',
    ...refused('unknown', 'done'),
    class: 'id',
    of: ['updateStream', 'deleteStream', 'setRecord', 'listSessionsOfStream', 'terminateStream'],
    flaws: [{ idOf: 'child' }],
    rules: { listSessionsOfStream: emptyList },
  },
  'id:stream': {
    meaning: 'The id is that of a stream, where one of a session is expected.',
    ...refused('unknown'),
    class: 'id',
    of: ['retrieveSession'],
    flaws: [{ idOf: 'stream' }],
  },
  'state:live': {
    meaning: 'The stream is live; in an update, its profiles are to be set.',
    ...refused('not-allowed', 'accepted'),
    class: 'state',
    of: ['updateStream', 'deleteStream', 'setRecord'],
    flaws: [{ state: 'live' }],
    rules: { deleteStream: accepted('accepted') },
  },
  ...tableOf(liveUpdateIds, liveUpdate),
  'state:live-same': {
    meaning: 'The stream is live, and has the value that is to be set.',
    ...accepted('accepted'),
    class: 'state',
    of: ['setRecord'],
    flaws: [{ state: 'live', same: true }],
  },
  'state:idle': {
    meaning: 'The stream is not live.',
    ...accepted('done'),
    class: 'state',
    of: ['terminateStream'],
    flaws: [{ state: 'idle' }],
  },
  'operation:given': {
    meaning: 'Nothing is wrong. A refusal means that the service does not have this operation.',
    ...accepted('accepted'),
    class: 'route',
    of: unstatedOperations,
    flaws: [{ good: true }],
  },
  'method:elsewhere': {
    meaning: 'The method is one that the service has at other paths.',
    ...refused('unknown'),
    class: 'route',
    of: allOperations,
    isShared: true,
    flaws: [{ method: 'POST' }],
  },
  'method:other': {
    meaning: 'The method is one that the service has nowhere.',
    ...refused('unknown'),
    class: 'route',
    of: allOperations,
    isShared: true,
    flaws: [{ method: 'PUT' }],
  },
  'path:trailing-slash': misspelled(
    'The path ends with a slash.',
    accepted('accepted', 'redirect'),
    (path) => path.replace(/(?=\?|$)/, '/'),
  ),
  'path:doubled-slash': misspelled(
    'The path begins with two slashes.',
    refused('unknown', 'accepted', 'redirect'),
    (path) => `/${path}`,
  ),
  // Some servers clean up a path only at its beginning.
  'path:doubled-slash:inside': misspelled(
    'There are two slashes within the path.',
    refused('unknown', 'accepted', 'redirect'),
    (path) => path.replace(/(?<=[^/])\/(?=[^/?]+(\?|$))/, '//'),
    (path) => path.replace(/(?<=[^/])\//, '//'),
  ),
  'path:encoded-letter': misspelled(
    'A letter of the path is percent-encoded.',
    accepted('accepted', 'redirect'),
    (path) => path.replace('s', '%73').replace('/p', '/%70'),
  ),
  'path:letter-case': misspelled(
    'The words of the path are in capital letters.',
    refused('unknown', 'accepted', 'redirect'),
    (path) => path.replaceAll(/\/[a-z-]+/g, (word) => word.toUpperCase()),
  ),
  'path:unknown': {
    meaning: 'The path is not one of the interface.',
    ...refused('unknown'),
    class: 'route',
    of: ['unknownRoute'],
    flaws: [{ good: true }],
  },
} as const satisfies Readonly<Record<string, ErrorDefinition>>;

type PlainErrorId = keyof typeof errorTable;

/** The id of one thing that can be wrong with a request, such as `key:none` or `field:name:null`. */
export type ErrorId = PlainErrorId | FieldErrorId;

/** The errors whose ids begin with a word, such as `key`: what one stage of a request may find. */
export type ErrorIdOf<Subject extends string> = Extract<ErrorId, `${Subject}:${string}`>;

/** The errors of the table in its order. */
const plainErrors = Object.entries(errorTable) as unknown as readonly (readonly [
  PlainErrorId,
  ErrorDefinition,
])[];

function errorsOfField(field: Field): RequestError[] {
  const { path, presence, errors, limits } = field;
  const sentName = path.replace(/unknown$/, unknownName).replace(/^read-only$/, 'createdAt');
  const all = [...(presence === undefined ? [] : [presence]), ...errors, ...limits];
  return all.map(({ id, kind, meaning, defaultCell, acceptances }) => {
    const flaws = wrongValuesOf(field, kind).map((value) =>
      value === undefined ? { field: sentName } : { field: sentName, value },
    );
    const hasLimit = kind === 'small' || kind === 'large';
    const limit = hasLimit && { limitSteps: limitStepsOf(path, kind) };
    return {
      id,
      meaning,
      class: 'fields',
      flaws,
      isShared: false,
      defaultCell,
      acceptances,
      ...limit,
    };
  });
}

function errorsFor(endpoint: Endpoint): readonly RequestError[] {
  const errors = plainErrors.flatMap(([id, { of, rules, isShared = false, ...error }]) =>
    of.includes(endpoint) ? [{ id, isShared, ...error, ...rules?.[endpoint] }] : [],
  );
  if (!isBodyOperation(endpoint)) return errors;
  return [...errors, ...allFieldsOf(endpoint).flatMap(errorsOfField)];
}

/** Whether a request for an endpoint has a JSON body. */
export function isBodyOperation(endpoint: string): endpoint is BodyOperation {
  return (bodyOperations as readonly string[]).includes(endpoint);
}

/** The errors that a request for each endpoint can have; within a class, in the order in which they are reported. */
export const errorsOf: ByEndpoint<readonly RequestError[]> = byEndpoint(errorsFor);
