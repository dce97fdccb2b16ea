import * as z from 'zod';
import { ladders } from './limit-ladders.ts';
import {
  oneOf,
  oneOfOrRefusal,
  type Refusal,
  type RowsOf,
  rowsFor,
  type SilentRow,
  type UpperLimit,
  upperLimitSchema,
} from './silent-row.ts';

type BodyType = 'text' | 'form' | 'vendor' | 'none';
type Presence = 'absent' | 'present';

/** HTTP beside the operations: methods, paths, headers, content types. */
export type HttpBehaviours = Readonly<
  Record<'http.body-size', UpperLimit> &
    Record<`http.body-type.${BodyType}`, 'taken' | Refusal> &
    Record<'http.json-type', string> &
    Record<'http.head', 'as-get' | Refusal> &
    Record<'http.options', 'ok' | 'no-content' | Refusal> &
    Record<'http.options-unknown-route', 'as-known' | Refusal> &
    Record<'http.trailing-slash', 'ignored' | 'unknown-route'> &
    Record<'http.route-case' | 'auth.scheme-case', 'exact' | 'any'> &
    Record<'http.etag', 'absent' | 'present' | 'conditional'> &
    Record<'http.allow' | 'auth.challenge', Presence> &
    Record<'http.retry-after' | 'cors.max-age', number | null> &
    Record<'cors.requests', 'any' | 'echo' | 'none' | Refusal> &
    Record<'cors.exposed-headers', readonly string[]> &
    Record<'cors.allowed-headers', 'asked' | readonly string[]> &
    Record<'cors.allowed-methods', readonly string[]>
>;

const otherRefusal = { status: 406 } as const;
const presence = oneOf('absent', 'present');
const headerNames = z.array(
  z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'a header name in lower case'),
  'an array of header names',
);

function presenceRow(clause: string, question: string): SilentRow<Presence> {
  return {
    clause,
    question,
    values: presence,
    default: 'absent',
    samples: ['present'],
    bounds: [],
  };
}

/** Content types of a body that a service may take beside application/json. */
export const bodyTypes: Readonly<Record<BodyType, string | undefined>> = {
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  vendor: 'application/vnd.api+json',
  none: undefined,
};

/** Bytes of a body that the mock takes without a dialect. */
const usualBody = 102_400;

