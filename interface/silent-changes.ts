import { type KnownField, knownFields } from './silent-creation.ts';
import { listQueries } from './silent-lists.ts';
import {
  droppedRow,
  oneOf,
  oneOfOrRefusal,
  type Refusal,
  type RowsOf,
  rowsFor,
  type SilentRow,
} from './silent-row.ts';

type OptionalOperation =
  | 'listStreams'
  | 'retrieveStream'
  | 'updateStream'
  | 'deleteStream'
  | 'listSessions'
  | 'retrieveSession'
  | 'terminateStream'
  | 'retrievePlayback';

/** Operations that the interface leaves open: whether they are offered, and what they do. */
export type ChangeBehaviours = Readonly<
  Record<`operation.${OptionalOperation}`, 'offered' | Refusal> &
    Record<'retrieve.stream', 'bare' | 'wrapped'> &
    Record<
      `update.${'name' | 'unknown-field' | 'profiles' | `known-field.${KnownField}`}`,
      'changed' | 'dropped' | Refusal
    > &
    Record<'update.record' | 'update.null-name', 'dropped' | Refusal> &
    Record<'update.shows' | 'delete.shows', 'nothing' | 'stream'> &
    Record<'delete.leaves', 'nothing' | 'sessions'> &
    Record<'playback.session', 'recording' | Refusal>
>;

const refused = { status: 422 } as const;
const otherRefusal = { status: 406 } as const;

const optionalOperation = oneOfOrRefusal('offered');

function optional(name: string, rows: readonly string[]): SilentRow<'offered' | Refusal> {
  return {
    clause: '4.4',
    question: `Is ${name} offered, which the interface leaves open?`,
    values: optionalOperation,
    default: 'offered',
    samples: [{ status: 404 }, { status: 405 }],
    bounds: [],
    hides: { unless: ['offered'], rows },
  };
}

/** Whether a stream shows what an update sets. */
function updatedFieldRow(
  question: string,
  usual: 'changed' | Refusal,
): SilentRow<'changed' | 'dropped' | Refusal> {
  const words = usual === 'changed' ? (['dropped'] as const) : (['changed', 'dropped'] as const);
  return {
    clause: '4.4',
    question,
    values: oneOfOrRefusal('changed', 'dropped'),
    default: usual,
    samples: [...words, otherRefusal],
    bounds: ['RECORD-16'],
  };
}

const shows = oneOf('nothing', 'stream');

function showsRow(question: string): SilentRow<'nothing' | 'stream'> {
  return {
    clause: '4.4',
    question,
    values: shows,
    default: 'nothing',
    samples: ['stream'],
    bounds: [],
  };
}

