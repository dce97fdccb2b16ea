import * as z from 'zod';
import {
  oneOf,
  oneOfOrRefusal,
  type Refusal,
  type RefusalBody,
  type RowsOf,
  refusalBodySchema,
  refusalSchema,
  rowsFor,
  type SilentRow,
} from './silent-row.ts';

type Writing = 'createStream' | 'setRecord' | 'updateStream';
type ByStreamId =
  | 'retrieveStream'
  | 'updateStream'
  | 'deleteStream'
  | 'setRecord'
  | 'terminateStream';
type Sessions = 'listSessionsOfStream';

type RefusalId =
  | `${'malformed-json' | 'no-body' | 'not-object'}.${Writing}`
  | `missing-${'name' | 'record' | 'profile-field'}`
  | `wrong-${'name' | 'profiles' | 'profile-field' | 'record' | 'updated-name' | 'key'}`
  | `${'unknown-id' | 'other-key'}.${ByStreamId | 'retrieveSession' | 'retrievePlayback'}`
  | `deleted-id.${Exclude<ByStreamId, 'deleteStream'>}`
  | `session-id.${Exclude<ByStreamId, 'retrieveStream'>}`
  | 'stream-id.retrieveSession'
  | 'unknown-route'
  | 'method'
  | 'no-key'
  | 'other-scheme';

/** What is wrong with a request, where several things are: the one that is noticed first decides. */
export type Check = 'wrong-key' | 'no-key' | 'body' | 'fields' | 'id' | 'route' | 'query';

/** How requests are refused, and which of several errors is noticed first. */
export type RefusalBehaviours = { readonly 'refusal.body': RefusalBody } & Readonly<
  Record<`refusal.${RefusalId}`, Refusal> &
    Record<
      `refusal.${'unknown-id' | 'deleted-id' | 'other-key' | 'session-id'}.${Sessions}`,
      'empty' | Refusal
    > &
    Record<'refusal.deleted-id.deleteStream', 'done' | Refusal> &
    Record<'refusal.session-id.retrieveStream', 'session' | Refusal> &
    Record<'refusal.live-switch' | 'refusal.live-delete', 'accepted' | Refusal> &
    Record<'refusal.idle-terminate', 'done' | Refusal> &
    Record<
      `order.${'createStream' | 'setRecord' | 'updateStream' | 'unknown-route' | Sessions}`,
      readonly Check[]
    >
>;

/** Operations that change something by a JSON body. */
const writing = ['createStream', 'setRecord', 'updateStream'] as const;
/** Operations whose path has an id, and that refuse an id they cannot use. */
const byId = [
  'retrieveStream',
  'updateStream',
  'deleteStream',
  'setRecord',
  'terminateStream',
  'retrieveSession',
  'retrievePlayback',
] as const;
/** Of these, the ones that change a stream. */
const changing = ['updateStream', 'deleteStream', 'setRecord', 'terminateStream'] as const;

const otherStatus: readonly Refusal[] = [{ status: 409 }, { status: 418, body: 'empty' }];
const clause = '7';

function refusalRow(
  question: string,
  status: number,
  bounds: readonly string[] = [],
): SilentRow<Refusal> {
  return {
    clause,
    question,
    values: refusalSchema,
    default: { status },
    samples: otherStatus,
    bounds,
  };
}

const emptyOrRefused = oneOfOrRefusal('empty');

function emptyOrRefusedRow(question: string): SilentRow<'empty' | Refusal> {
  return {
    clause,
    question,
    values: emptyOrRefused,
    default: { status: 404 },
    samples: ['empty', ...otherStatus],
    bounds: [],
  };
}

/** Each name once, and the API key before the id, as a service finds streams by their account. */
function orderSchema(...names: readonly Check[]): z.ZodType<readonly Check[]> {
  return z
    .array(oneOf(...names), `an array with each of ${names.join(', ')} once`)
    .length(names.length, `each of ${names.join(', ')} once`)
    .refine((order) => new Set(order).size === names.length, `each of ${names.join(', ')} once`)
    .refine(
      (order) => order.every((name, index) => name !== 'id' || index > keyEnd(order)),
      'the keys before id',
    );
}

