import {
  droppedRow,
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
  | `null-${'name' | 'profile-field' | 'record'}`
  | 'negative-profile-field'
  | `${'unknown-id' | 'other-key'}.${ByStreamId | 'retrieveSession' | 'retrievePlayback'}`
  | `malformed-id.${ByStreamId | 'retrieveSession'}`
  | `deleted-id.${Exclude<ByStreamId, 'deleteStream'> | 'retrieveSession'}`
  | `session-id.${Exclude<ByStreamId, 'retrieveStream'>}`
  | 'stream-id.retrieveSession'
  | 'unknown-route'
  | 'method'
  | 'no-key'
  | 'other-scheme';

/** How requests are refused. */
export type RefusalBehaviours = { readonly 'refusal.body': RefusalBody } & Readonly<
  Record<`refusal.${RefusalId}`, Refusal> &
    Record<
      `refusal.${'unknown-id' | 'malformed-id' | 'deleted-id' | 'other-key' | 'session-id'}.${Sessions}`,
      'empty' | Refusal
    > &
    Record<'refusal.deleted-id.deleteStream', 'done' | Refusal> &
    Record<'refusal.session-id.retrieveStream', 'session' | Refusal> &
    Record<`refusal.live-${'switch' | 'repeat' | 'delete'}`, 'accepted' | Refusal> &
    Record<'refusal.idle-terminate', 'done' | Refusal> &
    Record<'refusal.unknown-switch-field', 'dropped' | Refusal>
>;

/** Operations that change something by a JSON body. */
const writing = ['createStream', 'setRecord', 'updateStream'] as const;
/** Operations whose path has the id of a stream or session, and that refuse one they cannot use. */
const withOwnId = [
  'retrieveStream',
  'updateStream',
  'deleteStream',
  'setRecord',
  'terminateStream',
  'retrieveSession',
] as const;
const byId = [...withOwnId, 'retrievePlayback'] as const;
/** Of these, the ones that change a stream. */
const changing = ['updateStream', 'deleteStream', 'setRecord', 'terminateStream'] as const;

/** Operations that refuse the id of a deleted stream. */
const withDeletedId = [
  'retrieveStream',
  'updateStream',
  'setRecord',
  'terminateStream',
  'retrieveSession',
] as const;

/** A refusal that differs from the usual one in all that a client can notice. */
const otherRefusal: Refusal = { status: 418, body: 'empty' };
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
    samples: [otherRefusal],
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
    samples: ['empty', otherRefusal],
    bounds: [],
  };
}

/** How requests are refused. */
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
  'refusal.null-name': refusalRow('How is a creation refused whose name is null?', 422, [
    'CREATE-17',
  ]),
  'refusal.null-profile-field': refusalRow('How is a profile refused whose width is null?', 422),
  'refusal.negative-profile-field': refusalRow(
    'How is a profile refused whose width is below 0?',
    422,
  ),
  'refusal.null-record': refusalRow(
    'How is a recording switch refused whose record is null?',
    422,
    ['RECORD-13'],
  ),
  'refusal.unknown-switch-field': droppedRow(
    clause,
    'What becomes of a field beside record in a recording switch?',
    'dropped',
  ),
  'refusal.wrong-updated-name': refusalRow(
    'How is an update refused whose name is not a string?',
    422,
  ),
  ...rowsFor('refusal.unknown-id', byId, (name) =>
    refusalRow(`How does ${name} refuse an id that was never given?`, 404, ['RECORD-14']),
  ),
  'refusal.unknown-id.listSessionsOfStream': emptyOrRefusedRow(
    'What does listSessionsOfStream answer for an id that was never given?',
  ),
  ...rowsFor('refusal.malformed-id', withOwnId, (name) =>
    refusalRow(`How does ${name} refuse an id such as "undefined", which is none?`, 404, [
      'RECORD-14',
    ]),
  ),
  'refusal.malformed-id.listSessionsOfStream': emptyOrRefusedRow(
    'What does listSessionsOfStream answer for an id such as "undefined", which is none?',
  ),
  ...rowsFor('refusal.deleted-id', withDeletedId, (name) =>
    refusalRow(`How does ${name} refuse the id of a deleted stream?`, 404, ['RECORD-14']),
  ),
  'refusal.deleted-id.deleteStream': {
    clause,
    question: 'What does deleteStream answer for a stream that is deleted already?',
    values: oneOfOrRefusal('done'),
    default: { status: 404 },
    samples: ['done', otherRefusal],
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
    samples: [otherRefusal],
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
    samples: ['accepted', otherRefusal],
    bounds: ['RECORD-15'],
    hides: { when: ['accepted'], rows: ['http.retry-after'] },
  },
  'refusal.live-repeat': {
    clause: '4.2',
    question: 'May record be set to the value that it has already while the stream is live?',
    values: oneOfOrRefusal('accepted'),
    default: 'accepted',
    samples: [{ status: 409 }],
    bounds: ['RECORD-4'],
  },
  'refusal.live-delete': {
    clause: '4.4',
    question: 'May a stream be deleted while it is live?',
    values: oneOfOrRefusal('accepted'),
    default: 'accepted',
    samples: [otherRefusal],
    bounds: [],
  },
  'refusal.idle-terminate': {
    clause,
    question: 'What does terminateStream answer for a stream that is not live?',
    values: oneOfOrRefusal('done'),
    default: 'done',
    samples: [otherRefusal],
    bounds: [],
  },
};