/** HTTP beside the operations: methods, paths, headers, content types. */
export const httpRows: RowsOf<HttpBehaviours> = {
  'http.body-size': {
    clause: '8',
    question: 'How many bytes may a body have?',
    values: upperLimitSchema(ladders.body[0]),
    default: { atLeast: usualBody, below: 262_144, refusal: { status: 413 } },
    samples: [
      { atLeast: 65_536, below: 102_400, refusal: { status: 413 } },
      { atLeast: 262_144, below: 524_288, refusal: { status: 400 } },
    ],
    bounds: ['CREATE-16'],
  },
  ...rowsFor(
    'http.body-type',
    Object.keys(bodyTypes) as BodyType[],
    (name): SilentRow<'taken' | Refusal> => ({
      clause: '5',
      question: `Is a JSON body taken with ${bodyTypes[name] ? `the content type ${bodyTypes[name]}` : 'no content type'}?`,
      values: oneOfOrRefusal('taken'),
      default: name === 'vendor' ? 'taken' : { status: 415 },
      samples: name === 'vendor' ? [{ status: 415 }] : ['taken', otherRefusal],
      bounds: [],
    }),
  ),
  'http.json-type': {
    clause: '4.1',
    question: 'Which content type have JSON responses other than refusals?',
    values: z
      .string('a JSON content type')
      .regex(/^application\/([\w.-]{1,60}\+)?json(; ?charset=utf-8)?$/, 'a JSON content type'),
    default: 'application/json; charset=utf-8',
    samples: ['application/json', 'application/vnd.stream+json'],
    bounds: ['CREATE-2'],
  },
  'http.head': {
    clause: '4',
    question: 'Is HEAD answered as GET is?',
    values: oneOfOrRefusal('as-get'),
    default: 'as-get',
    samples: [{ status: 404 }, { status: 405 }],
    bounds: [],
  },
  'http.options': {
    clause: '4',
    question: 'How is OPTIONS answered?',
    note: 'ok: 200; no-content: 204; the rows of CORS say its headers',
    values: oneOfOrRefusal('ok', 'no-content'),
    default: 'no-content',
    samples: ['ok', { status: 405 }],
    bounds: [],
  },
  'http.options-unknown-route': {
    clause: '4',
    question: 'Is OPTIONS of a path that the service does not know answered as that of any other?',
    values: oneOfOrRefusal('as-known'),
    default: 'as-known',
    samples: [{ status: 404 }],
    bounds: [],
  },
  'http.trailing-slash': {
    clause: '4',
    question: 'Is a slash at the end of a path ignored, or is the path then unknown?',
    values: oneOf('ignored', 'unknown-route'),
    default: 'ignored',
    samples: ['unknown-route'],
    bounds: [],
  },
  'http.route-case': {
    clause: '4',
    question: 'Does the letter case of a path matter?',
    values: oneOf('exact', 'any'),
    default: 'exact',
    samples: ['any'],
    bounds: [],
  },
  'http.etag': {
    clause: '4',
    question: 'Have responses to GET an ETag, and is If-None-Match answered with 304?',
    note: 'present: an ETag, but never 304; conditional: both',
    values: oneOf('absent', 'present', 'conditional'),
    default: 'absent',
    samples: ['present', 'conditional'],
    bounds: [],
  },
  'http.allow': presenceRow(
    '7',
    'Have a refusal of another method and a response to OPTIONS an Allow header?',
  ),
  'http.retry-after': {
    clause: '7',
    question: 'After how many seconds may a refused switch of a live stream be repeated?',
    note: 'null: no Retry-After',
    values: z.union([z.null(), z.int().min(0).max(86_400)], 'seconds or null'),
    default: null,
    samples: [0, 30],
    bounds: [],
  },
  'auth.challenge': presenceRow('5', 'Has a refusal with status 401 a WWW-Authenticate header?'),
  'auth.scheme-case': {
    clause: '5',
    question: 'Does the letter case of Bearer matter?',
    values: oneOf('any', 'exact'),
    default: 'any',
    samples: ['exact'],
    bounds: [],
  },
  'cors.requests': {
    clause: '4',
    question: 'Which Origin may read a response?',
    note: 'any: every Origin, by *; echo: every Origin, each by its name; none: no Origin; a refusal: a request with an Origin is refused',
    values: oneOfOrRefusal('any', 'echo', 'none'),
    default: 'any',
    samples: ['echo', 'none', { status: 403 }],
    bounds: [],
    hides: {
      unless: ['any', 'echo'],
      rows: [
        ...['cors.exposed-headers', 'cors.allowed-headers'],
        ...['cors.allowed-methods', 'cors.max-age'],
      ],
    },
  },
  'cors.exposed-headers': {
    clause: '4',
    question: 'Which headers may a page of another origin read?',
    values: headerNames,
    default: ['accept-ranges', 'content-length', 'content-range', 'etag', 'link', 'retry-after'],
    samples: [[], ['link']],
    bounds: [],
  },
  'cors.allowed-headers': {
    clause: '4',
    question: 'Which headers does a preflight allow?',
    note: 'asked: those it asks for',
    values: z.union([z.literal('asked'), headerNames], 'asked or an array of header names'),
    default: 'asked',
    samples: [['authorization', 'content-type'], []],
    bounds: [],
  },
  'cors.allowed-methods': {
    clause: '4',
    question: 'Which methods does a preflight allow?',
    values: z.array(
      oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      'an array of methods',
    ),
    default: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    samples: [['GET', 'POST'], []],
    bounds: [],
  },
  'cors.max-age': {
    clause: '4',
    question: 'For how many seconds may a preflight be remembered?',
    note: 'null: it does not say',
    values: z.union([z.null(), z.int().min(0).max(86_400)], 'seconds or null'),
    default: 600,
    samples: [null, 86_400],
    bounds: [],
  },
};
