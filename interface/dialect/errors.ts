import type { Json } from '../json.ts';
import {
  type InterfaceOperationName,
  interfaceOperationNames,
  statedOperationNames,
} from '../operation-names.ts';
import {
  allFieldsOf,
  type BodyOperation,
  bodyOperations,
  type Field,
  limitSteps,
  limitStepsOf,
  wrongValuesOf,
} from './fields.ts';

/** What a request asks for: an operation, or a path that the service does not know. */
export type Endpoint = InterfaceOperationName | 'unknownRoute';

/** All endpoints, in the order of a dialect. */
export const endpointNames: readonly Endpoint[] = [...interfaceOperationNames, 'unknownRoute'];

/** A value for each endpoint. */
export type ByEndpoint<Value> = Readonly<Record<Endpoint, Value>>;

/** Makes a value for each endpoint. */
export function byEndpoint<Value>(make: (endpoint: Endpoint) => Value): ByEndpoint<Value> {
  return Object.fromEntries(
    endpointNames.map((endpoint) => [endpoint, make(endpoint)]),
  ) as ByEndpoint<Value>;
}

/** What a service checks in one step; `no-key` is separate because many services check it later. */
export type ErrorClass = 'key' | 'no-key' | 'body' | 'fields' | 'id' | 'state' | 'query' | 'route';

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
  /** The good body padded with spaces to this many bytes. */
  | { readonly size: number }
  /** The good body with nested arrays in the field {@link unknownName}: this many levels including the body. */
  | { readonly depth: number }
  /** The good body with a field set, or without the field if there is no value. */
  | { readonly field: string; readonly value?: Json }
  /** An id as it is written in the path, already encoded. */
  | { readonly id: string }
  | { readonly idOf: 'unknown' | 'deleted' | 'other-key' | 'session' | 'stream' }
  /** `same`: the request asks for the value that the stream already has. */
  | { readonly state: 'live' | 'idle'; readonly same?: true }
  /** Added to the address unchanged. */
  | { readonly query: string }
  | { readonly method: 'PUT' | 'POST' }
  /** The path, and perhaps the query, spelled differently. */
  | { readonly path: (path: string) => string }
  /** The good request itself: does the service have this operation? */
  | { readonly good: true };

/** One thing that can be wrong with a request. */
export interface RequestError {
  readonly id: string;
  readonly class: ErrorClass;
  /** How a good request is made wrong; two ways if there are two different wrong values. */
  readonly flaws: readonly Flaw[];
  /**
   * For an error that exists only beyond a limit: the values to try, of which the first is valid everywhere.
   * `flaws` has one for each of the others.
   */
  readonly limitSteps?: readonly number[];
}

