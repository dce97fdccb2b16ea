import type { Breaks } from '../../interface/breaks.ts';
import type { RowId } from '../../interface/silent.ts';

/** How a mutant differs from the mock in what a dialect can say: legal rows or breaks, and why. */
interface TrueOfMutant {
  readonly rows?: readonly RowId[];
  readonly breaks?: Breaks;
  readonly reason: string;
}

/** What `learn` has to write of a mutant, although the mock does otherwise. */
export const trueOfMutants: Readonly<Record<string, TrueOfMutant>> = {
  'create-rounds-bitrate': {
    rows: ['profile.smallest.bitrate', 'profile.largest.bitrate'],
    reason: 'A bitrate that it rounds to 0, or to more than the largest, is refused.',
  },
  'create-accepts-any-profiles': {
    rows: ['profiles.null'],
    reason: 'It takes null for no profiles, which is legal.',
  },
  'create-adds-default-profiles': {
    rows: ['http.body-size'],
    breaks: { 'default-profiles': true },
    reason: 'It sends on what it has read of a body, without the spaces that made it large.',
  },
  'list-shows-every-session': {
    rows: ['http.json-type', 'cors.requests'],
    reason: 'Its lists are responses of its own, without the headers of the mock.',
  },
  'list-answers-404-when-empty': {
    rows: ['list.active.listSessionsOfStream', 'list.filters.listSessionsOfStream'],
    reason: 'A filter that leaves nothing gets the status 404, as if it were refused.',
  },
  'create-makes-playback-ids-from-clock': {
    rows: ['operation.retrievePlayback'],
    reason: 'Nothing is found under the playback ids that it shows.',
  },
  'start-makes-ids-from-clock': {
    rows: [
      'refusal.session-id.updateStream',
      'refusal.session-id.deleteStream',
      'refusal.session-id.setRecord',
      'refusal.session-id.terminateStream',
      'refusal.session-id.retrieveStream',
    ],
    reason: 'Only its lists know the ids that it gives to sessions.',
  },
  'auth-list-accepts-wrong': {
    rows: ['refusal.other-key.listSessionsOfStream'],
    reason: 'It asks again with a right key what was refused, and gets an empty list.',
  },
  'record-changes-by-general-patch': {
    breaks: { 'update-switches-record': true },
    reason: 'It switches recording by PATCH /stream/{id}.',
  },
  'record-changes-by-bare-patch': {
    breaks: { 'update-switches-record': true },
    reason: 'It switches recording by PATCH /stream/{id}.',
  },
};

/** Mutants that keep `learn` from most rows, with the reason. */
export const unlearnable: Readonly<Record<string, string>> = {
  'create-answers-array': 'Without an id nothing can be asked of a stream.',
  'create-demands-profiles': 'No stream can be created without profiles.',
  'create-repeats-id':
    'Streams of one name have one id, and nearly all that learn makes have one name.',
};
