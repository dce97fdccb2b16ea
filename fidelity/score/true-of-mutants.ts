import type { RowId } from '../../interface/silent.ts';

/** Rows in which a mutant does otherwise than the mock, within what is legal, and why it does. */
interface TrueOfMutant {
  readonly rows: readonly RowId[];
  readonly reason: string;
}

/** What `learn` writes of a mutant is right in these rows, although the mock does otherwise. */
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
};