/** Operations that the interface leaves open: whether they are offered, and what they do. */
export const changeRows: RowsOf<ChangeBehaviours> = {
  'operation.listStreams': optional('GET /stream', [
    'order.listStreams',
    'list.page-size',
    'list.order',
    'list.sessions-among-streams',
    'list.unknown-query.listStreams',
    ...listQueries.map((name) => `list.${name}.listStreams`),
  ]),
  'operation.retrieveStream': optional('GET /stream/{id}', [
    'refusal.unknown-id.retrieveStream',
    'refusal.malformed-id.retrieveStream',
    'refusal.deleted-id.retrieveStream',
    'refusal.other-key.retrieveStream',
    'refusal.session-id.retrieveStream',
    'retrieve.stream',
  ]),
  'operation.updateStream': optional('PATCH /stream/{id}', [
    'refusal.malformed-json.updateStream',
    'refusal.no-body.updateStream',
    'refusal.not-object.updateStream',
    'refusal.wrong-updated-name',
    'refusal.unknown-id.updateStream',
    'refusal.malformed-id.updateStream',
    'refusal.deleted-id.updateStream',
    'refusal.other-key.updateStream',
    'refusal.session-id.updateStream',
    'order.updateStream',
    'update.name',
    'update.null-name',
    'update.unknown-field',
    ...knownFields.map((field) => `update.known-field.${field}`),
    'update.profiles',
    'update.record',
    'update.shows',
  ]),
  'operation.deleteStream': optional('DELETE /stream/{id}', [
    'refusal.unknown-id.deleteStream',
    'refusal.malformed-id.deleteStream',
    'refusal.deleted-id.retrieveStream',
    'refusal.deleted-id.updateStream',
    'refusal.deleted-id.setRecord',
    'refusal.deleted-id.deleteStream',
    'refusal.deleted-id.listSessionsOfStream',
    'refusal.deleted-id.terminateStream',
    'refusal.deleted-id.retrieveSession',
    'refusal.other-key.deleteStream',
    'refusal.session-id.deleteStream',
    'refusal.live-delete',
    'delete.shows',
    'delete.leaves',
  ]),
  'operation.listSessions': optional('GET /session', [
    'order.listSessions',
    'list.unknown-query.listSessions',
    ...listQueries.map((name) => `list.${name}.listSessions`),
    'sessions.parent-filter',
    'sessions.record-of-all',
  ]),
  'operation.retrieveSession': optional('GET /session/{id}', [
    'refusal.unknown-id.retrieveSession',
    'refusal.malformed-id.retrieveSession',
    'refusal.deleted-id.retrieveSession',
    'refusal.other-key.retrieveSession',
    'refusal.stream-id.retrieveSession',
  ]),
  'operation.terminateStream': optional('DELETE /stream/{id}/terminate', [
    'refusal.unknown-id.terminateStream',
    'refusal.malformed-id.terminateStream',
    'refusal.deleted-id.terminateStream',
    'refusal.other-key.terminateStream',
    'refusal.session-id.terminateStream',
    'refusal.idle-terminate',
  ]),
  'operation.retrievePlayback': optional('GET /playback/{playbackId}', [
    'refusal.unknown-id.retrievePlayback',
    'refusal.other-key.retrievePlayback',
    'playback.session',
  ]),
  'retrieve.stream': {
    clause: '4.4',
    question: 'Is a retrieved stream the body itself, or wrapped in {"stream"}?',
    values: oneOf('bare', 'wrapped'),
    default: 'bare',
    samples: ['wrapped'],
    bounds: [],
  },
  'update.name': {
    ...updatedFieldRow('What becomes of name in an update of a stream?', 'changed'),
    hides: { unless: ['changed'], rows: ['refusal.wrong-updated-name', 'update.null-name'] },
  },
  'update.null-name': droppedRow(
    '4.4',
    'What becomes of a name in an update that is null?',
    refused,
  ),
  'update.unknown-field': updatedFieldRow(
    'What becomes of an unknown field in an update?',
    refused,
  ),
  ...rowsFor('update.known-field', knownFields, (field) =>
    updatedFieldRow(`What becomes of the field ${field} in an update?`, 'changed'),
  ),
  'update.profiles': updatedFieldRow('What becomes of profiles in an update of a stream?', refused),
  'update.record': {
    clause: '3',
    question: 'What becomes of record in an update of a stream?',
    note: 'It never changes the value.',
    values: oneOfOrRefusal('dropped'),
    default: refused,
    samples: ['dropped', otherRefusal],
    bounds: ['RECORD-16'],
  },
  'update.shows': showsRow('What does the response to an update show?'),
  'delete.shows': showsRow('What does the response to a deletion show?'),
  'delete.leaves': {
    clause: '4.4',
    question: 'What can still be read after a stream was deleted?',
    values: oneOf('nothing', 'sessions'),
    default: 'nothing',
    samples: ['sessions'],
    bounds: [],
  },
  'playback.session': {
    clause: '4.4',
    question: 'What does retrievePlayback answer for the id of a session whose recording is ready?',
    values: oneOfOrRefusal('recording'),
    default: 'recording',
    samples: [otherRefusal],
    bounds: [],
  },
};