/** An error, and the endpoints whose requests can have it. */
interface ErrorDefinition extends RequestError {
  readonly of: readonly Endpoint[];
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

function define(
  id: string,
  errorClass: ErrorClass,
  of: readonly Endpoint[],
  ...flaws: readonly Flaw[]
): ErrorDefinition {
  return { id, class: errorClass, of, flaws };
}

/** Defines an error that exists beyond a limit; `flawOf` makes a request with one of the values to try. */
function defineLimit(
  id: string,
  errorClass: ErrorClass,
  of: readonly Endpoint[],
  steps: readonly number[],
  flawOf: (value: number) => Flaw,
): ErrorDefinition {
  return { ...define(id, errorClass, of, ...steps.slice(1).map(flawOf)), limitSteps: steps };
}

/** Queries that are wrong, or that a list may not support; two of each kind if possible. */
const wrongQueries: readonly (readonly [
  of: readonly ListOperation[],
  error: string,
  ...texts: readonly string[],
])[] = [
  [lists, 'unknown:given', `${unknownName}=1`, 'livestreamMockOther=text'],
  [lists, 'limit:given', 'limit=1', 'limit=2'],
  [lists, 'limit:empty', 'limit='],
  [lists, 'limit:text', 'limit=many', 'limit=x1'],
  [lists, 'limit:suffix', 'limit=1x', 'limit=1%202'],
  [lists, 'limit:zero', 'limit=0'],
  [lists, 'limit:negative', 'limit=-1', 'limit=-20'],
  [lists, 'limit:fraction', 'limit=1.5', 'limit=2.25'],
  [lists, 'cursor:unknown', 'cursor=livestream-mock', 'cursor=zzzzzzzzz'],
  [lists, 'cursor:empty', 'cursor='],
  [['listSessionsOfStream'], 'record:missing', ''],
  [sessionLists, 'record:given', 'record=1'],
  [sessionLists, 'record:zero', 'record=0'],
  [sessionLists, 'record:false', 'record=false'],
  [sessionLists, 'record:true', 'record=true'],
  [sessionLists, 'record:other', 'record=maybe', 'record=2'],
  [sessionLists, 'record:empty', 'record='],
  [['listSessions'], 'parentId:given', 'parentId={id}'],
  [['listSessions'], 'parentId:unknown', `parentId=${neverIssuedId}`],
  [['listSessions'], 'parentId:malformed', 'parentId=undefined', 'parentId=1'],
  [['listSessions'], 'parentId:empty', 'parentId='],
  [lists, 'active:given', 'active=true'],
  [lists, 'active:other', 'active=maybe', 'active=2'],
  [lists, 'active:empty', 'active='],
  [lists, 'order:given', 'order=createdAt-false'],
  [lists, 'order:other', 'order=createdAt', 'order=createdAt-maybe'],
  [lists, 'order:empty', 'order='],
  [lists, 'filters:given', `filters=${encodeURIComponent('[{"id":"name","value":"Harbour"}]')}`],
  [lists, 'filters:other', 'filters=%5B%7B%7D%5D', 'filters=%7B'],
  [lists, 'filters:empty', 'filters='],
];

const writes: readonly Endpoint[] = bodyOperations;

/** Content types of a good body; none if it is null. */
const contentTypes: readonly (readonly [error: string, ...types: readonly (string | null)[]])[] = [
  ['type:text', 'text/plain'],
  ['type:form', 'application/x-www-form-urlencoded'],
  ['type:other', 'text/html', 'application/octet-stream'],
  ['type:vendor', 'application/vnd.api+json'],
  ['type:none', null],
  ['charset', ...['iso-8859-1', 'windows-1252'].map((name) => `application/json; charset=${name}`)],
  // Some servers read every Unicode charset, and then find no JSON.
  ['charset:utf-16', 'application/json; charset=utf-16'],
];

/** Every error except those of fields; within a class, in the order in which they are reported. */
const errorDefinitions: readonly ErrorDefinition[] = [
  define('key:empty', 'key', endpointNames, { authorization: 'Bearer ' }),
  define(
    'key:scheme',
    'key',
    endpointNames,
    { authorization: 'Basic bGVhcm46bGVhcm4=' },
    { authorization: 'Token livestream-mock' },
  ),
  define('key:bare', 'key', endpointNames, { authorization: '{key}' }),
  define('key:scheme-case', 'key', endpointNames, { authorization: 'bearer {key}' }),
  define('key:cut', 'key', endpointNames, { credential: 'cut' }),
  define('key:extended', 'key', endpointNames, { credential: 'extended' }),
  define(
    'key:wrong',
    'key',
    endpointNames,
    { credential: 'wrong' },
    { authorization: `Bearer ${neverIssuedId}` },
  ),
  define('key:none', 'no-key', endpointNames, { credential: 'none' }),
  defineLimit('body:large', 'body', writes, limitSteps.body, (size) => ({ size })),
  ...contentTypes.map(([error, ...types]) =>
    define(`body:${error}`, 'body', writes, ...types.map((type) => ({ type }))),
  ),
  define('body:encoding', 'body', writes, { encoding: 'gzip' }, { encoding: 'deflate' }),
  define('body:bytes', 'body', writes, { bytes: '\xff\xfe' }, { bytes: '\xc3\x28' }),
  define('body:cut', 'body', writes, { cut: 1 }, { cut: 3 }),
  define('body:malformed', 'body', writes, { text: '{"name":}' }, { text: '{name: 1}' }),
  defineLimit('body:deep', 'body', writes, [8, 32, 128, 512, 1_000], (depth) => ({ depth })),
  define('body:none', 'fields', writes, { none: true }),
  define('body:blank', 'fields', writes, { text: '' }),
  define('body:null', 'fields', writes, { text: 'null' }),
  define('body:scalar', 'fields', writes, { text: '"text"' }, { text: '5' }),
  define('body:empty', 'fields', ['updateStream'], { text: '{}' }),
  define('body:unknown', 'fields', ['updateStream'], { text: `{"${unknownName}":1}` }),
  define('body:array', 'fields', writes, { text: '[]' }, { text: '[{"name":"a","record":true}]' }),
  ...wrongQueries.map(([of, error, ...texts]) =>
    define(`query:${error}`, 'query', of, ...texts.map((query) => ({ query }))),
  ),
  defineLimit('query:limit:large', 'query', lists, limitSteps.limit, (value) => ({
    query: `limit=${value}`,
  })),
  define('id:percent', 'id', idReadOperations, { id: '%zz' }, { id: '%E0%A4%A' }),
  define('id:nul', 'id', idReadOperations, { id: '%00' }, { id: 'a%00b' }),
  define('id:large', 'id', recordIdOperations, { id: 'a'.repeat(300) }),
  define('id:malformed', 'id', recordIdOperations, { id: 'undefined' }, { id: '1' }),
  define('id:unknown', 'id', idOperations, { idOf: 'unknown' }),
  define('id:deleted', 'id', recordIdOperations, { idOf: 'deleted' }),
  define('id:other-key', 'id', idOperations, { idOf: 'other-key' }),
  define('id:session', 'id', [...streamOperations, 'retrievePlayback'], { idOf: 'session' }),
  define('id:stream', 'id', ['retrieveSession'], { idOf: 'stream' }),
  define('state:live', 'state', ['updateStream', 'deleteStream', 'setRecord'], { state: 'live' }),
  define('state:live-same', 'state', ['setRecord'], { state: 'live', same: true }),
  define('state:idle', 'state', ['terminateStream'], { state: 'idle' }),
  define('operation:given', 'route', unstatedOperations, { good: true }),
  define('method:elsewhere', 'route', allOperations, { method: 'POST' }),
  define('method:other', 'route', allOperations, { method: 'PUT' }),
  define('path:trailing-slash', 'route', allOperations, {
    path: (path) => path.replace(/(?=\?|$)/, '/'),
  }),
  define('path:doubled-slash', 'route', allOperations, { path: (path) => `/${path}` }),
  define('path:encoded-letter', 'route', allOperations, {
    path: (path) => path.replace('s', '%73').replace('/p', '/%70'),
  }),
  define('path:letter-case', 'route', allOperations, {
    path: (path) => path.replaceAll(/\/[a-z-]+/g, (word) => word.toUpperCase()),
  }),
  define('path:unknown', 'route', ['unknownRoute'], { good: true }),
];

function errorsOfField(field: Field): RequestError[] {
  const { path, errors } = field;
  const sentName = path.replace(/unknown$/, unknownName).replace(/^read-only$/, 'createdAt');
  return [...errors].map(([kind, id]) => {
    const flaws = wrongValuesOf(field, kind).map((value) =>
      value === undefined ? { field: sentName } : { field: sentName, value },
    );
    const error: RequestError = { id, class: 'fields', flaws };
    if (kind !== 'small' && kind !== 'large') return error;
    return { ...error, limitSteps: limitStepsOf(path, kind) };
  });
}

function errorsFor(endpoint: Endpoint): readonly RequestError[] {
  const errors = errorDefinitions.filter(({ of }) => of.includes(endpoint));
  if (!isBodyOperation(endpoint)) return errors;
  return [...errors, ...allFieldsOf(endpoint).flatMap(errorsOfField)];
}

/** Whether a request for an endpoint has a JSON body. */
export function isBodyOperation(endpoint: string): endpoint is BodyOperation {
  return (bodyOperations as readonly string[]).includes(endpoint);
}

/** The errors that a request for each endpoint can have; within a class, in the order in which they are reported. */
export const errorsOf: ByEndpoint<readonly RequestError[]> = byEndpoint(errorsFor);

/** Whether an error exists only beyond a limit. */
export function isLimit(endpoint: Endpoint, error: string): boolean {
  return errorsOf[endpoint].some(({ id, limitSteps }) => id === error && limitSteps !== undefined);
}

/** Whether all operations share one cell for this error. It is written under `*`, and `learn` tries it with one operation. */
export function isShared(error: string): boolean {
  return /^(key:(?!wrong$|none$)|method:|path:(?!unknown$))/.test(error);
}