function keyEnd(order: readonly string[]): number {
  return Math.max(order.indexOf('wrong-key'), order.indexOf('no-key'));
}

const createOrder = orderSchema('wrong-key', 'body', 'no-key', 'fields');
const changeOrder = orderSchema('wrong-key', 'body', 'no-key', 'fields', 'id');
const routeOrder = orderSchema('wrong-key', 'body', 'route', 'no-key');
const listOrder = orderSchema('query', 'id');

const changeOrderRow = (operation: string): SilentRow<readonly Check[]> => ({
  clause,
  question: `Of several errors in one request (${operation}), which is noticed first?`,
  values: changeOrder,
  default: ['wrong-key', 'body', 'no-key', 'fields', 'id'],
  samples: [
    ['wrong-key', 'no-key', 'body', 'fields', 'id'],
    ['wrong-key', 'body', 'no-key', 'id', 'fields'],
    ['body', 'fields', 'wrong-key', 'no-key', 'id'],
  ],
  bounds: ['AUTH-2', 'AUTH-5', 'RECORD-12', 'RECORD-14'],
});

/** How requests are refused, and which of several errors is noticed first. */
export const refusalRows: RowsOf<RefusalBehaviours> = {
  'refusal.body': {
    clause,
    question: 'What does the body of a refusal look like, where no other row says so?',
    values: refusalBodySchema,
    default: { type: 'application/json; charset=utf-8', json: { errors: ['{message}'] } },
    samples: [
      'empty',
      { type: 'text/plain' },
      {
        type: 'application/problem+json',
        json: { title: '{message}', status: '{status}', code: 'REFUSED' },
      },
    ],
    bounds: [],
  },
  ...rowsFor('refusal.malformed-json', writing, (name) =>
    refusalRow(`How does ${name} refuse a body that is not valid JSON?`, 400),
  ),
  ...rowsFor('refusal.no-body', writing, (name) =>
    refusalRow(`How does ${name} refuse a request without a body?`, 422),
  ),
  ...rowsFor('refusal.not-object', writing, (name) =>
    refusalRow(`How does ${name} refuse JSON that is not an object, such as []?`, 422),
  ),
  'refusal.missing-name': refusalRow('How is a creation without a name refused?', 422, [
    'CREATE-14',
  ]),
  'refusal.missing-record': refusalRow('How is a recording switch without record refused?', 422, [
    'RECORD-12',
  ]),
  'refusal.missing-profile-field': refusalRow('How is a profile without its width refused?', 422),
  'refusal.wrong-name': refusalRow('How is a creation refused whose name is not a string?', 422, [
    'CREATE-17',
  ]),
  'refusal.wrong-profiles': refusalRow(
    'How is a creation refused whose profiles are not an array of objects?',
    422,
    ['CREATE-18'],
  ),
  'refusal.wrong-profile-field': refusalRow('How is a profile refused whose width is a text?', 422),
  'refusal.wrong-record': refusalRow(
    'How is a recording switch refused whose record is not a boolean?',
    422,
    ['RECORD-13'],
  ),
  'refusal.wrong-updated-name': refusalRow(
    'How is an update refused whose name is not a string?',
    422,
  ),
  ...rowsFor('refusal.unknown-id', byId, (name) =>
    refusalRow(`How does ${name} refuse an id that was never given?`, 404, ['RECORD-14']),
  ),
  'refusal.unknown-id.listSessionsOfStream': {
    ...emptyOrRefusedRow('What does listSessionsOfStream answer for an id that was never given?'),
    hides: { when: ['empty'], rows: ['order.listSessionsOfStream'] },
  },
  ...rowsFor(
    'refusal.deleted-id',
    ['retrieveStream', 'updateStream', 'setRecord', 'terminateStream'],
    (name) => refusalRow(`How does ${name} refuse the id of a deleted stream?`, 404, ['RECORD-14']),
  ),
  'refusal.deleted-id.deleteStream': {
    clause,
    question: 'What does deleteStream answer for a stream that is deleted already?',
    values: oneOfOrRefusal('done'),
    default: { status: 404 },
    samples: ['done', ...otherStatus],
    bounds: [],
  },
  'refusal.deleted-id.listSessionsOfStream': emptyOrRefusedRow(
    'What does listSessionsOfStream answer for the id of a deleted stream?',
  ),
  ...rowsFor('refusal.other-key', byId, (name) =>
    refusalRow(`How does ${name} refuse an id that belongs to another API key?`, 404),
  ),
  'refusal.other-key.listSessionsOfStream': emptyOrRefusedRow(
    'What does listSessionsOfStream answer for a stream of another API key?',
  ),
  ...rowsFor('refusal.session-id', changing, (name) =>
    refusalRow(`How does ${name} refuse the id of a session?`, 400, [
      'RECORD-10',
      'RECORD-11',
      'RECORD-17',
    ]),
  ),
  'refusal.session-id.listSessionsOfStream': emptyOrRefusedRow(
    'What does listSessionsOfStream answer for the id of a session?',
  ),
  'refusal.session-id.retrieveStream': {
    clause: '4.4',
    question: 'What does retrieveStream answer for the id of a session?',
    values: oneOfOrRefusal('session'),
    default: 'session',
    samples: otherStatus,
    bounds: [],
  },
  'refusal.stream-id.retrieveSession': refusalRow(
    'How does retrieveSession refuse the id of a stream?',
    404,
  ),
  'refusal.unknown-route': refusalRow('How is a path refused that the service does not know?', 404),
  'refusal.method': refusalRow(
    'How is another method on a known path refused, such as PUT /stream?',
    404,
  ),
  'refusal.no-key': refusalRow('How is a request without an API key refused?', 401, [
    'AUTH-1',
    'AUTH-2',
    'AUTH-3',
  ]),
  'refusal.wrong-key': refusalRow('How is a request with an unknown API key refused?', 401, [
    'AUTH-4',
    'AUTH-5',
    'AUTH-6',
  ]),
  'refusal.other-scheme': refusalRow(
    'How is a request refused whose authorization is not "Bearer KEY"?',
    401,
  ),
  'refusal.live-switch': {
    clause: '4.2',
    question: 'May recording be switched while the stream is live?',
    values: oneOfOrRefusal('accepted'),
    default: { status: 400 },
    samples: ['accepted', ...otherStatus],
    bounds: ['RECORD-15'],
    hides: { when: ['accepted'], rows: ['http.retry-after'] },
  },
  'refusal.live-delete': {
    clause: '4.4',
    question: 'May a stream be deleted while it is live?',
    values: oneOfOrRefusal('accepted'),
    default: 'accepted',
    samples: otherStatus,
    bounds: [],
  },
  'refusal.idle-terminate': {
    clause,
    question: 'What does terminateStream answer for a stream that is not live?',
    values: oneOfOrRefusal('done'),
    default: 'done',
    samples: otherStatus,
    bounds: [],
  },
  'order.createStream': {
    clause,
    question: 'Of several errors in one creation, which is noticed first?',
    values: createOrder,
    default: ['wrong-key', 'body', 'no-key', 'fields'],
    samples: [
      ['wrong-key', 'no-key', 'body', 'fields'],
      ['body', 'wrong-key', 'no-key', 'fields'],
      ['body', 'fields', 'wrong-key', 'no-key'],
    ],
    bounds: ['AUTH-1', 'AUTH-4', 'CREATE-14'],
  },
  'order.setRecord': changeOrderRow('setRecord'),
  'order.updateStream': changeOrderRow('updateStream'),
  'order.unknown-route': {
    clause,
    question: 'Of several errors in a request to an unknown path, which is noticed first?',
    values: routeOrder,
    default: ['wrong-key', 'body', 'route', 'no-key'],
    samples: [
      ['route', 'wrong-key', 'body', 'no-key'],
      ['wrong-key', 'no-key', 'route', 'body'],
    ],
    bounds: [],
  },
  'order.listSessionsOfStream': {
    clause,
    question: 'Of an impossible query and an unknown stream, which is noticed first?',
    values: listOrder,
    default: ['query', 'id'],
    samples: [['id', 'query']],
    bounds: [],
  },
};
