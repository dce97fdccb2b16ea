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

/** What a service checks in one step; `no-key` is separate because many services check it later. */
export const errorClasses = [
  'key',
  'no-key',
  'body',
  'fields',
  'query',
  'id',
  'state',
  'route',
] as const;
export type ErrorClass = (typeof errorClasses)[number];

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
  /** `same`: the request asks for the value that the stream already has. */
  | { readonly state: 'live' | 'idle'; readonly same?: true }
  /** Added to the address unchanged. */
  | { readonly query: string }
  | { readonly method: 'PUT' | 'POST' }
  /** The path, and perhaps the query, spelled differently. */
  | { readonly path: (path: string) => string }
  /** The good request itself: does the service have this operation? */
  | { readonly good: true };

/** One thing that can be wrong with the requests for an endpoint, and what can happen then. */
export interface RequestError extends ErrorRule {
  readonly id: ErrorId;
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

/** A query that is wrong, or that a list may not support. */
function query(
  of: readonly ListOperation[],
  rule: ErrorRule,
  ...texts: readonly string[]
): ErrorDefinition {
  return { ...rule, class: 'query', of, flaws: texts.map((text) => ({ query: text })) };
}

const keptOrDropped = accepted('kept', 'dropped');
const droppedOrEmpty = refused('invalid', 'dropped', 'empty');
const droppedOrKept = refused('invalid', 'dropped', 'kept');
const droppedOrTruncated = refused('invalid', 'dropped', 'truncated');

const writes: readonly Endpoint[] = bodyOperations;

/** A content type of a good body; none if it is null. */
function contentType(rule: ErrorRule, ...types: readonly (string | null)[]): ErrorDefinition {
  return { ...rule, class: 'body', of: writes, flaws: types.map((type) => ({ type })) };
}

/** A key that is wrong, or written in another way. All operations treat it alike. */
function wrongKey(rule: ErrorRule, ...flaws: readonly Flaw[]): ErrorDefinition {
  return { ...rule, class: 'key', of: endpointNames, isShared: true, flaws };
}

/** A body that cannot be read. */
function unreadable(rule: ErrorRule, ...flaws: readonly Flaw[]): ErrorDefinition {
  return { ...rule, class: 'body', of: writes, flaws };
}

/** A body that can be read, but is not an object with known fields. */
function odd(
  rule: ErrorRule,
  of: readonly Endpoint[],
  ...texts: readonly string[]
): ErrorDefinition {
  return { ...rule, class: 'fields', of, flaws: texts.map((text) => ({ text })) };
}

const emptyList = refused('unknown', 'empty');
const doneOrNotFound = refused('unknown', 'done');
const showsSession = accepted('session');

/** An id that leads to nothing. */
function unknownId(of: readonly Endpoint[], ...flaws: readonly Flaw[]): ErrorDefinition {
  return {
    ...refused('unknown'),
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
  rule: ErrorRule,
  ...paths: readonly ((path: string) => string)[]
): ErrorDefinition {
  const flaws = paths.map((path) => ({ path }));
  return { ...rule, class: 'route', of: allOperations, isShared: true, flaws };
}

/**
 * Every error except those of fields; within a class, in the order in which they are reported. Each says what the mock
 * does without a dialect, and in which other ways a service may accept it.
 */
const errorTable = {
  'key:empty': wrongKey(refused('unauthorized', 'accepted'), { authorization: 'Bearer ' }),
  'key:scheme': wrongKey(
    refused('unauthorized', 'accepted'),
    { authorization: 'Basic bGVhcm46bGVhcm4=' },
    { authorization: 'Token livestream-mock' },
  ),
  'key:bare': wrongKey(refused('unauthorized', 'accepted'), { authorization: '{key}' }),
  'key:scheme-case': wrongKey(accepted('accepted'), { authorization: 'bearer {key}' }),
  'key:cut': wrongKey(refused('unauthorized', 'accepted'), { credential: 'cut' }),
  'key:extended': wrongKey(refused('unauthorized', 'accepted'), { credential: 'extended' }),
  'key:wrong': {
    ...refused('unauthorized', 'accepted'),
    class: 'key',
    of: endpointNames,
    flaws: [{ credential: 'wrong' }, { authorization: `Bearer ${neverIssuedId}` }],
  },
  'key:none': {
    ...refused('unauthorized', 'accepted'),
    class: 'no-key',
    of: endpointNames,
    flaws: [{ credential: 'none' }],
  },
  'body:large': {
    defaultCell: refusedCell('too-large', { above: 102_400, below: 262_144 }),
    acceptances: ['accepted'],
    class: 'body',
    of: writes,
    ...beyondLimit(limitSteps.body, (size) => ({ size })),
  },
  'body:type:text': contentType(refused('unsupported-type', 'accepted'), 'text/plain'),
  'body:type:form': contentType(
    refused('unsupported-type', 'accepted'),
    'application/x-www-form-urlencoded',
  ),
  'body:type:other': contentType(
    refused('unsupported-type', 'accepted'),
    'text/html',
    'application/octet-stream',
  ),
  'body:type:vendor': contentType(accepted('accepted'), 'application/vnd.api+json'),
  'body:type:none': contentType(refused('unsupported-type', 'accepted'), null),
  'body:charset': contentType(
    refused('unsupported-type', 'accepted'),
    'application/json; charset=iso-8859-1',
    'application/json; charset=windows-1252',
  ),
  // Some servers read every Unicode charset, and then find no JSON.
  'body:charset:utf-16': contentType(
    refused('unsupported-type', 'accepted'),
    'application/json; charset=utf-16',
  ),
  'body:encoding': unreadable(
    refused('unsupported-type', 'accepted'),
    { encoding: 'gzip' },
    { encoding: 'deflate' },
  ),
  'body:byte-order-mark': unreadable(accepted('accepted'), { mark: 'utf-8' }),
  // Some parsers find out by the mark which encoding a body has.
  'body:byte-order-mark:utf-16': unreadable(refused('malformed', 'accepted'), { mark: 'utf-16' }),
  'body:bytes': unreadable(
    refused('malformed', 'accepted'),
    { bytes: '\xff\xfe' },
    { bytes: '\xc3\x28' },
  ),
  'body:cut': unreadable(refused('malformed', 'accepted'), { cut: 1 }, { cut: 3 }),
  'body:malformed': unreadable(
    refused('malformed', 'accepted'),
    { text: '{"name":}' },
    { text: '{name: 1}' },
  ),
  'body:deep': {
    defaultCell: refusedCell('malformed', { above: defaultBodyDepth, below: 128 }),
    acceptances: ['accepted'],
    class: 'body',
    of: writes,
    ...beyondLimit([8, 32, 128, 512, 1_000], (depth) => ({ depth })),
  },
  'body:none': {
    ...refused('invalid', 'accepted'),
    class: 'fields',
    of: writes,
    flaws: [{ none: true }],
  },
  'body:blank': odd(refused('invalid', 'accepted'), writes, ''),
  'body:null': odd(refused('invalid', 'accepted'), writes, 'null'),
  'body:scalar': odd(refused('invalid', 'accepted'), writes, '"text"', '5'),
  'body:empty': odd(accepted('accepted'), ['updateStream'], '{}'),
  'body:unknown': odd(accepted('accepted'), ['updateStream'], `{"${unknownName}":1}`),
  'body:array': odd(refused('invalid', 'accepted'), writes, '[]', '[{"name":"a","record":true}]'),
  'query:unknown:given': query(
    lists,
    accepted('dropped'),
    `${unknownName}=1`,
    'livestreamMockOther=text',
  ),
  'query:limit:given': query(lists, keptOrDropped, 'limit=1', 'limit=2'),
  'query:limit:empty': query(lists, droppedOrEmpty, 'limit='),
  'query:limit:text': query(lists, droppedOrEmpty, 'limit=many', 'limit=x1'),
  'query:limit:suffix': query(lists, droppedOrTruncated, 'limit=1x', 'limit=1%202'),
  'query:limit:zero': query(lists, droppedOrEmpty, 'limit=0'),
  'query:limit:negative': query(lists, droppedOrEmpty, 'limit=-1', 'limit=-20'),
  'query:limit:fraction': query(lists, droppedOrTruncated, 'limit=1.5', 'limit=2.25'),
  'query:cursor:unknown': query(
    lists,
    droppedOrEmpty,
    'cursor=livestream-mock',
    'cursor=zzzzzzzzz',
  ),
  'query:cursor:empty': query(lists, droppedOrEmpty, 'cursor='),
  'query:record:missing': query(['listSessionsOfStream'], accepted('kept'), ''),
  'query:record:given': query(sessionLists, keptOrDropped, 'record=1'),
  'query:record:zero': query(sessionLists, accepted('kept'), 'record=0'),
  'query:record:false': query(sessionLists, accepted('kept'), 'record=false'),
  'query:record:true': query(sessionLists, accepted('kept'), 'record=true'),
  'query:record:other': query(sessionLists, accepted('kept'), 'record=maybe', 'record=2'),
  'query:record:empty': query(sessionLists, accepted('kept'), 'record='),
  'query:parentId:given': query(['listSessions'], keptOrDropped, 'parentId={id}'),
  'query:parentId:unknown': query(['listSessions'], keptOrDropped, `parentId=${neverIssuedId}`),
  'query:parentId:malformed': query(
    ['listSessions'],
    keptOrDropped,
    'parentId=undefined',
    'parentId=1',
  ),
  'query:parentId:empty': query(['listSessions'], keptOrDropped, 'parentId='),
  'query:active:given': query(lists, keptOrDropped, 'active=true'),
  'query:active:other': query(lists, droppedOrKept, 'active=maybe', 'active=2'),
  'query:active:empty': query(lists, droppedOrKept, 'active='),
  'query:order:given': query(lists, keptOrDropped, 'order=createdAt-false'),
  'query:order:other': query(lists, droppedOrEmpty, 'order=createdAt', 'order=createdAt-maybe'),
  'query:order:empty': query(lists, droppedOrEmpty, 'order='),
  'query:filters:given': query(
    lists,
    keptOrDropped,
    `filters=${encodeURIComponent('[{"id":"name","value":"Harbour"}]')}`,
  ),
  'query:filters:other': query(lists, droppedOrEmpty, 'filters=%5B%7B%7D%5D', 'filters=%7B'),
  'query:filters:empty': query(lists, droppedOrEmpty, 'filters='),
  'query:limit:large': {
    defaultCell: refusedCell('invalid', { above: pageLimit.maximum, below: 5_000 }),
    acceptances: ['kept'],
    class: 'query',
    of: lists,
    ...beyondLimit(limitSteps.limit, (value) => ({ query: `limit=${value}` })),
  },
  'id:percent': unknownId(idReadOperations, { id: '%zz' }, { id: '%E0%A4%A' }),
  'id:nul': unknownId(idReadOperations, { id: '%00' }, { id: 'a%00b' }),
  'id:large': unknownId(recordIdOperations, { id: 'a'.repeat(300) }),
  'id:malformed': unknownId(recordIdOperations, { id: 'undefined' }, { id: 'not-an-id' }),
  'id:unknown': unknownId(idOperations, { idOf: 'unknown' }),
  'id:deleted': unknownId(recordIdOperations, { idOf: 'deleted' }),
  'id:other-key': unknownId(idOperations, { idOf: 'other-key' }),
  'id:session': {
    ...refused('not-allowed', 'done'),
    class: 'id',
    of: [...streamOperations, 'retrievePlayback'],
    flaws: [{ idOf: 'session' }],
    rules: {
      retrieveStream: showsSession,
      retrievePlayback: showsSession,
      listSessionsOfStream: emptyList,
    },
  },
  // The id that a session has in the list of streams, if it has one of its own there.
  'id:child': {
    ...refused('unknown', 'done'),
    class: 'id',
    of: ['updateStream', 'deleteStream', 'setRecord', 'listSessionsOfStream', 'terminateStream'],
    flaws: [{ idOf: 'child' }],
    rules: { listSessionsOfStream: emptyList },
  },
  'id:stream': {
    ...refused('unknown'),
    class: 'id',
    of: ['retrieveSession'],
    flaws: [{ idOf: 'stream' }],
  },
  'state:live': {
    ...refused('not-allowed', 'accepted'),
    class: 'state',
    of: ['updateStream', 'deleteStream', 'setRecord'],
    flaws: [{ state: 'live' }],
    rules: { deleteStream: accepted('accepted') },
  },
  'state:live-same': {
    ...accepted('accepted'),
    class: 'state',
    of: ['setRecord'],
    flaws: [{ state: 'live', same: true }],
  },
  'state:idle': {
    ...accepted('done'),
    class: 'state',
    of: ['terminateStream'],
    flaws: [{ state: 'idle' }],
  },
  'operation:given': {
    ...accepted('accepted'),
    class: 'route',
    of: unstatedOperations,
    flaws: [{ good: true }],
  },
  'method:elsewhere': {
    ...refused('unknown'),
    class: 'route',
    of: allOperations,
    isShared: true,
    flaws: [{ method: 'POST' }],
  },
  'method:other': {
    ...refused('unknown'),
    class: 'route',
    of: allOperations,
    isShared: true,
    flaws: [{ method: 'PUT' }],
  },
  'path:trailing-slash': misspelled(accepted('accepted', 'redirect'), (path) =>
    path.replace(/(?=\?|$)/, '/'),
  ),
  'path:doubled-slash': misspelled(
    refused('unknown', 'accepted', 'redirect'),
    (path) => `/${path}`,
  ),
  // Some servers clean up a path only at its beginning.
  'path:doubled-slash:inside': misspelled(
    refused('unknown', 'accepted', 'redirect'),
    (path) => path.replace(/(?<=[^/])\/(?=[^/?]+(\?|$))/, '//'),
    (path) => path.replace(/(?<=[^/])\//, '//'),
  ),
  'path:encoded-letter': misspelled(accepted('accepted', 'redirect'), (path) =>
    path.replace('s', '%73').replace('/p', '/%70'),
  ),
  'path:letter-case': misspelled(refused('unknown', 'accepted', 'redirect'), (path) =>
    path.replaceAll(/\/[a-z-]+/g, (word) => word.toUpperCase()),
  ),
  'path:unknown': {
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
  return all.map(({ id, kind, defaultCell, acceptances }) => {
    const flaws = wrongValuesOf(field, kind).map((value) =>
      value === undefined ? { field: sentName } : { field: sentName, value },
    );
    const hasLimit = kind === 'small' || kind === 'large';
    const limit = hasLimit && { limitSteps: limitStepsOf(path, kind) };
    return { id, class: 'fields', flaws, isShared: false, defaultCell, acceptances, ...limit };
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
